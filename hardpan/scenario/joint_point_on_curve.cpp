#include <fmt/core.h>

#include "hardpan/math/spline.h"
#include "hardpan/scenario/coordinate_laws.h"
#include "hardpan/scenario/joint_kinds.h"
#include "hardpan/scenario/numbers.h"

namespace hardpan::scenario {
namespace {

std::vector<Vec3> points_of(const Value& joint) {
  std::vector<Vec3> points;
  for (const Value& point : joint.at("points").items()) points.push_back(vec3(point));
  return points;
}

void check(const Value& joint, Complain& complain) {
  const std::vector<Vec3> points = points_of(joint);
  const bool closed = joint.at("closed").boolean();
  if (closed && points.size() < 3) return complain("points", "a closed curve needs at least 3 points");
  for (std::size_t i = 0; i + (closed ? 0 : 1) < points.size(); ++i)
    if (!((points[(i + 1) % points.size()] - points[i]).norm() > 0))
      return complain("points", i + 1 < points.size()
                                    ? fmt::format("points {} and {} coincide", i + 1, i + 2)
                                    : "the last point repeats the first: a closed curve returns by itself");
  const Spline curve(points, closed);
  const Vec3 at = vec3(joint.at("at"));
  const double gap = (curve.position(curve.closest(at)) - at).norm();
  if (gap > 1e-6 * curve.length())
    complain("at",
             fmt::format("the point is {:.3g} m off the curve of length {:.6g} m: a rigid joint must be "
                         "assembled",
                         gap, curve.length()));
  check_laws(joint, complain);
}

multibody::CoordinateRef build(const JointSite& site, multibody::Model& model) {
  const Vec3 at = vec3(site.keys.at("at"));
  std::vector<Vec3> points = points_of(site.keys);
  for (Vec3& point : points) point = site.A.local_point(point);
  multibody::PointOnCurveJoint joint;
  joint.ends = site.ends;
  joint.s_A = points[0];
  joint.s_B = site.B.local_point(at);
  joint.curve = Spline(std::move(points), site.keys.at("closed").boolean());
  joint.start = joint.curve.closest(site.A.local_point(at));
  joint.rigidity = site.rigidity("compliance");
  const multibody::CoordinateRef distance = add(model, std::move(joint));
  add_laws(site, site.keys, distance, multibody::Measure::length, model);
  return distance;
}

}  // namespace

JointEntry point_on_curve_entry() {
  using namespace joint_fields;
  const Field points =
      field("points", list_of(vector(3, "m"), 2),
            "on the curve, in order, in the initial pose, world frame; smooth between (cubic spline)")
          .must();
  const Field closed =
      field("closed", boolean(), "the curve returns to its first point").by_default(Value(false));
  return {
      {.name = "point-on-curve",
       .doc = "A point of the second body stays on a curve fixed in the first; all rotations free. Its "
              "coordinate is the arc length from the first point; an open curve goes on straight beyond its "
              "ends, where stops (lower, upper) can hold the point.",
       .fields =
           std::vector{between(), at(), points, closed} + rigid() + law_fields(multibody::Measure::length),
       .check = check},
      multibody::PointOnCurveJoint::coordinates,
      build};
}

}  // namespace hardpan::scenario
