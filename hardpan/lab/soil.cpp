#include "hardpan/lab/soil.h"

#include <numbers>

#include "hardpan/geometry/shape.h"

namespace hardpan::lab {
namespace {

Vec3 vec(const grains::Vec& v) { return {v.x, v.y, v.z}; }

void each_lump(const grains::System& grains, const std::function<void(const Lump&)>& visit) {
  for (std::size_t i = 0; i < grains.size(); ++i) {
    if (grains.is_member(i)) continue;
    const double r = grains.radius(i);
    visit({vec(grains.state()[i].position), grains.mass(i), 4.0 / 3.0 * std::numbers::pi * r * r * r});
  }
  const grains::Clumps& clumps = grains.clumps();
  for (std::size_t c = 0; c < clumps.size(); ++c)
    visit(
        {vec(clumps.state().position[c]), clumps.mass(c), clumps.mass(c) / grains.model().clumps[c].density});
}

}  // namespace

void each_lump(const World& world, const std::function<void(const Lump&)>& visit) {
  if (world.grains) each_lump(world.grains->grains(), visit);
  const multibody::Model& model = world.bodies.model();
  for (std::size_t i = model.machine().size(); i < model.bodies.size(); ++i)
    visit({world.bodies.pose(multibody::BodyId(i)).x, model.bodies[i].mass,
           geometry::solid(model.bodies[i].shapes[0].shape).volume});
}

double soil_mass(const World& world) {
  double mass = 0;
  each_lump(world, [&](const Lump& lump) { mass += lump.mass; });
  return mass;
}

Vec3 soil_force(const World& world, multibody::BodyId body) {
  if (world.grains) return world.grains->force(body);
  if (world.solid_contacts) return world.solid_contacts->force(body, world.step);
  return world.contacts.force_of_grains(body, world.step);
}

double coordination(const World& world) {
  return world.grains ? world.grains->grains().coordination() : world.contacts.coordination();
}

}  // namespace hardpan::lab
