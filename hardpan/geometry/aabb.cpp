#include "hardpan/geometry/aabb.h"

#include "hardpan/geometry/height_grid.h"
#include "hardpan/geometry/polyhedron.h"
#include "hardpan/geometry/triangle_mesh.h"

namespace hardpan::geometry {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

// The reach of a convex shape along the world axis e_i is its support R^T e_i, and row i of R is R^T e_i.
struct Bounds {
  const Vec3& x;
  const Mat3 R;

  Aabb around(const Vec3& half) const { return {x - half, x + half}; }
  Aabb around(const std::vector<Vec3>& points) const {
    Aabb box;
    for (const Vec3& p : points) box = box.merged(Vec3(x + R * p));
    return box;
  }
  // Of a disc of radius 1 across the shape's z axis.
  Vec3 disc() const { return R.leftCols<2>().rowwise().norm(); }
  Vec3 axis() const { return R.col(2); }

  Aabb operator()(const Sphere& s) const { return around(Vec3::Constant(s.radius)); }
  Aabb operator()(const Box& b) const { return around(Vec3(R.cwiseAbs() * b.size / 2)); }
  Aabb operator()(const Cylinder& c) const {
    return around(Vec3(c.length / 2 * axis().cwiseAbs() + c.radius * disc()));
  }
  Aabb operator()(const Capsule& c) const {
    return around(Vec3((c.length / 2 * axis().cwiseAbs()).array() + c.radius));
  }
  Aabb operator()(const Cone& c) const {
    const Vec3 base = x - c.height / 4 * axis(), rim = c.radius * disc();
    return Aabb{base - rim, base + rim}.merged(Vec3(x + 3 * c.height / 4 * axis()));
  }
  Aabb operator()(const Ellipsoid& e) const {
    return around(Vec3((R * e.radii.asDiagonal()).rowwise().norm()));
  }
  Aabb operator()(const Hull& hull) const { return around(hull.body->vertices); }
  Aabb operator()(const Mesh& mesh) const { return around(mesh.surface->vertices); }
  Aabb operator()(const HeightField& field) const {
    Aabb box;
    for (std::size_t j = 0; j < field.grid->ny; ++j)
      for (std::size_t i = 0; i < field.grid->nx; ++i)
        box = box.merged(Vec3(x + R * field.grid->point(i, j)));
    for (Eigen::Index i = 0; i < 3; ++i) {
      if (axis()[i] > 0) box.low[i] = -infinite;
      if (axis()[i] < 0) box.high[i] = infinite;
    }
    return box;
  }
  // Bounded along a world axis only where that is its normal.
  Aabb operator()(const Plane&) const {
    Aabb box{Vec3::Constant(-infinite), Vec3::Constant(infinite)};
    for (Eigen::Index i = 0; i < 3; ++i) {
      if (axis()[(i + 1) % 3] != 0 || axis()[(i + 2) % 3] != 0) continue;
      (axis()[i] > 0 ? box.high : box.low)[i] = x[i];
    }
    return box;
  }
};

}  // namespace

Aabb bounds(const Shape& shape, const Pose& pose) {
  return std::visit(Bounds{pose.x, pose.q.toRotationMatrix()}, shape);
}

}  // namespace hardpan::geometry
