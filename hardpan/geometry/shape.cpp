#include "hardpan/geometry/shape.h"

#include <numbers>

#include "hardpan/core/error.h"
#include "hardpan/geometry/triangle_mesh.h"

namespace hardpan::geometry {
namespace {

using std::numbers::pi;

Solid centred(double volume, const Vec3& moments) { return {volume, Vec3::Zero(), moments.asDiagonal()}; }

struct Properties {
  Solid operator()(const Sphere& s) const {
    return centred(4.0 / 3.0 * pi * s.radius * s.radius * s.radius,
                   Vec3::Constant(0.4 * s.radius * s.radius));
  }
  Solid operator()(const Box& b) const {
    const Vec3 sq = b.size.cwiseAbs2();
    return centred(b.size.prod(), Vec3(sq.y() + sq.z(), sq.z() + sq.x(), sq.x() + sq.y()) / 12.0);
  }
  Solid operator()(const Cylinder& c) const {
    const double across = c.radius * c.radius / 4.0 + c.length * c.length / 12.0;
    return centred(pi * c.radius * c.radius * c.length, {across, across, 0.5 * c.radius * c.radius});
  }
  template <class Other>
  Solid operator()(const Other&) const {
    HARDPAN_CHECK(false, "a shape without mass properties");
  }
};

}  // namespace

bool is_solid(const Shape& shape) {
  if (const Mesh* mesh = std::get_if<Mesh>(&shape)) return mesh->surface->closed;
  return !std::holds_alternative<HeightField>(shape) && !std::holds_alternative<Plane>(shape);
}

Solid solid(const Shape& shape) { return std::visit(Properties{}, shape); }

}  // namespace hardpan::geometry
