#include "hardpan/scenario/coordinate_laws.h"
#include "hardpan/scenario/joint_kinds.h"
#include "hardpan/scenario/numbers.h"

namespace hardpan::scenario {
namespace {

multibody::CoordinateRef build(const JointSite& site, multibody::Model& model) {
  multibody::SliderJoint joint{site.frames(axes_along(vec3(site.keys.at("axis"))))};
  joint.rigidity = site.rigidity("compliance");
  joint.tilt = site.rigidity("angular_compliance");
  const multibody::CoordinateRef displacement = add(model, std::move(joint));
  add_laws(site, site.keys, displacement, multibody::Measure::length, model);
  return displacement;
}

}  // namespace

JointEntry slider_entry() {
  using namespace joint_fields;
  return {{.name = "slider",
           .doc = "One direction of free motion, no rotation; spring, stops and friction act along it.",
           .fields = std::vector{between(), at(), axis(), angular_compliance()} + rigid() +
                     law_fields(multibody::Measure::length),
           .check = check_laws},
          multibody::SliderJoint::coordinates,
          build};
}

}  // namespace hardpan::scenario
