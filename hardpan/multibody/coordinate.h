// Coordinates: scalars that measure how far something has moved along a way it is free to go. Joints have
// them (the angle of a hinge, the displacement of a slider) and so have shafts (their angle). Springs, stops,
// friction, motors, gears and clutches act along coordinates, or along sums of them, and ask no further.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace hardpan::multibody {

enum class Measure { length, angle };  // m and N, or rad and N m

struct CoordinateName {
  std::string_view name;
  Measure measure;
};

// Which coordinate: of a joint (its pool, its place there, which of its coordinates) or of a shaft.
struct CoordinateRef {
  static constexpr std::size_t shafts = static_cast<std::size_t>(-1);
  std::size_t pool = shafts;
  std::size_t index = 0;
  std::size_t component = 0;

  static CoordinateRef shaft(std::size_t index) { return {shafts, index, 0}; }
};

// x = sum of factor * coordinate
struct Axis {
  struct Term {
    CoordinateRef coordinate;
    double factor = 1;
  };
  std::vector<Term> terms;
};

}  // namespace hardpan::multibody
