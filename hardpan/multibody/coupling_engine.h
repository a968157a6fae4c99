// An engine: torque by a map over speed times the throttle, less the drag that grows with speed:
//
//     T(w, t) = throttle(t) full(w) - (1 - throttle(t)) drag(w)
//
// `full` is the brake torque at full throttle (drag already taken off, as test benches report it), `drag` the
// torque that motors the closed engine. Taken implicitly by the slope of T where it falls with speed. A map
// is level beyond its ends; an engine held at its last speed needs a last point with torque zero or less.
#pragma once

#include "hardpan/math/curve.h"
#include "hardpan/multibody/coupling.h"

namespace hardpan::multibody {

struct Engine {
  static constexpr std::string_view kind = "engine";
  static constexpr std::size_t memory_size = 0;

  std::string name;
  std::array<Axis, 1> axes;
  Curve full;      // N m over rad/s
  Curve drag;      // N m over rad/s, >= 0 resists
  Curve throttle;  // 0 to 1 over time

  std::size_t rows() const { return 1; }
  void evaluate(const CouplingInput& in, std::span<const double>, std::span<Law> out) const {
    const double w = in.axes[0].rate, open = std::clamp(throttle.value(in.time), 0.0, 1.0);
    const double torque = open * full.value(w) - (1 - open) * drag.value(w);
    const double slope = open * full.slope(w) - (1 - open) * drag.slope(w);
    out[0].account = Account::motor;
    out[0].damping = std::max(0.0, -slope);
    out[0].force = torque + out[0].damping * w;
  }
  void begin(const CouplingInput&, std::span<double>) const {}
  void remember(const CouplingInput&, std::span<const Law>, std::span<const double>,
                std::span<double>) const {}
};

}  // namespace hardpan::multibody
