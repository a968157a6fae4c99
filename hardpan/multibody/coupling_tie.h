// A rigid relation between coordinates, x = sum of c_i q_i = x0, with a compliance: gears, racks, screws,
// differentials and planetary sets, a shaft on a joint.
//
//     gear            q_1 - i q_2                          i: turns of the first per turn of the second
//     rack, pinion    s - r q
//     differential    q_in - i (q_left + q_right)/2
//     planetary       z_s q_s + z_r q_r - (z_s + z_r) q_c  (Willis), z: teeth of sun and ring
//
// `offset` is x at the start, so that an assembled train starts without load.
#pragma once

#include "hardpan/multibody/coupling.h"

namespace hardpan::multibody {

struct Tie {
  static constexpr std::string_view kind = "tie";
  static constexpr std::size_t memory_size = 1;  // x at the start

  std::string name;
  std::array<Axis, 1> axes;
  Rigidity rigidity;

  std::size_t rows() const { return 1; }
  void evaluate(const CouplingInput& in, std::span<const double> memory, std::span<Law> out) const {
    make_rigid(out[0], in.axes[0].value - memory[0], rigidity);
  }
  void begin(const CouplingInput& in, std::span<double> memory) const { memory[0] = in.axes[0].value; }
  void remember(const CouplingInput&, std::span<const Law>, std::span<const double>,
                std::span<double>) const {}
};

}  // namespace hardpan::multibody
