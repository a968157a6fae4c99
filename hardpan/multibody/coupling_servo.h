// A servo that presses a wall against soil with a given stress. Its first axis is the way of the wall into
// the soil; the two others are the ways by which the sides of the pressed face have become shorter:
//
//     F* = p (l_1 - x_1) (l_2 - x_2),     v = w + a (F* - F)/(k h),     |v| <= v_max
//
// with F the force of the soil against the wall (mean over the last step), k the stiffness of all that
// touches it, and h the step. Soil that is as stiff as its contacts alone takes the error e = F* - F by
//
//     e_{n+1} = e_n - a (3 e_{n-1} - e_{n-2})/2,     stable for a < sqrt(8) - 2 = 0.83
//
// since a force is known after its step, and grains see walls move with the speed of the step before. Soil is
// softer than that by a share s, and the error fades with the time h/(s a). In soil that flows the wall has
// to keep moving: w learns its speed, w' = b (F* - F)/(k h^2), or an error of k h v/a would stay. With that
// the error is an oscillator of damping ratio (a/2) sqrt(s/b): b = a^2/40 for soil with s = 1/20, about that
// of a sample 20 grains long. Where nothing touches, the wall moves with v_max. Instead of a stress it may
// have a speed: then it is a motor.
#pragma once

#include <algorithm>
#include <cmath>

#include "hardpan/math/curve.h"
#include "hardpan/multibody/coupling.h"

namespace hardpan::multibody {

struct Servo {
  static constexpr std::string_view kind = "servo";
  static constexpr std::size_t memory_size = 2;  // v and w into the soil, m/s

  std::string name;
  std::array<Axis, 3> axes;       // the wall; sides of the face
  std::array<double, 2> sides{};  // l, > 0, m
  Curve stress;                   // p over time, Pa; empty: by speed
  Curve speed;                    // m/s over time
  double gain = 0.3;              // a
  double max_speed = 0.1;         // m/s
  Rigidity rigidity;

  std::size_t rows() const { return 1; }
  void evaluate(const CouplingInput& in, std::span<const double> memory, std::span<Law> out) const {
    make_rate(out[0], rigidity);
    out[0].speed = stress.empty() ? speed.value(in.time) : memory[0];
    out[0].account = Account::motor;
  }
  void begin(const CouplingInput&, std::span<double> memory) const { memory[0] = memory[1] = 0; }
  void remember(const CouplingInput& in, std::span<const Law>, std::span<const double>,
                std::span<double> memory) const {
    if (stress.empty()) return;
    const double face = (sides[0] - in.axes[1].value) * (sides[1] - in.axes[2].value);
    const double missing = stress.value(in.time) * face + in.pushed;
    if (!(in.stiffness > 0)) {
      memory[0] = std::copysign(max_speed, missing);
      memory[1] = 0;
      return;
    }
    const double speed_for_all = missing / (in.stiffness * in.h);  // would make it good in one step
    const double speed_now = memory[1] + gain * speed_for_all;
    memory[0] = std::clamp(speed_now, -max_speed, max_speed);
    if (memory[0] == speed_now) memory[1] += gain * gain / 40 * speed_for_all;
  }
};

}  // namespace hardpan::multibody
