// Spring and damper along an axis:  f = -k (x - rest) - c dx/dt,  or by curves  f = -F(x) - C(dx/dt).
//
// A curve is taken implicitly by its tangent: F(x+) is F(x) + F'(x)(x+ - x) where it stiffens, which is the
// row of a spring F' that is now stretched by F/F'. Where a curve does not rise, its force is taken as it is.
// Stored energy of a curve: the integral of F from `rest`.
#pragma once

#include "hardpan/math/curve.h"
#include "hardpan/multibody/coupling.h"

namespace hardpan::multibody {

struct Elastic {
  static constexpr std::string_view kind = "spring";
  static constexpr std::size_t memory_size = 0;

  std::string name;
  std::array<Axis, 1> axes;
  double stiffness = 0;  // >= 0, N/m or N m/rad
  double damping = 0;    // >= 0, N s/m or N m s/rad
  double rest = 0;       // m or rad
  Curve spring;          // force that resists over x, instead of stiffness
  Curve damper;          // force that resists over rate, instead of damping

  std::size_t rows() const { return damper.empty() ? 1 : 2; }

  void evaluate(const CouplingInput& in, std::span<const double>, std::span<Law> out) const {
    const double x = in.axes[0].value;
    if (spring.empty())
      make_spring(out[0], x - rest, stiffness, damping);
    else
      along_curve(out[0], x);
    if (damper.empty()) return;
    const double rate = in.axes[0].rate, slope = std::max(0.0, damper.slope(rate));
    out[1].account = Account::spring;
    out[1].force = slope * rate - damper.value(rate);
    out[1].damping = slope;
    out[1].resists = true;
  }
  void begin(const CouplingInput&, std::span<double>) const {}
  void remember(const CouplingInput&, std::span<const Law>, std::span<const double>,
                std::span<double>) const {}

 private:
  void along_curve(Law& law, double x) const {
    const double force = spring.value(x), slope = spring.slope(x);
    if (slope > 0) {
      make_spring(law, force / slope, slope, damping);
    } else {
      law.account = Account::spring;
      law.force = -force;
      law.damping = damping;
    }
    law.stored = spring.integral(rest, x);
  }
};

}  // namespace hardpan::multibody
