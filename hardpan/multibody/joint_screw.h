// Screw: a cylindrical joint whose displacement follows its angle (five rows),
//
//     z_A . (p_B - p_A) = pitch/(2 pi) angle        pitch > 0: right-handed
//
// The last row couples force and torque: the displacement's slope less pitch/(2 pi) times the angle's.
#pragma once

#include "hardpan/multibody/joint_frames.h"

namespace hardpan::multibody {

struct ScrewJoint : JointFrames {
  static constexpr std::string_view kind = "screw";
  static constexpr std::size_t memory_size = 1;  // angle, rad
  static constexpr std::array<CoordinateName, 1> coordinates = {{{"angle", Measure::angle}}};

  double pitch = 0;        // m per turn
  Rigidity rigidity = {};  // of the point and of the thread
  Rigidity tilt = {};      // of the axis

  std::size_t rows() const { return 5; }
  void remember(const Pose& A, const Pose& B, std::span<double> memory) const {
    memory[0] = counted_turn(A, B, memory[0]);
  }
  void evaluate(const Pose& A, const Pose& B, std::span<const double> memory, std::span<Row> out) const {
    for (int i = 0; i < 2; ++i) {
      Row &point = out[static_cast<std::size_t>(i)], &axis = out[static_cast<std::size_t>(3 + i)];
      along(point, A, B, i);
      make_rigid(point, rigidity);
      upright(axis, A, B, i);
      make_rigid(axis, tilt);
    }
    const double lead = pitch / (2 * std::numbers::pi);  // m/rad
    Relation angle;
    turn_about_z(angle, A, B, memory[0]);
    along(out[2], A, B, 2);
    out[2].value -= lead * angle.value;
    out[2].jacobian_a -= lead * angle.jacobian_a;
    out[2].jacobian_b -= lead * angle.jacobian_b;
    make_rigid(out[2], rigidity);
  }
  void measure(const Pose& A, const Pose& B, std::span<const double> memory, std::span<Relation> out) const {
    turn_about_z(out[0], A, B, memory[0]);
  }
};

}  // namespace hardpan::multibody
