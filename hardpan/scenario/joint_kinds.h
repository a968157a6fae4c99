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
  multibody::Pose A, B;
  const Value& solver;
  double relaxation_time;  // of rigid rows, s

  // `key` is compliance or angular_compliance; damping_time goes with it. Both given: a bushing.
  multibody::Rigidity rigidity(const char* key) const;
};

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
Field angular_compliance();  // override of the solver's
std::vector<Field> rigid();  // overrides of the solver's compliance and damping
double distance_of_points(const Value& joint);
}  // namespace joint_fields

// One per kind, each in its own source.
JointEntry ball_entry();
JointEntry hinge_entry();
JointEntry distance_entry();
JointEntry line_entry();
JointEntry spring_entry();

}  // namespace hardpan::scenario
