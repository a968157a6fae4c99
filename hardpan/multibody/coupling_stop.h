// Stops at the ends of a way: lower <= x <= upper. A stop pushes only while it is reached (x beyond it), as a
// compliant row with a one-sided force; the impact that reaches it is a stage of its own with Newton's
// restitution, rate+ = -e rate- (system_impact.cpp).
#pragma once

#include "hardpan/multibody/coupling.h"

namespace hardpan::multibody {

struct Stop {
  static constexpr std::string_view kind = "stop";
  static constexpr std::size_t memory_size = 0;

  std::string name;
  std::array<Axis, 1> axes;
  double lower = -infinite, upper = infinite;  // m or rad
  double restitution = 0;                      // 0 to 1
  Rigidity rigidity;

  std::size_t rows() const { return 2; }
  void evaluate(const CouplingInput& in, std::span<const double>, std::span<Law> out) const {
    const double x = in.axes[0].value;
    side(out[0], x - lower, x <= lower, 0, infinite);
    side(out[1], x - upper, x >= upper, -infinite, 0);
  }
  void begin(const CouplingInput&, std::span<double>) const {}
  void remember(std::span<const AxisState>, std::span<const Law>, std::span<const double>,
                std::span<double>) const {}

 private:
  void side(Law& law, double violation, bool reached, double least, double most) const {
    make_rigid(law, reached ? violation : 0.0, rigidity);
    law.lower = reached ? least : 0.0;
    law.upper = reached ? most : 0.0;
    law.restitution = reached ? restitution : -1.0;
  }
};

}  // namespace hardpan::multibody
