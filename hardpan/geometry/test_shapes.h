// Shapes for tests, and points of them.
#pragma once

#include <memory>
#include <vector>

#include "hardpan/core/random.h"
#include "hardpan/geometry/height_grid.h"
#include "hardpan/geometry/polyhedron.h"
#include "hardpan/geometry/shape.h"
#include "hardpan/geometry/triangle_mesh.h"

namespace hardpan::geometry {

class RandomVectors {
 public:
  explicit RandomVectors(std::uint64_t seed) : random_(seed) {}
  double number(double low, double high) { return random_.uniform(counter_++, low, high); }
  Vec3 in_cube() { return {number(-1, 1), number(-1, 1), number(-1, 1)}; }
  Vec3 direction() {
    for (;;)
      if (const Vec3 v = in_cube(); v.norm() > 0.1 && v.norm() < 1) return v.normalized();
  }
  Quat turn() { return Quat(Eigen::AngleAxisd(number(-3, 3), direction())); }
  Pose pose() { return {3 * in_cube(), turn()}; }

 private:
  CounterRandom random_;
  std::uint64_t counter_ = 0;
};

inline std::vector<Vec3> corners_of_box(const Vec3& size) {
  std::vector<Vec3> corners;
  for (int i = 0; i < 8; ++i)
    corners.push_back(
        Vec3(i & 1 ? size.x() : -size.x(), i & 2 ? size.y() : -size.y(), i & 4 ? size.z() : -size.z()) / 2);
  return corners;
}

inline Hull hull_of(const std::vector<Vec3>& points) {
  return {std::make_shared<const Polyhedron>(convex_hull(points))};
}

// The triangles of a hull: a closed mesh.
inline Mesh mesh_of(const Polyhedron& body) {
  std::vector<std::array<std::uint32_t, 3>> triangles;
  for (std::size_t f = 0; f < body.faces(); ++f)
    for (std::size_t k = 2; k < body.face(f).size(); ++k)
      triangles.push_back({body.face(f)[0], body.face(f)[k - 1], body.face(f)[k]});
  return {std::make_shared<const TriangleMesh>(make_mesh(body.vertices, triangles))};
}

}  // namespace hardpan::geometry
