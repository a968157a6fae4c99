#include "hardpan/scenario/scene_builder.h"

#include <cmath>

#include "hardpan/geometry/aabb.h"
#include "hardpan/record/scene.h"
#include "hardpan/record/tessellate.h"
#include "hardpan/scenario/ground.h"

namespace hardpan::scenario {
namespace {

// What there is at the start, but for grounds without end.
geometry::Aabb extent_of(const multibody::Model& model) {
  geometry::Aabb all;
  for (const multibody::Body& body : model.bodies) {
    if (!body.fixed) all = all.merged(body.pose.x);
    for (const geometry::PlacedShape& placed : body.shapes) {
      const geometry::Aabb box = geometry::bounds(placed.shape, body.pose * placed.pose);
      if (box.low.allFinite() && box.high.allFinite()) all = all.merged(box);
    }
  }
  return all;
}

// A square below everything, several times as large.
record::PlaneView view_of_plane(const geometry::Aabb& extent, const Pose& plane) {
  const double reach = (extent.high - extent.low).norm();
  if (!(reach > 0 && std::isfinite(reach))) return {};
  return {plane.local_point((extent.low + extent.high) / 2), 4 * reach};
}

}  // namespace

std::string scene_of(const Simulation& simulation, const Value& resolved) {
  const multibody::System& system = simulation.bodies;
  record::Scene scene;
  geometry::Aabb extent = extent_of(system.model());
  if (simulation.grains) {
    scene.spheres.push_back({"grains", "grains/position", "grains/radius"});
    scene.rods.push_back({"force chains", "chains/ends", "chains/force"});
    for (const grains::Ball& ball : simulation.grains->grains().state().spheres())
      extent = extent.merged(Vec3(ball.position.x, ball.position.y, ball.position.z));
  }
  if (system.model().grains > 0) {
    scene.spheres.push_back({"grains", "grains/position", "grains/radius"});
    if (const Vec3 axes = grain_axes(resolved.at("ground")); axes != Vec3::Ones()) {
      scene.spheres.back().orientation = "grains/orientation";
      scene.spheres.back().axes = axes;
    }
    scene.rods.push_back({"force chains", "chains/ends", "chains/force"});
  }
  if (simulation.solid) {
    scene.spheres.push_back({"solid", "solid/position", "solid/radius"});
    if (simulation.solid->yields()) scene.field = "solid/plastic_strain";
    for (const Vec3& x : simulation.solid->model().cloud.position) extent = extent.merged(x);
  }
  for (const multibody::Body& body : system.model().machine()) {
    const bool glass = resolved.at("bodies").at(body.name).at("appearance").text() == "glass";
    scene.bodies.push_back({body.name, {}, body.mass, body.fixed, glass});
    for (const geometry::PlacedShape& placed : body.shapes)
      scene.bodies.back().parts.push_back(
          {record::drawn(placed.shape, view_of_plane(extent, body.pose * placed.pose)),
           {placed.pose.x - body.origin, placed.pose.q},
           !geometry::is_solid(placed.shape)});
  }
  for (const multibody::JointInfo& joint : system.joints())
    scene.joints.push_back({joint.name, std::string(joint.kind)});
  return record::scene_json(scene);
}

}  // namespace hardpan::scenario
