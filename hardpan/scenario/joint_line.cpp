// Two kinds over the same line between two points: `spring`, and `line` for everything else that acts along
// it.
#include "hardpan/scenario/coordinate_laws.h"
#include "hardpan/scenario/joint_kinds.h"
#include "hardpan/scenario/numbers.h"

namespace hardpan::scenario {
namespace {

using multibody::CoordinateRef;
using multibody::LineJoint;

LineJoint line_between(const JointSite& site, std::string_view shown_as) {
  const auto& points = site.keys.at("points").items();
  return {site.ends, site.A.local_point(vec3(points[0])), site.B.local_point(vec3(points[1])), shown_as};
}

void check_spring(const Value& joint, Complain& complain) {
  if (joint.at("stiffness").number() == 0 && joint.at("damping").number() == 0)
    complain("stiffness", "stiffness and damping are both 0: the spring would do nothing");
}

CoordinateRef build_spring(const JointSite& site, multibody::Model& model) {
  const CoordinateRef length = add(model, line_between(site, "spring"));
  multibody::Elastic spring;
  spring.name = site.ends.name;
  spring.axes = {multibody::Axis{{{length, 1.0}}}};
  spring.stiffness = site.keys.at("stiffness").number();
  spring.damping = site.keys.at("damping").number();
  spring.rest = number_or(site.keys, "length", joint_fields::distance_of_points(site.keys));
  add(model, std::move(spring));
  return length;
}

// What is free of load without a word about it is the line as it stands.
Value with_rest(const Value& keys) {
  Value filled = keys;
  if (!keys.find("rest")) filled.set("rest", Value(joint_fields::distance_of_points(keys)));
  return filled;
}

CoordinateRef build_line(const JointSite& site, multibody::Model& model) {
  const CoordinateRef length = add(model, line_between(site, LineJoint::kind));
  add_laws(site, with_rest(site.keys), length, multibody::Measure::length, model);
  return length;
}

void check_line(const Value& joint, Complain& complain) {
  check_laws(joint, complain);
  for (const char* key : {"lower", "upper", "rest"})
    if (const Value* value = joint.find(key); value && value->number() < 0)
      complain(key, "a length is not negative");
}

// A line holds nothing, so no force goes through it across its way; its spring rests where it starts.
std::vector<Field> line_laws() {
  std::vector<Field> fields;
  for (Field law : law_fields(multibody::Measure::length)) {
    if (law.name == "friction_coefficient") continue;
    if (law.name == "rest")
      law =
          field("rest", number("m"), "length at which the spring is free of load; default: the initial one");
    fields.push_back(std::move(law));
  }
  return fields;
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
       .check = check_spring},
      LineJoint::coordinates,
      build_spring};
}

JointEntry line_entry() {
  using namespace joint_fields;
  return {
      {.name = "line",
       .doc = "The line between two points, which holds nothing by itself: an upper stop makes it a rope, "
              "a motor a cylinder, curves any spring or damper. Its coordinate is the length.",
       .fields =
           std::vector{between(), points()} + line_laws() +
           std::vector{field("compliance", number("m/N").at_least(1e-14), "instead of solver.compliance")},
       .check = check_line},
      LineJoint::coordinates,
      build_line};
}

}  // namespace hardpan::scenario
