#include "hardpan/scenario/joint_kinds.h"

#include "hardpan/math/rotation.h"
#include "hardpan/scenario/numbers.h"

namespace hardpan::scenario {

const std::vector<JointEntry>& joint_kinds() {
  static const std::vector<JointEntry> all = {
      ball_entry(),      hinge_entry(),          distance_entry(),    line_entry(),    spring_entry(),
      fixed_entry(),     slider_entry(),         cylindrical_entry(), screw_entry(),   planar_entry(),
      universal_entry(), point_on_curve_entry(), skate_entry(),       rolling_entry(), bushing_entry(),
  };
  return all;
}

multibody::Rigidity JointSite::rigidity(const char* key) const {
  const bool soft = keys.find(key) && keys.find("damping_time");
  return {number_or(keys, key, solver.at(key).number()), number_or(keys, "damping_time", relaxation_time),
          soft};
}

multibody::JointFrames JointSite::frames(const Quat& axes) const {
  return multibody::frames_at(ends, A, B, vec3(keys.at("at")), axes);
}

Quat axes_along(const Vec3& z, const Value* x) {
  const Vec3 n = z.normalized();
  Mat3 R;
  Vec3 t1, t2;
  tangents(n, t1, t2);
  if (x) {
    const Vec3 wanted = vec3(*x);
    t1 = (wanted - wanted.dot(n) * n).normalized();
    t2 = n.cross(t1);
  }
  R << t1, t2, n;
  return Quat(R).normalized();
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

Field x_axis() {
  return field("x_axis", vector(3).not_zero(),
               "direction of x, its part across the axis counts; default: any across the axis");
}

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

void check_x_axis(const Value& joint, const Vec3& axis, Complain& complain) {
  const Value* x = joint.find("x_axis");
  if (x && !(vec3(*x).normalized().cross(axis.normalized()).norm() > 1e-3))
    complain("x_axis", "is parallel to the axis: x lies across it");
}

}  // namespace joint_fields
}  // namespace hardpan::scenario
