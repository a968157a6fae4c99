// Spring and damper along the line between a point of A and a point of B: f = -k (|d| - length) - c d|d|/dt,
// taken implicitly (one row): no stiffness makes the motion along the line unstable. Across the line a tense
// spring acts with T/|d|, which is explicit: h < 2 / sqrt(T/(m |d|)).
#pragma once

#include "hardpan/multibody/joint.h"
#include "hardpan/multibody/kernels.h"

namespace hardpan::multibody {

struct SpringJoint {
  static constexpr std::string_view kind = "spring";
  static constexpr std::size_t memory_size = 0;

  JointEnds ends;
  Vec3 s_A, s_B;     // the end points in body coordinates, m
  double length;     // natural length, >= 0, m
  double stiffness;  // >= 0, N/m
  double damping;    // >= 0, N s/m; not both zero

  std::size_t rows() const { return 1; }
  void remember(const Pose&, const Pose&, std::span<double>) const {}
  void evaluate(const Pose& A, const Pose& B, std::span<const double>, std::span<Row> out) const {
    distance(out[0], A, B, s_A, s_B, length);
    make_spring(out[0], stiffness, damping);
  }
};

}  // namespace hardpan::multibody
