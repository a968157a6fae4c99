// How much a neighbour counts in a fit: (1 - r^2)^3, r its distance over the reach.
#pragma once

#include <algorithm>

#include "hardpan/math/types.h"

namespace hardpan::meshfree {

inline double weight(const Vec3& y) {
  const double left = std::max(0.0, 1 - y.squaredNorm());
  return left * left * left;
}
// As the place of the fit moves, times the reach.
inline Vec3 weight_slope(const Vec3& y) {
  const double left = std::max(0.0, 1 - y.squaredNorm());
  return 6 * left * left * y;
}

}  // namespace hardpan::meshfree
