#include "hardpan/lab/direct_shear.h"

#include <algorithm>
#include <cmath>

#include "hardpan/lab/soil.h"

namespace hardpan::lab {
namespace {

enum ColumnOf { displacement, shear_stress, normal_stress, lid_stress, dilation, contacts_of_grain, columns };
enum StartOf { place, lid_height, void_ratio, numbers };

// Solid volume of all grains, and mass of those above the plane.
struct Soil {
  double volume = 0, mass_above = 0;

  Soil(const World& world, double plane) {
    each_lump(world, [&](const Lump& lump) {
      volume += lump.volume;
      if (lump.at.z() > plane) mass_above += lump.mass;
    });
  }
};

Row at_start(const DirectShearSetup& setup, const World& world) {
  const Soil soil(world, setup.plane);
  const double lid = world.bodies.pose(setup.lid).x.z();
  const double risen = lid - world.bodies.model().bodies[setup.lid.index()].pose.x.z();
  Row start(numbers);
  start[place] = setup.direction.dot(world.bodies.pose(setup.moving).x);
  start[lid_height] = lid;
  start[void_ratio] = (setup.height + risen) * setup.area / soil.volume - 1;
  return start;
}

Row read(const DirectShearSetup& setup, const World& world, const Row& start) {
  const Vec3 on_lid = soil_force(world, setup.lid);
  Vec3 force = on_lid;
  if (setup.upper.valid()) force += soil_force(world, setup.upper);
  const double g = -world.bodies.model().gravity.z();
  Row now(columns);
  now[displacement] = setup.direction.dot(world.bodies.pose(setup.moving).x) - start[place];
  now[shear_stress] = setup.direction.dot(force) / setup.area;
  now[normal_stress] = (force.z() + g * Soil(world, setup.plane).mass_above) / setup.area;
  now[lid_stress] = on_lid.z() / setup.area;
  now[dilation] = world.bodies.pose(setup.lid).x.z() - start[lid_height];
  now[contacts_of_grain] = coordination(world);
  return now;
}

Row reduce(const DirectShearSetup& setup, const std::vector<Row>& table, const Row& start) {
  const double way = table.back()[displacement], last = (1 - setup.residual) * way;
  double peak_ratio = 0, peak_applied = 0, peak = 0;
  Row residual(columns, 0.0);
  double rows = 0;
  for (const Row& row : table) {
    peak_ratio = std::max(peak_ratio, row[shear_stress] / row[normal_stress]);
    peak_applied = std::max(peak_applied, row[shear_stress] / row[lid_stress]);
    peak = std::max(peak, row[shear_stress]);
    if (row[displacement] < last) continue;
    for (std::size_t k = 0; k < columns; ++k) residual[k] += row[k];
    rows += 1;
  }
  for (double& value : residual) value /= rows;
  return {peak_ratio,
          residual[shear_stress] / residual[normal_stress],
          peak,
          residual[shear_stress],
          residual[normal_stress],
          start[void_ratio],
          residual[dilation],
          peak_applied,
          residual[shear_stress] / residual[lid_stress],
          residual[lid_stress]};
}

}  // namespace

Measurement direct_shear(const DirectShearSetup& setup) {
  return {{{"displacement", "m"},
           {"shear_stress", "Pa"},
           {"normal_stress", "Pa"},
           {"lid_stress", "Pa"},
           {"dilation", "m"},
           {"coordination", ""}},
          [setup](const World& world) { return at_start(setup, world); },
          [setup](const World& world, const Row& start) { return read(setup, world, start); },
          {"peak_stress_ratio", "residual_stress_ratio", "peak_shear_stress_Pa", "residual_shear_stress_Pa",
           "normal_stress_Pa", "void_ratio_initial", "dilation_m", "peak_applied_ratio",
           "residual_applied_ratio", "lid_stress_Pa"},
          [setup](const std::vector<Row>& table, const Row& start) { return reduce(setup, table, start); }};
}

}  // namespace hardpan::lab
