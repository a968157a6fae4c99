// Dry friction along an axis: |f| <= F, sticking where it can: bearings, brakes, clutches, limited slip.
//
//     F = capacity(t) + coefficient * load        load: force through the joint in the last step
//
// What sticks hangs on a stiff spring whose deflection is part of the state: held by a steady force it does
// not creep (on a fast arm the drift of third order may exceed what the stick can stretch). Sliding keeps the
// deflection where the spring has the sliding force. The deflection follows the motion over a step
// (AxisState::moved): a difference from an anchor would carry the rounding of the place, which is large after
// many turns. The row forgets the rate it starts with, so that what stops, stops within a step.
#pragma once

#include "hardpan/math/curve.h"
#include "hardpan/multibody/coupling.h"

namespace hardpan::multibody {

struct Friction {
  static constexpr std::string_view kind = "friction";
  static constexpr std::size_t memory_size = 1;  // deflection of the stick, m or rad

  std::string name;
  std::array<Axis, 1> axes;
  Curve capacity;          // N or N m over time, s
  double coefficient = 0;  // of the load: mu, or mu times the radius of a bearing in m
  Rigidity rigidity;       // of the stick

  std::size_t rows() const { return 1; }
  void evaluate(const CouplingInput& in, std::span<const double> memory, std::span<Law> out) const {
    make_rigid(out[0], memory[0], rigidity);
    out[0].account = Account::friction;
    out[0].upper = std::max(0.0, capacity.value(in.time)) + coefficient * in.load;
    out[0].lower = -out[0].upper;
    out[0].dead_stop = true;
  }
  void begin(const CouplingInput&, std::span<double> memory) const { memory[0] = 0; }
  void remember(const CouplingInput& in, std::span<const Law> law, std::span<const double> forces,
                std::span<double> memory) const {
    const double reach = rigidity.compliance * law[0].upper;
    const bool slides = std::abs(forces[0]) >= law[0].upper * (1 - 1e-12);
    const double deflection = slides ? -rigidity.compliance * forces[0] : memory[0] + in.axes[0].moved;
    memory[0] = std::clamp(deflection, -reach, reach);
  }
};

}  // namespace hardpan::multibody
