#include <cmath>

#include <fmt/core.h>

#include "hardpan/scenario/joint_kinds.h"
#include "hardpan/scenario/numbers.h"

namespace hardpan::scenario {
namespace {

void check(const Value& joint, Complain& complain) {
  const double distance = joint_fields::distance_of_points(joint);
  if (!(distance > 0)) complain("points", "the two points coincide: a distance needs a direction");
  const Value* length = joint.find("length");
  if (length && std::abs(length->number() - distance) > 1e-5 * distance)
    complain(
        "length",
        fmt::format("the points are {:.6g} m apart at the start, not {}: a rigid joint must be assembled",
                    distance, length->number_text()));
}

multibody::CoordinateRef build(const JointSite& site, multibody::Model& model) {
  const auto& points = site.keys.at("points").items();
  return add(model, multibody::DistanceJoint{
                        site.ends, site.A.local_point(vec3(points[0])), site.B.local_point(vec3(points[1])),
                        number_or(site.keys, "length", joint_fields::distance_of_points(site.keys)),
                        site.rigidity("compliance")});
}

}  // namespace

JointEntry distance_entry() {
  using namespace joint_fields;
  const Field length = field("length", number("m").above(0), "default: the initial distance");
  return {{.name = "distance",
           .doc = "A rigid massless rod between two points.",
           .fields = std::vector{between(), points(), length} + rigid(),
           .check = check},
          multibody::DistanceJoint::coordinates,
          build};
}

}  // namespace hardpan::scenario
