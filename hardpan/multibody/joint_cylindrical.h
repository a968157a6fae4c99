// Cylindrical: B slides along an axis fixed in A and turns about it (four rows). Coordinates: the
// displacement and the angle, which counts turns and is memory.
#pragma once

#include "hardpan/multibody/joint_frames.h"

namespace hardpan::multibody {

struct CylindricalJoint : JointFrames {
  static constexpr std::string_view kind = "cylindrical";
  static constexpr std::size_t memory_size = 1;  // angle, rad
  static constexpr std::array<CoordinateName, 2> coordinates = {
      {{"displacement", Measure::length}, {"angle", Measure::angle}}};

  Rigidity rigidity = {};  // of the point
  Rigidity tilt = {};      // of the axis

  std::size_t rows() const { return 4; }
  void remember(const Pose& A, const Pose& B, std::span<double> memory) const {
    memory[0] = counted_turn(A, B, memory[0]);
  }
  void evaluate(const Pose& A, const Pose& B, std::span<const double>, std::span<Row> out) const {
    for (int i = 0; i < 2; ++i) {
      Row &point = out[static_cast<std::size_t>(i)], &axis = out[static_cast<std::size_t>(2 + i)];
      along(point, A, B, i);
      make_rigid(point, rigidity);
      upright(axis, A, B, i);
      make_rigid(axis, tilt);
    }
  }
  void measure(const Pose& A, const Pose& B, std::span<const double> memory, std::span<Relation> out) const {
    along(out[0], A, B, 2);
    turn_about_z(out[1], A, B, memory[0]);
  }
};

}  // namespace hardpan::multibody
