// One-way (overrunning) clutch along the axis x = q_driven - q_driver: the driven side may run ahead, the
// driver may not: dx/dt >= 0 with a force f >= 0. It locks where it is, without backlash: a row on the rate.
#pragma once

#include "hardpan/multibody/coupling.h"

namespace hardpan::multibody {

struct OneWay {
  static constexpr std::string_view kind = "one-way";
  static constexpr std::size_t memory_size = 1;  // the furthest x so far, rad

  std::string name;
  std::array<Axis, 1> axes;
  Rigidity rigidity;

  std::size_t rows() const { return 1; }
  void evaluate(const CouplingInput& in, std::span<const double> memory, std::span<Law> out) const {
    make_rigid(out[0], in.axes[0].value - memory[0], rigidity);
    out[0].lower = 0;
    out[0].dead_stop = true;
  }
  void begin(const CouplingInput& in, std::span<double> memory) const { memory[0] = in.axes[0].value; }
  void remember(const CouplingInput& in, std::span<const Law>, std::span<const double>,
                std::span<double> memory) const {
    memory[0] = std::max(memory[0], in.axes[0].value);
  }
};

}  // namespace hardpan::multibody
