// Ball joint: a point of A and a point of B coincide (three rows).
#pragma once

#include "hardpan/multibody/joint.h"
#include "hardpan/multibody/kernels.h"

namespace hardpan::multibody {

struct BallJoint {
  static constexpr std::string_view kind = "ball";
  static constexpr std::size_t memory_size = 0;
  static constexpr auto coordinates = no_coordinates;

  JointEnds ends;
  Vec3 s_A, s_B;  // the point in body coordinates, m
  Rigidity rigidity;

  std::size_t rows() const { return 3; }
  void remember(const Pose&, const Pose&, std::span<double>) const {}
  void measure(const Pose&, const Pose&, std::span<const double>, std::span<Relation>) const {}
  void evaluate(const Pose& A, const Pose& B, std::span<const double>, std::span<Row> out) const {
    for (int i = 0; i < 3; ++i) {
      Row& row = out[static_cast<std::size_t>(i)];
      point_on_point(row, A, B, s_A, s_B, Vec3::Unit(i));
      make_rigid(row, rigidity);
    }
  }
};

}  // namespace hardpan::multibody
