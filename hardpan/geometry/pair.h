// Two convex shapes in the frame of the first, and what is known of their contact there.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "hardpan/geometry/support.h"

namespace hardpan::geometry {

struct Pair {
  const Convex& a;
  const Convex& b;
  Mat3 r;        // from the frame of B to that of A
  Vec3 t;        // origin of B in A
  double size;   // of the larger core: what rounding is relative to
  double small;  // of the smaller shape, with its radius

  Pair(const Convex& first, const Pose& pose_a, const Convex& second, const Pose& pose_b)
      : a(first),
        b(second),
        r((pose_a.q.conjugate() * pose_b.q).toRotationMatrix()),
        t(pose_a.local_point(pose_b.x)),
        size(extent(a)),
        small(extent(b)) {
    const double whole_a = size + a.radius, whole_b = small + b.radius;
    size = std::max(size, small);
    small = std::min(whole_a, whole_b);
  }

  Vec3 support_a(const Vec3& d) const { return support(a, d); }
  Vec3 support_b(const Vec3& d) const { return r * support(b, r.transpose() * d) + t; }
};

// The closest points of the cores, or the shortest way out when they overlap. The gap of the shapes is less
// by the two radii.
struct Witness {
  Vec3 normal;      // unit, from A towards B
  Vec3 on_a, on_b;  // on_b - on_a = gap normal
  double gap;
};

struct LocalPoint {
  Vec3 normal;
  Vec3 on_a;
  double gap;
  std::uint32_t part_a, part_b;
};

struct LocalPoints {
  static constexpr int most = 2 * Feature::most + 4;
  int count = 0;
  std::array<LocalPoint, most> points;

  void add(const LocalPoint& p) { points[static_cast<std::size_t>(count++)] = p; }
  LocalPoint& operator[](int k) { return points[static_cast<std::size_t>(k)]; }
  const LocalPoint& operator[](int k) const { return points[static_cast<std::size_t>(k)]; }
  double least_gap() const {
    double least = HUGE_VAL;
    for (int k = 0; k < count; ++k) least = std::min(least, (*this)[k].gap);
    return least;
  }
};

}  // namespace hardpan::geometry
