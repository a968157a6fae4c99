#include "hardpan/scenario/coordinate_laws.h"
#include "hardpan/scenario/joint_kinds.h"
#include "hardpan/scenario/numbers.h"

namespace hardpan::scenario {
namespace {

void check(const Value& joint, Complain& complain) {
  if (joint.at("pitch").number() == 0) complain("pitch", "must not be 0: a screw without pitch is a hinge");
  check_laws(joint, complain);
}

multibody::CoordinateRef build(const JointSite& site, multibody::Model& model) {
  multibody::ScrewJoint joint{site.frames(axes_along(vec3(site.keys.at("axis"))))};
  joint.rigidity = site.rigidity("compliance");
  joint.tilt = site.rigidity("angular_compliance");
  joint.pitch = site.keys.at("pitch").number();
  const multibody::CoordinateRef angle = add(model, std::move(joint));
  add_laws(site, site.keys, angle, multibody::Measure::angle, model);
  return angle;
}

}  // namespace

JointEntry screw_entry() {
  using namespace joint_fields;
  const Field pitch =
      field("pitch", number("m"), "way along the axis per turn; positive: right-handed, not 0").must();
  return {{.name = "screw",
           .doc = "Rotation about an axis that moves along it in proportion, as a nut on a thread.",
           .fields = std::vector{between(), at(), axis(), pitch, angular_compliance()} + rigid() +
                     law_fields(multibody::Measure::angle) + std::vector{bearing_radius()},
           .check = check},
          multibody::ScrewJoint::coordinates,
          build};
}

}  // namespace hardpan::scenario
