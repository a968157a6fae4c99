#include "hardpan/scenario/joint_kinds.h"
#include "hardpan/scenario/numbers.h"

namespace hardpan::scenario {
namespace {

void check(const Value& joint, Complain& complain) {
  if (joint.at("stiffness").number() == 0 && joint.at("damping").number() == 0)
    complain("stiffness", "stiffness and damping are both 0: the spring would do nothing");
}

void build(const JointSite& site, multibody::JointPools& pools) {
  const auto& points = site.keys.at("points").items();
  std::get<std::vector<multibody::SpringJoint>>(pools).push_back(
      {site.ends, site.A.local_point(vec3(points[0])), site.B.local_point(vec3(points[1])),
       number_or(site.keys, "length", joint_fields::distance_of_points(site.keys)),
       site.keys.at("stiffness").number(), site.keys.at("damping").number()});
}

}  // namespace

JointEntry spring_entry() {
  using namespace joint_fields;
  return {
      {.name = "spring",
       .doc = "A spring and damper along the line between two points.",
       .fields = {between(), points(), field("stiffness", number("N/m").at_least(0), "along the line").must(),
                  field("damping", number("N s/m").at_least(0), "along the line").by_default(Value(0)),
                  field("length", number("m").at_least(0), "natural length; default: the initial distance")},
       .check = check},
      build};
}

}  // namespace hardpan::scenario
