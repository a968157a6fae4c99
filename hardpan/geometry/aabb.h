// Boxes along the world axes, for quick answers to "can these two touch?".
#pragma once

#include <limits>

#include "hardpan/geometry/shape.h"

namespace hardpan::geometry {

// Empty by default: merged with it, another box stays as it is.
struct Aabb {
  Vec3 low = Vec3::Constant(std::numeric_limits<double>::infinity());
  Vec3 high = Vec3::Constant(-std::numeric_limits<double>::infinity());

  // Touching counts. One branch instead of six, none of which could be foreseen: twice as quick in a pile.
  bool overlaps(const Aabb& other) const {
    bool yes = true;
    for (int k = 0; k < 3; ++k) yes &= (low[k] <= other.high[k]) & (other.low[k] <= high[k]);
    return yes;
  }
  Aabb expanded(double margin) const { return {low.array() - margin, high.array() + margin}; }
  Aabb merged(const Aabb& other) const { return {low.cwiseMin(other.low), high.cwiseMax(other.high)}; }
  Aabb merged(const Vec3& point) const { return {low.cwiseMin(point), high.cwiseMax(point)}; }
};

// The smallest box around a shape, in the world. Planes and height fields are infinite downwards, so a tilted
// one is infinite along the other axes too.
Aabb bounds(const Shape& shape, const Pose& pose);

}  // namespace hardpan::geometry
