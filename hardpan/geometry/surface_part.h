// The parts that the surface of a core is made of, as smooth functions of the normal.
#pragma once

#include "hardpan/geometry/support.h"

namespace hardpan::geometry {

struct SurfacePart {
  enum class Form : std::uint8_t { flat, ellipsoid, rim, cylinder_side, cone_side };

  Form form = Form::flat;
  int free = 0;                 // coordinates t, as many as conditions on n
  Vec3 origin = Vec3::Zero();   // of a flat part; of a rim: its centre
  std::array<Vec3, 2> along{};  // of a flat part: orthonormal
  Vec3 size = Vec3::Zero();     // as Convex::half
  Eigen::Vector2d t = Eigen::Vector2d::Zero();

  bool operator==(const SurfacePart& other) const {
    return form == other.form && free == other.free && origin == other.origin;
  }
};

// The point at (n, t), its derivatives, and the conditions c(n) = 0 with theirs.
struct PartValue {
  Vec3 point;
  Mat3 by_normal = Mat3::Zero();
  std::array<Vec3, 2> by_t{};
  std::array<double, 2> condition{};
  std::array<Vec3, 2> condition_by_normal{};
};

PartValue evaluate(const SurfacePart& part, const Vec3& n);

// The part that faces n near the point p: the largest whose normals are within `angle` of n, so that an angle
// of zero gives vertices and rims.
SurfacePart part_facing(const Convex& c, const Vec3& n, const Vec3& p, double angle);

// Is p in the core, up to a distance?
bool contains(const Convex& c, const Vec3& p, double tolerance);

}  // namespace hardpan::geometry
