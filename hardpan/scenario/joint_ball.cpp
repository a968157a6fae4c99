#include "hardpan/scenario/joint_kinds.h"
#include "hardpan/scenario/numbers.h"

namespace hardpan::scenario {
namespace {

void build(const JointSite& site, multibody::JointPools& pools) {
  const Vec3 at = vec3(site.keys.at("at"));
  std::get<std::vector<multibody::BallJoint>>(pools).push_back(
      {site.ends, site.A.local_point(at), site.B.local_point(at), site.rigidity("compliance")});
}

}  // namespace

JointEntry ball_entry() {
  using namespace joint_fields;
  return {{.name = "ball",
           .doc = "A common point, all rotations free.",
           .fields = std::vector{between(), at()} + rigid()},
          build};
}

}  // namespace hardpan::scenario
