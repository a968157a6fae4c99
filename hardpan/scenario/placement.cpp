#include "hardpan/scenario/placement.h"

#include "hardpan/scenario/numbers.h"

namespace hardpan::scenario {

Object orientation_object() {
  return {
      .name = "orientation",
      .doc =
          "Rotation from the own axes to those around (of a body to world axes, of a shape to body axes), "
          "in one of three ways.",
      .fields =
          {field("quaternion", vector(4).not_zero(), "[w, x, y, z], normalised when read"),
           field("axis", vector(3).not_zero(), "axis of rotation, in the frame around"),
           field("angle", angle(), "rotation about axis"),
           field("yaw", angle(), "first, about z").by_default(Value(0)),
           field("pitch", angle(), "second, about the new y").by_default(Value(0)),
           field("roll", angle(), "third, about the new x (ISO 8855 order z-y-x)").by_default(Value(0))},
      .groups = {exactly_one({{"quaternion"}, {"axis", "angle"}, {"yaw", "pitch", "roll"}}),
                 needs("axis", {"angle"}), needs("angle", {"axis"})}};
}

Quat orientation(const Value& object) {
  if (const Value* q = object.find("quaternion")) {
    const auto& i = q->items();
    return Quat(i[0].number(), i[1].number(), i[2].number(), i[3].number()).normalized();
  }
  if (const Value* axis = object.find("axis"))
    return Quat(Eigen::AngleAxisd(find_angle(object, "angle").value_or(0.0), vec3(*axis).normalized()));
  const auto about = [&](const char* name, const Vec3& axis) {
    return Eigen::AngleAxisd(find_angle(object, name).value_or(0.0), axis);
  };
  return Quat(about("yaw", Vec3::UnitZ()) * about("pitch", Vec3::UnitY()) * about("roll", Vec3::UnitX()));
}

std::vector<Field> placement_fields() {
  return {field("at", vector(3, "m"), "its origin, body frame; default: the origin of the body"),
          field("orientation", object(orientation_object()), "against the body; default: body axes")
              .as_in("bodies.orientation")};
}

Pose placement(const Value& object) {
  Pose pose;
  if (const Value* at = object.find("at")) pose.x = vec3(*at);
  if (const Value* turn = object.find("orientation")) pose.q = orientation(*turn);
  return pose;
}

}  // namespace hardpan::scenario
