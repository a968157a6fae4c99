#include "hardpan/scenario/joint_kinds.h"
#include "hardpan/scenario/numbers.h"

namespace hardpan::scenario {
namespace {

constexpr const char* along_keys[] = {"stiffness", "damping"};
constexpr const char* about_keys[] = {"angular_stiffness", "angular_damping"};

Vec3 axis_of(const Value& joint) { return joint.find("axis") ? vec3(joint.at("axis")) : Vec3::UnitZ(); }

void check(const Value& joint, Complain& complain) {
  double sum = 0;
  for (const auto& keys : {along_keys, about_keys})
    for (int i = 0; i < 2; ++i) sum += vec3(joint.at(keys[i])).sum();
  if (sum == 0) complain("stiffness", "no stiffness and no damping: the bushing would do nothing");
  joint_fields::check_x_axis(joint, axis_of(joint), complain);
}

multibody::CoordinateRef build(const JointSite& site, multibody::Model& model) {
  const Value* x = site.keys.find("x_axis");
  const bool world_axes = !x && !site.keys.find("axis");
  multibody::BushingJoint joint{
      site.frames(world_axes ? Quat::Identity() : axes_along(axis_of(site.keys), x))};
  joint.stiffness = vec3(site.keys.at("stiffness"));
  joint.damping = vec3(site.keys.at("damping"));
  joint.angular_stiffness = vec3(site.keys.at("angular_stiffness"));
  joint.angular_damping = vec3(site.keys.at("angular_damping"));
  return add(model, std::move(joint));
}

Value zero() { return Value::numbers({0, 0, 0}); }

}  // namespace

JointEntry bushing_entry() {
  using namespace joint_fields;
  return {
      {.name = "bushing",
       .doc =
           "Six springs and dampers, along and about the axes x, y, z of the first body's frame. Rotations "
           "are measured as 2 sin(angle/2), for moderate angles.",
       .fields =
           {between(), at(),
            field("stiffness", vector(3, "N/m").at_least(0), "along x, y, z").by_default(zero()),
            field("damping", vector(3, "N s/m").at_least(0), "along x, y, z").by_default(zero()),
            field("angular_stiffness", vector(3, "N m/rad").at_least(0), "about x, y, z").by_default(zero()),
            field("angular_damping", vector(3, "N m s/rad").at_least(0), "about x, y, z").by_default(zero()),
            field("axis", vector(3).not_zero(),
                  "direction of z in the initial pose, world frame; default: z of the world"),
            x_axis()},
       .check = check},
      multibody::BushingJoint::coordinates,
      build};
}

}  // namespace hardpan::scenario
