// What joints with a frame on each body share: a point and axes on A, a point and axes on B. z is the axis of
// a joint that has one. The frames coincide when the coordinates are zero.
#pragma once

#include <utility>

#include "hardpan/multibody/joint.h"
#include "hardpan/multibody/kernels.h"

namespace hardpan::multibody {

struct JointFrames {
  JointEnds ends;
  Vec3 s_A, s_B;          // the origins in body coordinates, m
  Quat frame_A, frame_B;  // from joint axes to body axes

  Vec3 axis_on_A(int i) const { return frame_A * Vec3::Unit(i); }
  Vec3 axis_on_B(int i) const { return frame_B * Vec3::Unit(i); }

  // B's origin seen from A, along axis i of A's frame.
  void along(Relation& row, const Pose& A, const Pose& B, int i) const {
    point_on_point(row, A, B, s_A, s_B, axis_on_A(i));
  }
  // The z axes are parallel: z_B has no part along axis i of A's frame, i = 0, 1.
  void upright(Relation& row, const Pose& A, const Pose& B, int i) const {
    perpendicular(row, A, B, axis_on_A(i), axis_on_B(2));
  }
  // The turn about z since the frames coincided, turns counted.
  double counted_turn(const Pose& A, const Pose& B, double before) const {
    return unwrapped(turn_about(A, B, axis_on_A(2), axis_on_A(0), axis_on_B(0)), before);
  }
  void turn_about_z(Relation& row, const Pose& A, const Pose& B, double angle) const {
    exact_turn(row, A, B, axis_on_A(2), axis_on_B(0), angle);
  }
};

// A frame at the same place and with the same axes on both bodies.
inline JointFrames frames_at(JointEnds ends, const Pose& A, const Pose& B, const Vec3& point,
                             const Quat& axes) {
  return {std::move(ends), A.local_point(point), B.local_point(point), A.q.conjugate() * axes,
          B.q.conjugate() * axes};
}

}  // namespace hardpan::multibody
