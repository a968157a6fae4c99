// Universal joint (Cardan, Hooke): a common point and a cross whose arms are an axis fixed in A and one fixed
// in B, perpendicular to each other (four rows).
//
// Coordinates: `first`, the turn of the cross about its arm x_A relative to A, and `second`, the turn of B
// about its arm y_B relative to the cross. With W = omega_B - omega_A, a = x_A, b = y_B and k = a . b (zero
// up to the violation)
//
//     first' = W . (a - k b)/(1 - k^2),    second' = W . (b - k a)/(1 - k^2)
//
// Both count turns and are memory. There is no singular angle between them: a and b are held perpendicular.
#pragma once

#include "hardpan/multibody/joint_frames.h"

namespace hardpan::multibody {

struct UniversalJoint : JointFrames {  // x of A's frame is the first axis, y of B's frame the second
  static constexpr std::string_view kind = "universal";
  static constexpr std::size_t memory_size = 2;  // first, second, rad
  static constexpr std::array<CoordinateName, 2> coordinates = {
      {{"first", Measure::angle}, {"second", Measure::angle}}};

  Rigidity rigidity = {};  // of the point
  Rigidity tilt = {};      // of the right angle

  std::size_t rows() const { return 4; }
  void remember(const Pose& A, const Pose& B, std::span<double> memory) const {
    memory[0] = unwrapped(turn_about(A, B, axis_on_A(0), axis_on_A(1), axis_on_B(1)), memory[0]);
    // From B's side the cross turns the other way.
    memory[1] = unwrapped(-turn_about(B, A, axis_on_B(1), axis_on_B(0), axis_on_A(0)), memory[1]);
  }
  void evaluate(const Pose& A, const Pose& B, std::span<const double>, std::span<Row> out) const {
    for (int i = 0; i < 3; ++i) {
      Row& row = out[static_cast<std::size_t>(i)];
      along(row, A, B, i);
      make_rigid(row, rigidity);
    }
    perpendicular(out[3], A, B, axis_on_A(0), axis_on_B(1));
    make_rigid(out[3], tilt);
  }
  void measure(const Pose& A, const Pose& B, std::span<const double> memory, std::span<Relation> out) const {
    exact_turn(out[0], A, B, axis_on_A(0), axis_on_B(1), memory[0]);
    Relation& second = out[1];
    exact_turn(second, B, A, axis_on_B(1), axis_on_A(0), memory[1]);
    std::swap(second.jacobian_a, second.jacobian_b);
    second.jacobian_a = -second.jacobian_a;
    second.jacobian_b = -second.jacobian_b;
  }
};

}  // namespace hardpan::multibody
