#include "hardpan/scenario/joint_kinds.h"
#include "hardpan/scenario/numbers.h"

namespace hardpan::scenario {
namespace {

multibody::CoordinateRef build(const JointSite& site, multibody::Model& model) {
  const Vec3 at = vec3(site.keys.at("at"));
  return add(model, multibody::BallJoint{site.ends, site.A.local_point(at), site.B.local_point(at),
                                         site.rigidity("compliance")});
}

}  // namespace

JointEntry ball_entry() {
  using namespace joint_fields;
  return {{.name = "ball",
           .doc = "A common point, all rotations free.",
           .fields = std::vector{between(), at()} + rigid()},
          multibody::BallJoint::coordinates,
          build};
}

}  // namespace hardpan::scenario
