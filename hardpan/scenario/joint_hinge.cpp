#include "hardpan/math/rotation.h"
#include "hardpan/scenario/coordinate_laws.h"
#include "hardpan/scenario/joint_kinds.h"
#include "hardpan/scenario/numbers.h"

namespace hardpan::scenario {
namespace {

multibody::CoordinateRef build(const JointSite& site, multibody::Model& model) {
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
  const multibody::CoordinateRef angle = add(model, std::move(joint));
  add_laws(site, site.keys, angle, multibody::Measure::angle, model);
  return angle;
}

}  // namespace

JointEntry hinge_entry() {
  using namespace joint_fields;
  return {{.name = "hinge",
           .doc = "One axis of free rotation; spring, stops and friction act about it.",
           .fields = std::vector{between(), at(), axis(), angular_compliance()} + rigid() +
                     law_fields(multibody::Measure::angle) + std::vector{bearing_radius()},
           .check = check_laws},
          multibody::HingeJoint::coordinates,
          build};
}

}  // namespace hardpan::scenario
