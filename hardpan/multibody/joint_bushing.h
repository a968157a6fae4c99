// Bushing: six springs and dampers between two frames, three along and three about the axes of A's frame (six
// rows, booked as springs). The rotation is measured by 2 sin(theta/2) n: the rotation vector up to
// theta^3/24, 1 % at 28 degrees, softer beyond; energy is kept at any angle.
#pragma once

#include "hardpan/multibody/joint_frames.h"

namespace hardpan::multibody {

struct BushingJoint : JointFrames {
  static constexpr std::string_view kind = "bushing";
  static constexpr std::size_t memory_size = 0;
  static constexpr auto coordinates = no_coordinates;

  Vec3 stiffness = Vec3::Zero();          // >= 0, N/m
  Vec3 damping = Vec3::Zero();            // >= 0, N s/m
  Vec3 angular_stiffness = Vec3::Zero();  // >= 0, N m/rad
  Vec3 angular_damping = Vec3::Zero();    // >= 0, N m s/rad

  std::size_t rows() const { return 6; }
  void remember(const Pose&, const Pose&, std::span<double>) const {}
  void measure(const Pose&, const Pose&, std::span<const double>, std::span<Relation>) const {}
  void evaluate(const Pose& A, const Pose& B, std::span<const double>, std::span<Row> out) const {
    const Quat rotation = rotation_between(A, B, frame_A, frame_B);
    for (int i = 0; i < 3; ++i) {
      Row &way = out[static_cast<std::size_t>(i)], &turn = out[static_cast<std::size_t>(3 + i)];
      along(way, A, B, i);
      make_spring(way, way.value, stiffness[i], damping[i]);
      rotation_about(turn, A, frame_A, rotation, i);
      make_spring(turn, turn.value, angular_stiffness[i], angular_damping[i]);
    }
  }
};

}  // namespace hardpan::multibody
