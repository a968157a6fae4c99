// What acts along coordinates: springs, stops, friction, motors, gears, clutches and whatever else a
// driveline has. A coupling has one or more axes (sums of coordinates of joints and shafts) and rows of laws
// along them. Couplings of one kind live in one pool (couplings.h).
//
//   rows()      how many laws it has; row i acts along axis i, or all along the only one
//   evaluate()  its laws at the present positions and speeds
//   begin(), remember()  optional memory (the deflection of a stick, the place of a ratchet)
#pragma once

#include <array>
#include <concepts>
#include <span>
#include <string>
#include <string_view>

#include "hardpan/multibody/coordinate.h"
#include "hardpan/multibody/row.h"

namespace hardpan::multibody {

struct AxisState {
  double value = 0;  // m or rad
  double rate = 0;   // m/s or rad/s
  double moved = 0;  // in the last step, m or rad; of shafts h times the speed, free of the angle's rounding
};

struct CouplingInput {
  double time = 0;  // at the end of the step, s
  double h = 0;     // s
  std::span<const AxisState> axes;
  double load = 0;  // force through the joint in the last step, where the kind asks for it, N
  // Likewise, of soil on the second body of the joint: force along the first axis in the step, N, and the
  // stiffness of all that touches, N/m.
  double pushed = 0, stiffness = 0;
};

template <class K>
concept CouplingKind = requires(const K& coupling, const CouplingInput& input, std::span<const double> memory,
                                std::span<double> next, std::span<Law> laws, std::span<const Law> present,
                                std::span<const double> forces) {
  { K::kind } -> std::convertible_to<std::string_view>;
  { K::memory_size } -> std::convertible_to<std::size_t>;
  { coupling.name } -> std::convertible_to<std::string>;
  { coupling.axes.size() } -> std::convertible_to<std::size_t>;
  { coupling.rows() } -> std::same_as<std::size_t>;
  coupling.evaluate(input, memory, laws);
  coupling.begin(input, next);                      // before the first step
  coupling.remember(input, present, forces, next);  // after every step: where it is now, what acted
};

}  // namespace hardpan::multibody
