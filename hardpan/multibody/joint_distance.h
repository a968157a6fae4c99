// Distance joint: a massless rigid rod between a point of A and a point of B (one row).
#pragma once

#include "hardpan/multibody/joint.h"
#include "hardpan/multibody/kernels.h"

namespace hardpan::multibody {

struct DistanceJoint {
  static constexpr std::string_view kind = "distance";
  static constexpr std::size_t memory_size = 0;
  static constexpr auto coordinates = no_coordinates;

  JointEnds ends;
  Vec3 s_A, s_B;  // the end points in body coordinates, m
  double length;  // > 0, m
  Rigidity rigidity;

  std::size_t rows() const { return 1; }
  void remember(const Pose&, const Pose&, std::span<double>) const {}
  void measure(const Pose&, const Pose&, std::span<const double>, std::span<Relation>) const {}
  void evaluate(const Pose& A, const Pose& B, std::span<const double>, std::span<Row> out) const {
    distance(out[0], A, B, s_A, s_B, length);
    make_rigid(out[0], rigidity);
  }
};

}  // namespace hardpan::multibody
