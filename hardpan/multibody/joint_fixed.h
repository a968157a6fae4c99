// Fixed: two bodies welded together (six rows). The rotation is held by 2 sin(theta/2) n, which is zero for
// the right orientation only.
#pragma once

#include "hardpan/multibody/joint_frames.h"

namespace hardpan::multibody {

struct FixedJoint : JointFrames {
  static constexpr std::string_view kind = "fixed";
  static constexpr std::size_t memory_size = 0;
  static constexpr auto coordinates = no_coordinates;

  Rigidity rigidity = {};  // of the point
  Rigidity tilt = {};      // of the rotation

  std::size_t rows() const { return 6; }
  void remember(const Pose&, const Pose&, std::span<double>) const {}
  void measure(const Pose&, const Pose&, std::span<const double>, std::span<Relation>) const {}
  void evaluate(const Pose& A, const Pose& B, std::span<const double>, std::span<Row> out) const {
    const Quat rotation = rotation_between(A, B, frame_A, frame_B);
    for (int i = 0; i < 3; ++i) {
      Row &point = out[static_cast<std::size_t>(i)], &turn = out[static_cast<std::size_t>(3 + i)];
      along(point, A, B, i);
      make_rigid(point, rigidity);
      rotation_about(turn, A, frame_A, rotation, i);
      make_rigid(turn, tilt);
    }
  }
};

}  // namespace hardpan::multibody
