// Soil of rigid grains: each is a body, and their contacts are rows of the one problem.
#include <algorithm>

#include <fmt/core.h>

#include "hardpan/core/log.h"
#include "hardpan/geometry/broad_phase.h"
#include "hardpan/geometry/collide.h"
#include "hardpan/scenario/ground.h"
#include "hardpan/scenario/ground_fill.h"
#include "hardpan/scenario/numbers.h"

namespace hardpan::scenario {
namespace {

geometry::Shape shape_of(const Vec3& radii) {
  if (radii.minCoeff() == radii.maxCoeff()) return geometry::Sphere{radii.x()};
  return geometry::Ellipsoid{radii};
}

multibody::Body body_of(const PlacedGrain& grain, const Vec3& axes, double density, const Quat& turn) {
  multibody::Body body;
  body.shapes = {{shape_of(grain.radius * axes), Pose{}}};
  const geometry::Solid solid = geometry::solid(body.shapes[0].shape);
  body.mass = density * solid.volume;
  body.inertia = body.mass * solid.inertia;
  body.pose = {grain.centre, turn};
  body.velocity = grain.velocity;
  return body;
}

void check_overlaps(const Value& ground, const multibody::Model& bodies,
                    const couple::ContactModel& contacts) {
  std::vector<Pose> poses;
  std::vector<geometry::Aabb> boxes;
  for (const couple::Surface& surface : contacts.surfaces) {
    poses.push_back(bodies.bodies[surface.body.index()].pose * surface.placed.pose);
    boxes.push_back(geometry::bounds(surface.placed.shape, poses.back()));
  }
  const std::size_t machine = contacts.surfaces.size() - contacts.grains;
  geometry::BroadPhase broad_phase;
  std::vector<geometry::ContactPoint> points;
  for (const auto& [a, b] : broad_phase.pairs(boxes)) {
    if (!contacts.is_grain(b)) continue;  // nor is the first, then
    points.clear();
    geometry::collide(contacts.surfaces[a].placed.shape, poses[a], contacts.surfaces[b].placed.shape,
                      poses[b], 0, points);
    const multibody::Body& other = bodies.bodies[contacts.surfaces[a].body.index()];
    const double radius = 0.5 * (boxes[b].high - boxes[b].low).maxCoeff();
    for (const geometry::ContactPoint& point : points)
      if (-point.gap > allowed_overlap * radius)
        complain_of_overlap(ground, b - machine, poses[b].x, radius, -point.gap,
                            contacts.is_grain(a) ? other.name : fmt::format("body '{}'", other.name));
  }
}

}  // namespace

void add_rigid_grains(const Value& scenario, multibody::Model& bodies, couple::ContactModel& contacts) {
  if (!has_rigid_grains(scenario)) return;
  const Value& ground = scenario.at("ground");
  const std::string& material = ground.at("material").text();
  const double density = scenario.at("materials").at(material).at("density").number();
  const auto index =
      static_cast<std::size_t>(std::ranges::find(contacts.materials, material) - contacts.materials.begin());
  const Vec3 axes = grain_axes(ground);
  RandomTurns turn(scenario);
  for (const PlacedGrain& grain : placed_grains(scenario)) {
    const multibody::BodyId id(bodies.bodies.size());
    bodies.bodies.push_back(body_of(grain, axes, density, axes == Vec3::Ones() ? Quat::Identity() : turn()));
    bodies.bodies.back().name = fmt::format("grain {}", bodies.grains++);
    contacts.surfaces.push_back({id, bodies.bodies.back().shapes[0], index});
    ++contacts.grains;
  }
  check_overlaps(ground, bodies, contacts);
  constexpr std::size_t many = 500;
  const std::string& solver = scenario.at("solver").at("kind").text();
  if (bodies.grains > many && solver != "pgs" && solver != "apgd")
    log::note("{} rigid grains are many for solver.kind: {}; pgs and apgd are faster by far", bodies.grains,
              solver);
}

}  // namespace hardpan::scenario
