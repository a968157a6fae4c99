#include "hardpan/scenario/joint_kinds.h"

#include "hardpan/scenario/numbers.h"

namespace hardpan::scenario {

const std::vector<JointEntry>& joint_kinds() {
  static const std::vector<JointEntry> all = {
      ball_entry(), hinge_entry(), distance_entry(), line_entry(), spring_entry(),
  };
  return all;
}

multibody::Rigidity JointSite::rigidity(const char* key) const {
  const bool soft = keys.find(key) && keys.find("damping_time");
  return {number_or(keys, key, solver.at(key).number()), number_or(keys, "damping_time", relaxation_time),
          soft};
}

namespace joint_fields {

Field between() {
  return field("between", list_of(reference("bodies", {"world"}), 2, 2).all_distinct(),
               "first and second body, or world")
      .must();
}

Field at() {
  return field("at", vector(3, "m"), "point of the joint in the initial pose, world frame").must();
}

Field points() {
  return field("points", list_of(vector(3, "m"), 2, 2),
               "where it holds the first and the second body in the initial pose, world frame")
      .must();
}

Field axis() { return field("axis", vector(3).not_zero(), "in the initial pose, world frame").must(); }

Field angular_compliance() {
  return field("angular_compliance", number("rad/(N m)").at_least(1e-14),
               "instead of solver.angular_compliance");
}

std::vector<Field> rigid() {
  return {field("compliance", number("m/N").at_least(1e-14), "instead of solver.compliance"),
          field("damping_time", number("s").at_least(0),
                "relaxation time, instead of solver.damping_steps; together with a compliance it makes a "
                "bushing, whose energy is booked with the springs")};
}

double distance_of_points(const Value& joint) {
  const auto& pair = joint.at("points").items();
  return (vec3(pair[1]) - vec3(pair[0])).norm();
}

}  // namespace joint_fields
}  // namespace hardpan::scenario
