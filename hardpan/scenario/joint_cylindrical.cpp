#include "hardpan/scenario/coordinate_laws.h"
#include "hardpan/scenario/joint_kinds.h"
#include "hardpan/scenario/numbers.h"

namespace hardpan::scenario {
namespace {

multibody::CoordinateRef build(const JointSite& site, multibody::Model& model) {
  multibody::CylindricalJoint joint{site.frames(axes_along(vec3(site.keys.at("axis"))))};
  joint.rigidity = site.rigidity("compliance");
  joint.tilt = site.rigidity("angular_compliance");
  const multibody::CoordinateRef displacement = add(model, std::move(joint));
  add_nested_laws(site, displacement, multibody::CylindricalJoint::coordinates, model);
  return displacement;
}

}  // namespace

JointEntry cylindrical_entry() {
  using namespace joint_fields;
  return {{.name = "cylindrical",
           .doc = "Free motion along an axis and free rotation about it.",
           .fields = std::vector{between(), at(), axis(), angular_compliance()} + rigid() +
                     nested_laws(multibody::CylindricalJoint::coordinates)},
          multibody::CylindricalJoint::coordinates,
          build};
}

}  // namespace hardpan::scenario
