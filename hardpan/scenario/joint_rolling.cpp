#include "hardpan/scenario/joint_kinds.h"
#include "hardpan/scenario/numbers.h"

namespace hardpan::scenario {
namespace {

void check(const Value& joint, Complain& complain) {
  const Value* axis = joint.find("axis");
  if (axis && !(vec3(*axis).normalized().cross(vec3(joint.at("normal")).normalized()).norm() > 1e-3))
    complain("axis", "is parallel to the normal: a disc that lies flat has no point of contact");
}

multibody::CoordinateRef build(const JointSite& site, multibody::Model& model) {
  multibody::RollingJoint joint{site.frames(axes_along(vec3(site.keys.at("normal"))))};
  joint.radius = site.keys.at("radius").number();
  if (const Value* axis = site.keys.find("axis")) {
    joint.disc = true;
    joint.frame_B = site.B.q.conjugate() * axes_along(vec3(*axis));
  }
  joint.s_A = site.A.local_point(joint.contact(site.A, site.B));
  joint.rigidity = site.rigidity("compliance");
  joint.rigidity.soft = false;
  return add(model, std::move(joint));
}

}  // namespace

JointEntry rolling_entry() {
  using namespace joint_fields;
  return {
      {.name = "rolling",
       .doc = "A ball or thin disc of the second body rolls without slip on a plane of the first, and stays "
              "on it. The plane goes through the point of contact in the initial pose.",
       .fields = std::vector{between(),
                             field("at", vector(3, "m"),
                                   "centre of the ball or disc in the initial pose, world frame")
                                 .must(),
                             field("radius", number("m").above(0), "of the ball or disc").must(),
                             field("normal", vector(3).not_zero(),
                                   "of the plane, towards the second body; initial pose, world frame")
                                 .must(),
                             field("axis", vector(3).not_zero(),
                                   "makes it a disc: its axis, in the initial pose, world frame")} +
                 rigid(),
       .check = check},
      multibody::RollingJoint::coordinates,
      build};
}

}  // namespace hardpan::scenario
