// The space that grains live in: endless, or repeating itself along some axes.
#pragma once

#include <array>
#include <cmath>

#include "hardpan/grains/columns.h"

namespace hardpan::grains {

// To the nearest whole number, for numbers and packs of them, below 2^51.
template <class T>
T to_whole(const T& x) {
  constexpr double large = 0x1.8p52;  // whose last digit is one
  return (x + T(large)) - T(large);
}

// One axis: where it repeats, the place `low + length` is the place `low`.
struct Axis {
  bool periodic = false;
  double low = 0, length = 0;  // m

  // The shortest of the ways that lead to the same place.
  template <class T>
  T shortest(const T& way) const {
    return periodic ? T(way - length * to_whole(T(way / T(length)))) : way;
  }
  double wrapped(double x) const {
    if (!periodic) return x;
    const double y = x - length * std::floor((x - low) / length);
    return y < low + length ? y : low;  // rounding up
  }
};

struct Space {
  std::array<Axis, 3> axes;

  Vec wrapped(const Vec& at) const {
    return {axes[0].wrapped(at.x), axes[1].wrapped(at.y), axes[2].wrapped(at.z)};
  }
  bool periodic() const { return axes[0].periodic || axes[1].periodic || axes[2].periodic; }
  template <class T>
  Vector3<T> shortest(const Vector3<T>& way) const {
    return {axes[0].shortest(way.x), axes[1].shortest(way.y), axes[2].shortest(way.z)};
  }
};

}  // namespace hardpan::grains
