// Rotations: the cross product and its matrix, quaternions, and the Cayley map.
#pragma once

#include <cmath>

#include "hardpan/math/types.h"

namespace hardpan {

// a x b, the numbers of Eigen's. That writes them one by one, and who then reads two at once waits until they
// have gone through memory.
inline Vec3 cross(const Vec3& a, const Vec3& b) {
  using Pair [[gnu::vector_size(16), gnu::may_alias, gnu::aligned(8)]] = double;
  Vec3 c;
  *reinterpret_cast<Pair*>(c.data()) = Pair{a.y() * b.z() - a.z() * b.y(), a.z() * b.x() - a.x() * b.z()};
  c.z() = a.x() * b.y() - a.y() * b.x();
  return c;
}

// q v, likewise.
inline Vec3 rotate(const Quat& q, const Vec3& v) {
  const Vec3 axis = q.vec();
  Vec3 twice = cross(axis, v);
  twice += twice;
  return v + q.w() * twice + cross(axis, twice);
}

// skew(a) b = a x b
inline Mat3 skew(const Vec3& a) {
  Mat3 m;
  m << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
  return m;
}

// The rotation cay(r) = (1 - skew(r)/2)^-1 (1 + skew(r)/2) as a unit quaternion; r is the rotation vector of
// the step, h omega. It turns by 2 atan(|r|/2), which is |r| up to |r|^3/12.
inline Quat cayley(const Vec3& r) {
  const Vec3 half = 0.5 * r;
  const double w = 1.0 / std::sqrt(1.0 + half.squaredNorm());
  return {w, w * half.x(), w * half.y(), w * half.z()};
}

// Any two unit vectors that make a right-handed orthonormal frame (t1, t2, n) with the unit vector n.
inline void tangents(const Vec3& n, Vec3& t1, Vec3& t2) {
  if (std::abs(n.x()) < 0.6) {  // along e_x x n
    const double length = std::sqrt(n.y() * n.y() + n.z() * n.z()), y = -n.z() / length, z = n.y() / length;
    t1 = {0, y, z};
    t2 = {n.y() * z - n.z() * y, -n.x() * z, n.x() * y};
  } else {  // along e_y x n
    const double length = std::sqrt(n.x() * n.x() + n.z() * n.z()), x = n.z() / length, z = -n.x() / length;
    t1 = {x, 0, z};
    t2 = {n.y() * z, n.z() * x - n.x() * z, -n.y() * x};
  }
}

}  // namespace hardpan
