// Hinge: a ball joint whose bodies also share an axis (five rows). Its coordinate, the angle, counts full
// turns: it is memory, and part of the saved state.
#pragma once

#include "hardpan/multibody/joint.h"
#include "hardpan/multibody/kernels.h"

namespace hardpan::multibody {

struct HingeJoint {
  static constexpr std::string_view kind = "hinge";
  static constexpr std::size_t memory_size = 1;  // angle, rad
  static constexpr std::array<CoordinateName, 1> coordinates = {{{"angle", Measure::angle}}};

  JointEnds ends;
  Vec3 s_A, s_B;        // the point in body coordinates, m
  Vec3 axis_A, axis_B;  // unit axis in body coordinates
  Vec3 u_A, u2_A, w_B;  // u_A, u2_A: unit and perpendicular to axis_A; w_B coincides with u_A at angle 0
  Rigidity rigidity;    // of the point
  Rigidity tilt;        // of the axis

  std::size_t rows() const { return 5; }

  void remember(const Pose& A, const Pose& B, std::span<double> memory) const {
    memory[0] = unwrapped(turn_about(A, B, axis_A, u_A, w_B), memory[0]);
  }

  void evaluate(const Pose& A, const Pose& B, std::span<const double>, std::span<Row> out) const {
    for (int i = 0; i < 3; ++i) {
      Row& row = out[static_cast<std::size_t>(i)];
      point_on_point(row, A, B, s_A, s_B, Vec3::Unit(i));
      make_rigid(row, rigidity);
    }
    perpendicular(out[3], A, B, u_A, axis_B);
    perpendicular(out[4], A, B, u2_A, axis_B);
    make_rigid(out[3], tilt);
    make_rigid(out[4], tilt);
  }

  void measure(const Pose& A, const Pose&, std::span<const double> memory, std::span<Relation> out) const {
    turn(out[0], A, axis_A, memory[0]);
  }
};

}  // namespace hardpan::multibody
