// Hydrodynamic torque converter between pump p and turbine t, by the two tables that its makers measure over
// the speed ratio nu = w_t/w_p: the capacity factor K, in (rad/s)/sqrt(N m), and the torque ratio mu:
//
//     T_p = (w_p/K(nu))^2 sign(w_p) opposes the pump,   T_t = mu(nu) T_p drives the turbine.
//
// When the turbine outruns the pump (nu > 1) the roles change: the turbine then drives with nu' = w_p/w_t,
// the pump receives T_p = (w_t/K(nu'))^2, and the torque ratio is one: a coupling. At equal speeds a
// converter carries no torque: beyond the last point of the table, at nu_n < 1, the coefficient 1/K^2 falls
// straight to zero at nu = 1. Each side is taken implicitly in its own speed by central differences of its
// torque.
#pragma once

#include "hardpan/math/curve.h"
#include "hardpan/multibody/coupling.h"

namespace hardpan::multibody {

struct Converter {
  static constexpr std::string_view kind = "converter";
  static constexpr std::size_t memory_size = 0;

  std::string name;
  std::array<Axis, 2> axes;  // pump, turbine
  Curve capacity;            // K over nu in [0, 1), (rad/s)/sqrt(N m)
  Curve torque_ratio;        // mu over nu in [0, 1]

  struct Torques {
    double pump, turbine;  // on the pump, on the turbine, N m
  };
  Torques torques(double w_p, double w_t) const {
    if (w_p == 0 && w_t == 0) return {0, 0};
    if (std::abs(w_t) <= std::abs(w_p)) {
      const double nu = std::max(0.0, w_t / w_p), through = coefficient(nu) * square(w_p);
      return {-through, torque_ratio.value(nu) * through};
    }
    const double through = coefficient(std::max(0.0, w_p / w_t)) * square(w_t);
    return {through, -through};
  }

  std::size_t rows() const { return 2; }
  void evaluate(const CouplingInput& in, std::span<const double>, std::span<Law> out) const {
    const double w_p = in.axes[0].rate, w_t = in.axes[1].rate;
    const double d = 1e-6 * (1 + std::abs(w_p) + std::abs(w_t));
    const Torques now = torques(w_p, w_t);
    const double pump_slope = (torques(w_p + d, w_t).pump - torques(w_p - d, w_t).pump) / (2 * d);
    const double turbine_slope = (torques(w_p, w_t + d).turbine - torques(w_p, w_t - d).turbine) / (2 * d);
    side(out[0], now.pump, pump_slope, w_p);
    side(out[1], now.turbine, turbine_slope, w_t);
  }
  void begin(const CouplingInput&, std::span<double>) const {}
  void remember(const CouplingInput&, std::span<const Law>, std::span<const double>,
                std::span<double>) const {}

 private:
  double coefficient(double nu) const {  // 1/K^2, N m/(rad/s)^2
    const double last = capacity.points().back().x, K = capacity.value(nu);
    return (nu <= last ? 1.0 : (1.0 - nu) / (1.0 - last)) / (K * K);
  }
  static double square(double x) { return x * std::abs(x); }
  static void side(Law& law, double torque, double slope, double w) {
    law.account = Account::friction;
    law.damping = std::max(0.0, -slope);
    law.force = torque + law.damping * w;
  }
};

}  // namespace hardpan::multibody
