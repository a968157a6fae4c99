// The space that grains live in: endless, or repeating itself along some axes.
#pragma once

#include <array>
#include <cmath>

#include "hardpan/grains/columns.h"

namespace hardpan::grains {

// One axis: where it repeats, the place `low + length` is the place `low`.
struct Axis {
  bool periodic = false;
  double low = 0, length = 0;  // m

  // The shortest of the ways that lead to the same place.
  double shortest(double way) const { return periodic ? way - length * std::round(way / length) : way; }
  double wrapped(double x) const {
    if (!periodic) return x;
    const double y = x - length * std::floor((x - low) / length);
    return y < low + length ? y : low;  // rounding up
  }
};

struct Space {
  std::array<Axis, 3> axes;

  Vec shortest(const Vec& way) const {
    return {axes[0].shortest(way.x), axes[1].shortest(way.y), axes[2].shortest(way.z)};
  }
};

}  // namespace hardpan::grains
