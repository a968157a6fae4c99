// Stops at the ends of a way: lower <= x <= upper. A stop pushes only while it is reached (x beyond it), as a
// compliant row with a one-sided force; the impact that reaches it is a stage of its own with Newton's
// restitution, rate+ = -e rate- (system_impact.cpp).
//
// The step finds the stop passed by up to rate h. Pushed back at once this would be a second rebound, and
// left alone what rests would sink: the depth at the impact is memory, the row holds there, and the depth is
// let go within seconds.
#pragma once

#include <algorithm>
#include <cmath>

#include "hardpan/multibody/coupling.h"

namespace hardpan::multibody {

struct Stop {
  static constexpr std::string_view kind = "stop";
  static constexpr std::size_t memory_size =
      2;  // depth below `lower` and above `upper` at the impact, m or rad

  static constexpr double letting_go = 1;  // s

  std::string name;
  std::array<Axis, 1> axes;
  double lower = -infinite, upper = infinite;  // m or rad
  double restitution = 0;                      // 0 to 1
  Rigidity rigidity;

  std::size_t rows() const { return 2; }
  void evaluate(const CouplingInput& in, std::span<const double> memory, std::span<Law> out) const {
    const double x = in.axes[0].value;
    side(out[0], x - lower + memory[0], x <= lower, 0, infinite);
    side(out[1], x - upper - memory[1], x >= upper, -infinite, 0);
  }
  void begin(const CouplingInput&, std::span<double>) const {}
  void remember(const CouplingInput& in, std::span<const Law> law, std::span<const double> forces,
                std::span<double> memory) const {
    const double depth[] = {lower - in.axes[0].value, in.axes[0].value - upper};
    for (std::size_t i = 0; i < 2; ++i) {
      const bool rests = forces[i] != 0 && !law[i].dead_stop;  // dead_stop: it has just been hit
      memory[i] = rests ? memory[i] * std::exp(-in.h / letting_go) : std::max(0.0, depth[i]);
    }
  }

 private:
  void side(Law& law, double violation, bool reached, double least, double most) const {
    make_rigid(law, reached ? violation : 0.0, rigidity);
    law.lower = reached ? least : 0.0;
    law.upper = reached ? most : 0.0;
    law.restitution = reached ? restitution : -1.0;
  }
};

}  // namespace hardpan::multibody
