// Rolling without slip: a ball or a thin disc of B on a plane of A (three rows). The plane goes through p_A
// with the normal n = z_A; a disc has the axis a = z_B. The point of contact c is the one closest to the
// plane,
//
//     ball  c = p_B - r n,    disc  c = p_B - r (n - (n.a) a)/sqrt(1 - (n.a)^2),
//
// and there   n . (c - p_A) = 0   is held as a position, and the rates along x_A and y_A of B against A at c
// are zero (nonholonomic, no violation). The slope of the distance is the rate of B's material point at c: c
// is where the distance is least, so its own way along B costs nothing. Source: Neimark & Fufaev, Dynamics of
// Nonholonomic Systems, AMS 1972, ch. I. Contact is kept both ways: nothing lifts off and nothing slips. A
// disc that lies flat has no lowest point: any will do.
#pragma once

#include "hardpan/multibody/joint_frames.h"

namespace hardpan::multibody {

struct RollingJoint : JointFrames {
  static constexpr std::string_view kind = "rolling";
  static constexpr std::size_t memory_size = 0;
  static constexpr auto coordinates = no_coordinates;

  double radius = 1;  // > 0, m
  bool disc = false;
  Rigidity rigidity = {};  // of the distance; slips by relaxation_time/compliance, as a damper

  std::size_t rows() const { return 3; }
  void remember(const Pose&, const Pose&, std::span<double>) const {}
  void measure(const Pose&, const Pose&, std::span<const double>, std::span<Relation>) const {}

  Vec3 contact(const Pose& A, const Pose& B) const {
    const Vec3 n = A.turned(axis_on_A(2));
    Vec3 down = n;
    if (disc) {
      const Vec3 a = B.turned(axis_on_B(2)), in_disc = n - n.dot(a) * a;
      const double norm = in_disc.norm();
      down = norm > 0 ? Vec3(in_disc / norm) : B.turned(axis_on_B(0));
    }
    return B.point(s_B) - radius * down;
  }
  void evaluate(const Pose& A, const Pose& B, std::span<const double>, std::span<Row> out) const {
    const Vec3 c = contact(A, B), n = A.turned(axis_on_A(2));
    push_at(out[0], A, B, c, n);
    out[0].value = n.dot(c - A.point(s_A));
    make_rigid(out[0], rigidity);
    for (int i = 0; i < 2; ++i) {
      Row& row = out[static_cast<std::size_t>(1 + i)];
      row.value = 0;
      push_at(row, A, B, c, A.turned(axis_on_A(i)));
      make_rate(row, rigidity);
    }
  }
};

}  // namespace hardpan::multibody
