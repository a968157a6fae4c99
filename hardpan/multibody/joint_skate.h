// Skate (knife edge): a point of B does not move across its blade. The blade points along x_B, the plane on
// which it glides has the normal z_A; across is l = z_A x x_B, made a unit vector. One row on the rate
// (nonholonomic, no violation):
//
//     l . (v_B(p) - v_A(p)) = 0
//
// It does not hold the point in the plane: a planar joint does. Source: Neimark & Fufaev, Dynamics of
// Nonholonomic Systems, AMS 1972, ch. I. A blade that stands upright on the plane has no across: any will do.
#pragma once

#include "hardpan/multibody/joint_frames.h"

namespace hardpan::multibody {

struct SkateJoint : JointFrames {
  static constexpr std::string_view kind = "skate";
  static constexpr std::size_t memory_size = 0;
  static constexpr auto coordinates = no_coordinates;

  Rigidity rigidity = {};  // across: compliance per second (make_rate)

  std::size_t rows() const { return 1; }
  void remember(const Pose&, const Pose&, std::span<double>) const {}
  void measure(const Pose&, const Pose&, std::span<const double>, std::span<Relation>) const {}
  void evaluate(const Pose& A, const Pose& B, std::span<const double>, std::span<Row> out) const {
    const Vec3 across = A.turned(axis_on_A(2)).cross(B.turned(axis_on_B(0)));
    const double norm = across.norm();
    out[0].value = 0;
    push_at(out[0], A, B, B.point(s_B), norm > 0 ? Vec3(across / norm) : A.turned(axis_on_A(1)));
    make_rate(out[0], rigidity);
  }
};

}  // namespace hardpan::multibody
