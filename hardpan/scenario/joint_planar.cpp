#include "hardpan/scenario/coordinate_laws.h"
#include "hardpan/scenario/joint_kinds.h"
#include "hardpan/scenario/numbers.h"

namespace hardpan::scenario {
namespace {

void check(const Value& joint, Complain& complain) {
  joint_fields::check_x_axis(joint, vec3(joint.at("axis")), complain);
}

multibody::CoordinateRef build(const JointSite& site, multibody::Model& model) {
  multibody::PlanarJoint joint{site.frames(axes_along(vec3(site.keys.at("axis")), site.keys.find("x_axis")))};
  joint.rigidity = site.rigidity("compliance");
  joint.tilt = site.rigidity("angular_compliance");
  const multibody::CoordinateRef first = add(model, std::move(joint));
  add_nested_laws(site, first, multibody::PlanarJoint::coordinates, model);
  return first;
}

}  // namespace

JointEntry planar_entry() {
  using namespace joint_fields;
  return {{.name = "planar",
           .doc = "Free motion in a plane of the first body and free rotation about its normal, the axis.",
           .fields = std::vector{between(), at(), axis(), x_axis(), angular_compliance()} + rigid() +
                     nested_laws(multibody::PlanarJoint::coordinates),
           .check = check},
          multibody::PlanarJoint::coordinates,
          build};
}

}  // namespace hardpan::scenario
