#include "hardpan/geometry/shape.h"

#include <numbers>

namespace hardpan::geometry {
namespace {

struct Volume {
  double operator()(const Sphere& s) const {
    return 4.0 / 3.0 * std::numbers::pi * s.radius * s.radius * s.radius;
  }
  double operator()(const Box& b) const { return b.size.prod(); }
  double operator()(const Cylinder& c) const { return std::numbers::pi * c.radius * c.radius * c.length; }
};

struct SpecificInertia {
  Vec3 operator()(const Sphere& s) const { return Vec3::Constant(0.4 * s.radius * s.radius); }
  Vec3 operator()(const Box& b) const {
    const Vec3 sq = b.size.cwiseAbs2();
    return Vec3(sq.y() + sq.z(), sq.z() + sq.x(), sq.x() + sq.y()) / 12.0;
  }
  Vec3 operator()(const Cylinder& c) const {
    const double across = c.radius * c.radius / 4.0 + c.length * c.length / 12.0;
    return {across, across, 0.5 * c.radius * c.radius};
  }
};

}  // namespace

double volume(const Shape& shape) { return std::visit(Volume{}, shape); }
Vec3 specific_inertia(const Shape& shape) { return std::visit(SpecificInertia{}, shape); }

}  // namespace hardpan::geometry
