// Motors along an axis, with a bound on their force, which may change: 0 lets go.
//
//     speed     rate = target(t), rigid within the bound
//     position  x = target(t), a stiff spring and damper within the bound
//     force     f = target(t)
#pragma once

#include "hardpan/math/curve.h"
#include "hardpan/multibody/coupling.h"

namespace hardpan::multibody {

struct Motor {
  enum class Mode { speed, position, force };
  static constexpr std::string_view kind = "motor";
  static constexpr std::size_t memory_size = 0;

  std::string name;
  std::array<Axis, 1> axes;
  Mode mode = Mode::speed;
  Curve target;                 // over time: m/s or rad/s; m or rad; N or N m
  double max_force = infinite;  // N or N m
  Rigidity rigidity;            // soft: a servo with gains of its own
  Curve bound = {};             // over time, >= 0, N or N m; empty: max_force

  std::size_t rows() const { return 1; }
  void evaluate(const CouplingInput& in, std::span<const double>, std::span<Law> out) const {
    Law& law = out[0];
    const double most = bound.empty() ? max_force : bound.value(in.time);
    if (mode == Mode::force) {
      law.force = std::clamp(target.value(in.time), -most, most);
    } else if (mode == Mode::speed) {
      make_rate(law, rigidity);
      law.speed = target.value(in.time);
    } else {
      const double before = target.value(in.time - in.h);
      make_rigid(law, in.axes[0].value - before, rigidity);
      law.speed = in.h > 0 ? (target.value(in.time) - before) / in.h : 0.0;
    }
    law.account = Account::motor;
    law.lower = -most;
    law.upper = most;
  }
  void begin(const CouplingInput&, std::span<double>) const {}
  void remember(const CouplingInput&, std::span<const Law>, std::span<const double>,
                std::span<double>) const {}
};

}  // namespace hardpan::multibody
