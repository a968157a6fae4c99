#include "hardpan/math/rotation.h"
#include "hardpan/scenario/joint_kinds.h"
#include "hardpan/scenario/numbers.h"

namespace hardpan::scenario {
namespace {

void check(const Value& joint, Complain& complain) {
  if (joint.at("stiffness").number() == 0 && find_angle(joint, "rest").value_or(0.0) != 0)
    complain(joint.find("rest_deg") ? "rest_deg" : "rest_rad",
             "belongs to a stiffness, which is 0: it would be ignored");
}

void build(const JointSite& site, multibody::JointPools& pools) {
  const Vec3 at = vec3(site.keys.at("at")), axis = vec3(site.keys.at("axis")).normalized();
  Vec3 u, u2;
  tangents(axis, u, u2);
  multibody::HingeJoint joint;
  joint.ends = site.ends;
  joint.s_A = site.A.local_point(at);
  joint.s_B = site.B.local_point(at);
  joint.axis_A = site.A.local_vector(axis);
  joint.axis_B = site.B.local_vector(axis);
  joint.u_A = site.A.local_vector(u);
  joint.u2_A = site.A.local_vector(u2);
  joint.w_B = site.B.local_vector(u);
  joint.rigidity = site.rigidity("compliance");
  joint.tilt = site.rigidity("angular_compliance");
  joint.stiffness = site.keys.at("stiffness").number();
  joint.damping = site.keys.at("damping").number();
  joint.rest_angle = find_angle(site.keys, "rest").value_or(0.0);
  std::get<std::vector<multibody::HingeJoint>>(pools).push_back(std::move(joint));
}

}  // namespace

JointEntry hinge_entry() {
  using namespace joint_fields;
  const Field axis = field("axis", vector(3).not_zero(), "in the initial pose, world frame").must();
  const std::vector<Field> about_axis = {
      field("angular_compliance", number("rad/(N m)").at_least(1e-14),
            "instead of solver.angular_compliance"),
      field("stiffness", number("N m/rad").at_least(0), "torsional, about the axis").by_default(Value(0)),
      field("damping", number("N m s/rad").at_least(0), "torsional, about the axis").by_default(Value(0)),
      field("rest", angle(), "angle at which the torsional spring is free of load").by_default(Value(0))};
  return {{.name = "hinge",
           .doc = "One axis of free rotation, with an optional torsional spring.",
           .fields = std::vector{between(), at(), axis} + rigid() + about_axis,
           .check = check},
          build};
}

}  // namespace hardpan::scenario
