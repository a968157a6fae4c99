#include "hardpan/scenario/joint_kinds.h"
#include "hardpan/scenario/numbers.h"

namespace hardpan::scenario {
namespace {

multibody::CoordinateRef build(const JointSite& site, multibody::Model& model) {
  multibody::FixedJoint joint{site.frames(Quat::Identity())};
  joint.rigidity = site.rigidity("compliance");
  joint.tilt = site.rigidity("angular_compliance");
  return add(model, std::move(joint));
}

}  // namespace

JointEntry fixed_entry() {
  using namespace joint_fields;
  return {{.name = "fixed",
           .doc = "Two bodies welded together at a point.",
           .fields = std::vector{between(), at(), angular_compliance()} + rigid()},
          multibody::FixedJoint::coordinates,
          build};
}

}  // namespace hardpan::scenario
