// Planar: a point of B stays in a plane of A and B turns only about its normal z (three rows). Coordinates:
// the displacements x and y along axes of A, and the angle, which counts turns and is memory.
#pragma once

#include "hardpan/multibody/joint_frames.h"

namespace hardpan::multibody {

struct PlanarJoint : JointFrames {
  static constexpr std::string_view kind = "planar";
  static constexpr std::size_t memory_size = 1;  // angle, rad
  static constexpr std::array<CoordinateName, 3> coordinates = {
      {{"x", Measure::length}, {"y", Measure::length}, {"angle", Measure::angle}}};

  Rigidity rigidity = {};  // of the point
  Rigidity tilt = {};      // of the normal

  std::size_t rows() const { return 3; }
  void remember(const Pose& A, const Pose& B, std::span<double> memory) const {
    memory[0] = counted_turn(A, B, memory[0]);
  }
  void evaluate(const Pose& A, const Pose& B, std::span<const double>, std::span<Row> out) const {
    along(out[0], A, B, 2);
    upright(out[1], A, B, 0);
    upright(out[2], A, B, 1);
    make_rigid(out[0], rigidity);
    make_rigid(out[1], tilt);
    make_rigid(out[2], tilt);
  }
  void measure(const Pose& A, const Pose& B, std::span<const double> memory, std::span<Relation> out) const {
    along(out[0], A, B, 0);
    along(out[1], A, B, 1);
    turn_about_z(out[2], A, B, memory[0]);
  }
};

}  // namespace hardpan::multibody
