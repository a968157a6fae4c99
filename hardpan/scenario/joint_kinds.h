// Kinds of joint as scenarios know them: the description of a kind and its builder stand side by side, one
// source per kind, and joint_kinds.cpp lists them.
#pragma once

#include <vector>

#include "hardpan/multibody/model.h"
#include "hardpan/scenario/spec.h"

namespace hardpan::scenario {

// All that a builder looks at: the resolved keys, the two bodies at the start, the defaults of the solver.
struct JointSite {
  const Value& keys;
  multibody::JointEnds ends;
  Pose A, B;
  const Value& solver;
  double relaxation_time;  // of rigid rows, s

  // `key` is compliance or angular_compliance; damping_time goes with it. Both given: a bushing.
  multibody::Rigidity rigidity(const char* key) const;
  // Frames that coincide at `at` in the initial pose, with the given axes in the world frame.
  multibody::JointFrames frames(const Quat& axes) const;
};

// Axes with z along `z`, and x as close as it can be to `x` where that is given; world frame.
Quat axes_along(const Vec3& z, const Value* x = nullptr);

struct JointEntry {
  Object description;
  std::span<const multibody::CoordinateName> coordinates;
  // Adds the joint and what acts along its coordinates; returns its first coordinate.
  multibody::CoordinateRef (*build)(const JointSite& site, multibody::Model& model);
};

const std::vector<JointEntry>& joint_kinds();

// Fields that kinds share.
namespace joint_fields {
Field between();
Field at();                  // one common point
Field points();              // one point on each body
Field axis();                // of a joint that has one
Field x_axis();              // where the directions across the axis matter
Field angular_compliance();  // override of the solver's
std::vector<Field> rigid();  // overrides of the solver's compliance and damping
double distance_of_points(const Value& joint);
// x_axis must not be parallel to `axis`.
void check_x_axis(const Value& joint, const Vec3& axis, Complain& complain);
}  // namespace joint_fields

// One per kind, each in its own source.
JointEntry ball_entry();
JointEntry hinge_entry();
JointEntry distance_entry();
JointEntry line_entry();
JointEntry spring_entry();
JointEntry fixed_entry();
JointEntry slider_entry();
JointEntry cylindrical_entry();
JointEntry screw_entry();
JointEntry planar_entry();
JointEntry universal_entry();
JointEntry point_on_curve_entry();
JointEntry skate_entry();
JointEntry rolling_entry();
JointEntry bushing_entry();

}  // namespace hardpan::scenario
