#include "hardpan/lab/silo_pressure.h"

#include <cmath>

#include "hardpan/lab/soil.h"

namespace hardpan::lab {
namespace {

enum ColumnOf { sinking, floor_stress, wall_stress, vertical_stress, mobilised_friction, height, columns };
enum StartOf { place, weight, friction, numbers };

double gravity_of(const World& world) { return -world.bodies.model().gravity.z(); }

// Sums over the contacts of the soil, N and N m.
struct Sums {
  double walls_pressed = 0, walls_rubbed = 0;  // sideways, and upwards on the grains
  double vertical_moment = 0;                  // f_z l_z, negative where grains press each other
};

Sums sums_of(const couple::GrainBed& bed) {
  const grains::System& grains = bed.grains();
  const auto& state = grains.state();
  Sums sums;
  for (const auto& [i, j, force, arm] : grains.contact_forces()) {
    const grains::Vec way = grains.model().space.shortest(state[i].position - state[j].position);
    sums.vertical_moment += force.z * way.z;
  }
  grains.each_touch([&](const grains::WallTouch& touch) {
    sums.vertical_moment -= touch.force.z * grains.radius(touch.grain) * touch.normal.z;
    if (std::abs(touch.normal.z) > 0.5) return;  // the floor
    sums.walls_pressed += dot(touch.force, touch.normal);
    sums.walls_rubbed += touch.force.z;
  });
  return sums;
}

// Of the grains, all of one kind, and the walls.
double friction_of(const couple::GrainBed& bed, multibody::BodyId walls) {
  for (const couple::Surface& surface : bed.model().surfaces)
    if (surface.body == walls) return bed.model().law(bed.grains().material(0), surface.material).friction;
  return 0;
}

Row at_start(const SiloPressureSetup& setup, const World& world) {
  return {world.bodies.pose(setup.floor).x.z(), gravity_of(world) * world.grains->grains().total_mass(),
          friction_of(*world.grains, setup.walls)};
}

Row read(const SiloPressureSetup& setup, const World& world, const Row& start) {
  const double floor = world.bodies.pose(setup.floor).x.z();
  double mass = 0, moment = 0;
  each_lump(world, [&](const Lump& lump) {
    mass += lump.mass;
    moment += lump.mass * (lump.at.z() - floor - setup.top);
  });
  const Sums sums = sums_of(*world.grains);
  Row now(columns);
  now[sinking] = start[place] - floor;
  now[height] = 2 * moment / mass;
  now[floor_stress] = -world.grains->force(setup.floor).z() / setup.area;
  now[wall_stress] = sums.walls_pressed / (setup.perimeter * now[height]);
  now[vertical_stress] = -sums.vertical_moment / (setup.area * now[height]);
  now[mobilised_friction] = sums.walls_pressed > 0 ? sums.walls_rubbed / sums.walls_pressed : 0;
  return now;
}

Row reduce(const SiloPressureSetup& setup, const std::vector<Row>& table, const Row& start) {
  const auto first = static_cast<std::size_t>(setup.from * static_cast<double>(table.size() - 1));
  Row mean(columns, 0.0);
  for (std::size_t k = first; k < table.size(); ++k)
    for (std::size_t c = 0; c < columns; ++c)
      mean[c] += table[k][c] / static_cast<double>(table.size() - first);
  const double K = mean[wall_stress] / mean[vertical_stress];
  const double L = setup.area / (setup.perimeter * start[friction] * K);
  const double weight_stress = start[weight] / setup.area;  // rho_b g H
  const double janssen = weight_stress * L / mean[height] * (1 - std::exp(-mean[height] / L));
  return {
      mean[floor_stress], janssen, mean[floor_stress] / janssen, K, mean[mobilised_friction], mean[height], L,
      weight_stress};
}

}  // namespace

Measurement silo_pressure(const SiloPressureSetup& setup) {
  return {{{"sinking", "m"},
           {"floor_stress", "Pa"},
           {"wall_stress", "Pa"},
           {"vertical_stress", "Pa"},
           {"mobilised_friction", ""},
           {"height", "m"}},
          [setup](const World& world) { return at_start(setup, world); },
          [setup](const World& world, const Row& start) { return read(setup, world, start); },
          {"floor_stress_Pa", "janssen_stress_Pa", "floor_over_janssen", "lateral_ratio",
           "mobilised_friction", "height_m", "janssen_length_m", "weight_stress_Pa"},
          [setup](const std::vector<Row>& table, const Row& start) { return reduce(setup, table, start); }};
}

}  // namespace hardpan::lab
