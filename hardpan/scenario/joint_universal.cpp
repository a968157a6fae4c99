#include <cmath>
#include <numbers>

#include <fmt/core.h>

#include "hardpan/scenario/coordinate_laws.h"
#include "hardpan/scenario/joint_kinds.h"
#include "hardpan/scenario/numbers.h"

namespace hardpan::scenario {
namespace {

void check(const Value& joint, Complain& complain) {
  const auto& axes = joint.at("axes").items();
  const double cosine = vec3(axes[0]).normalized().dot(vec3(axes[1]).normalized());
  if (std::abs(cosine) > 1e-6)
    complain("axes", fmt::format("the axes stand at {:.6g} degrees: the arms of a cross are perpendicular",
                                 std::acos(std::min(1.0, std::max(-1.0, cosine))) * 180 / std::numbers::pi));
}

multibody::CoordinateRef build(const JointSite& site, multibody::Model& model) {
  const auto& arms = site.keys.at("axes").items();
  const Vec3 first = vec3(arms[0]), second = vec3(arms[1]);
  // x along the first arm, y along the second.
  multibody::UniversalJoint joint{site.frames(axes_along(first.cross(second), &arms[0]))};
  joint.rigidity = site.rigidity("compliance");
  joint.tilt = site.rigidity("angular_compliance");
  const multibody::CoordinateRef coordinate = add(model, std::move(joint));
  add_nested_laws(site, coordinate, multibody::UniversalJoint::coordinates, model);
  return coordinate;
}

}  // namespace

JointEntry universal_entry() {
  using namespace joint_fields;
  const Field axes = field("axes", list_of(vector(3).not_zero(), 2, 2),
                           "arms of the cross, the first fixed in the first body, the second in the second; "
                           "perpendicular, in the initial pose, world frame")
                         .must();
  return {{.name = "universal",
           .doc = "A common point and a cross of two perpendicular axes (Cardan, Hooke).",
           .fields = std::vector{between(), at(), axes, angular_compliance()} + rigid() +
                     nested_laws(multibody::UniversalJoint::coordinates),
           .check = check},
          multibody::UniversalJoint::coordinates,
          build};
}

}  // namespace hardpan::scenario
