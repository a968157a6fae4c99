// Slider (prismatic): B moves along an axis fixed in A and does not turn (five rows). Its coordinate is the
// displacement z_A . (p_B - p_A). The guiding forces act at B's point on both bodies.
#pragma once

#include "hardpan/multibody/joint_frames.h"

namespace hardpan::multibody {

struct SliderJoint : JointFrames {
  static constexpr std::string_view kind = "slider";
  static constexpr std::size_t memory_size = 0;
  static constexpr std::array<CoordinateName, 1> coordinates = {{{"displacement", Measure::length}}};

  Rigidity rigidity = {};  // of the point
  Rigidity tilt = {};      // of the rotation

  std::size_t rows() const { return 5; }
  void remember(const Pose&, const Pose&, std::span<double>) const {}
  void evaluate(const Pose& A, const Pose& B, std::span<const double>, std::span<Row> out) const {
    for (int i = 0; i < 2; ++i) {
      Row& row = out[static_cast<std::size_t>(i)];
      along(row, A, B, i);
      make_rigid(row, rigidity);
    }
    const Quat rotation = rotation_between(A, B, frame_A, frame_B);
    for (int i = 0; i < 3; ++i) {
      Row& row = out[static_cast<std::size_t>(2 + i)];
      rotation_about(row, A, frame_A, rotation, i);
      make_rigid(row, tilt);
    }
  }
  void measure(const Pose& A, const Pose& B, std::span<const double>, std::span<Relation> out) const {
    along(out[0], A, B, 2);
  }
};

}  // namespace hardpan::multibody
