// The point of a simplex (one to four points) that is nearest to the origin.
#pragma once

#include <array>

#include "hardpan/math/types.h"

namespace hardpan::geometry {

// A point w = b - a of the Minkowski difference B - A, and the two points that it comes from.
struct DifferencePoint {
  Vec3 w, a, b;
};

struct Simplex {
  int count = 0;
  std::array<DifferencePoint, 4> points;
  std::array<double, 4> weight{};
  Vec3 nearest = Vec3::Zero();

  const Vec3& w(int k) const { return points[static_cast<std::size_t>(k)].w; }
  template <class Member>
  Vec3 blend(Member member) const {
    Vec3 sum = Vec3::Zero();
    for (std::size_t k = 0; k < static_cast<std::size_t>(count); ++k) sum += weight[k] * points[k].*member;
    return sum;
  }
};

// Cuts the simplex down to the smallest face that holds the nearest point and sets the weights. False if the
// origin is inside of the tetrahedron, which then stays whole.
//
// Region tests fail for slivers, so a face or edge is chosen by distance among all that could hold the point
// (after Ericson 2005, 5.1; the robust form compares candidates instead of trusting signs).
bool nearest_of_simplex(Simplex& simplex);

}  // namespace hardpan::geometry
