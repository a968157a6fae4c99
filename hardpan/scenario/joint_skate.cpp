#include "hardpan/scenario/joint_kinds.h"
#include "hardpan/scenario/numbers.h"

namespace hardpan::scenario {
namespace {

void check(const Value& joint, Complain& complain) {
  const Vec3 blade = vec3(joint.at("direction")).normalized(), normal = vec3(joint.at("normal")).normalized();
  if (!(blade.cross(normal).norm() > 1e-3))
    complain("direction", "stands upright on the plane: there is no across");
}

multibody::CoordinateRef build(const JointSite& site, multibody::Model& model) {
  multibody::SkateJoint joint{
      site.frames(axes_along(vec3(site.keys.at("normal")), &site.keys.at("direction")))};
  // The blade itself, not its part in the plane.
  const Vec3 blade = vec3(site.keys.at("direction"));
  joint.frame_B = site.B.q.conjugate() *
                  axes_along(blade.cross(vec3(site.keys.at("normal"))), &site.keys.at("direction"));
  joint.rigidity = site.rigidity("compliance");
  joint.rigidity.soft = false;
  return add(model, std::move(joint));
}

}  // namespace

JointEntry skate_entry() {
  using namespace joint_fields;
  return {
      {.name = "skate",
       .doc = "A knife edge: a point of the second body does not move across its blade. It does not hold the "
              "point on the plane; a planar joint does.",
       .fields = std::vector{between(), at(),
                             field("direction", vector(3).not_zero(),
                                   "of the blade, fixed in the second body; initial pose, world frame")
                                 .must(),
                             field("normal", vector(3).not_zero(),
                                   "of the plane, fixed in the first body; initial pose, world frame")
                                 .must()} +
                 rigid(),
       .check = check},
      multibody::SkateJoint::coordinates,
      build};
}

}  // namespace hardpan::scenario
