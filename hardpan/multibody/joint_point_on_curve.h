// Point on a curve: a point of B stays on a smooth space curve fixed in A (two rows). At the closest point
// c(u) of the curve, with any two directions n1, n2 across its tangent t,
//
//     n_i . (p_B - c) = 0,      coordinate `distance`: arc length along the curve
//
// The rows' slopes are exact on the curve (off it they err by the violation times the turn of n_i); the slope
// of the arc length is exact: ds/dp = t/(1 - curvature . (p - c)). Forces act at p_B on both bodies. The
// parameter u is memory: the closest point is followed from step to step, laps of a closed curve are counted,
// and a curve may come close to itself. So is n1, which follows the tangent without a jump: rows compare
// their values from step to step. Beyond the ends an open curve goes on straight.
#pragma once

#include "hardpan/math/rotation.h"
#include "hardpan/math/spline.h"
#include "hardpan/multibody/joint_frames.h"

namespace hardpan::multibody {

struct PointOnCurveJoint {
  static constexpr std::string_view kind = "point-on-curve";
  static constexpr std::size_t memory_size = 4;  // curve parameter since the start, m; n1 in A
  static constexpr std::array<CoordinateName, 1> coordinates = {{{"distance", Measure::length}}};

  JointEnds ends;
  Vec3 s_A, s_B;                    // where the curve begins; the point of B, in body coordinates, m
  Spline curve;                     // in coordinates of A, m
  double start = 0;                 // curve parameter of the point at the start
  Rigidity rigidity;                // of the point
  Quat frame_A = Quat::Identity();  // axes of A by which n_i are chosen; matters by the violation only

  std::size_t rows() const { return 2; }
  void remember(const Pose& A, const Pose& B, std::span<double> memory) const {
    memory[0] = curve.closest(A.local_point(B.point(s_B)), start + memory[0]) - start;
    Eigen::Map<Vec3> across(&memory[1]);
    across = across_tangent(curve.derivative(start + memory[0]).normalized(), across);
  }
  void evaluate(const Pose& A, const Pose& B, std::span<const double> memory, std::span<Row> out) const {
    const double u = start + memory[0];
    const Vec3 p = B.point(s_B), gap = A.local_point(p) - curve.position(u);
    const Vec3 n1 = Eigen::Map<const Vec3>(&memory[1]), t = curve.derivative(u).normalized();
    const Vec3 n[] = {n1, t.cross(n1)};
    for (std::size_t i = 0; i < 2; ++i) {
      push_at(out[i], A, B, p, A.turned(n[i]));
      out[i].value = n[i].dot(gap);
      make_rigid(out[i], rigidity);
    }
  }
  void measure(const Pose& A, const Pose& B, std::span<const double> memory, std::span<Relation> out) const {
    const double u = start + memory[0];
    const Vec3 p = B.point(s_B), gap = A.local_point(p) - curve.position(u);
    const Vec3 slope = curve.derivative(u);
    const double square = slope.squaredNorm(), bent = square - gap.dot(curve.second_derivative(u));
    const double stretch = bent > 0.1 * square ? square / bent : 1.0;
    push_at(out[0], A, B, p, stretch * A.turned(slope / std::sqrt(square)));
    out[0].value = curve.arc_length(u);
  }

 private:
  // What is left of `before` across the tangent; any direction where that is nothing.
  Vec3 across_tangent(const Vec3& t, const Vec3& before) const {
    const Vec3 left = before - before.dot(t) * t;
    if (left.norm() > 0.1) return left.normalized();
    Vec3 n1, n2;
    tangents(frame_A.conjugate() * t, n1, n2);
    return frame_A * n1;
  }
};

}  // namespace hardpan::multibody
