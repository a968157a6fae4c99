#include "hardpan/lab/triaxial.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "hardpan/lab/soil.h"

namespace hardpan::lab {
namespace {

enum ColumnOf {
  axial_strain,
  volume_strain,
  axial_stress,
  radial_stress,
  void_ratio,
  contacts_of_grain,
  columns
};
enum StartOf { height, volume, solid, numbers };

Vec3 size_now(const TriaxialSetup& setup, const multibody::System& bodies) {
  Vec3 size = setup.size;
  for (int k = 0; k < 3; ++k) {
    const multibody::BodyId wall = setup.walls[static_cast<std::size_t>(k)];
    size[k] += bodies.pose(wall).x[k] - bodies.model().bodies[wall.index()].pose.x[k];
  }
  return size;
}

Row at_start(const TriaxialSetup& setup, const World& world) {
  const Vec3 size = size_now(setup, world.bodies);
  Row start(numbers);
  start[height] = size.z();
  start[volume] = size.prod();
  each_lump(world, [&](const Lump& lump) { start[solid] += lump.volume; });
  return start;
}

Row read(const TriaxialSetup& setup, const World& world, const Row& start) {
  const Vec3 size = size_now(setup, world.bodies);
  Vec3 stress;
  for (int k = 0; k < 3; ++k)
    stress[k] = soil_force(world, setup.walls[static_cast<std::size_t>(k)])[k] * size[k] / size.prod();
  Row now(columns);
  now[axial_strain] = 1 - size.z() / start[height];
  now[volume_strain] = size.prod() / start[volume] - 1;
  now[axial_stress] = stress.z();
  now[radial_stress] = 0.5 * (stress.x() + stress.y());
  now[void_ratio] = size.prod() / start[solid] - 1;
  now[contacts_of_grain] = coordination(world);
  return now;
}

double angle_deg(double ratio) { return std::asin((ratio - 1) / (ratio + 1)) * 180 / std::numbers::pi; }

Row reduce(const TriaxialSetup& setup, const std::vector<Row>& table, const Row& start) {
  const double last = (1 - setup.residual) * table.back()[axial_strain];
  double peak = 0, strain_there = 0, error = 0, largest_error = 0, rows = 0;
  Row residual(columns, 0.0);
  for (const Row& row : table) {
    const double ratio = row[axial_stress] / row[radial_stress];
    if (ratio > peak) {
      peak = ratio;
      strain_there = row[axial_strain];
    }
    const double off = std::abs(row[radial_stress] / setup.stress - 1);
    error += off / static_cast<double>(table.size());
    largest_error = std::max(largest_error, off);
    if (row[axial_strain] < last) continue;
    for (std::size_t k = 0; k < columns; ++k) residual[k] += row[k];
    rows += 1;
  }
  for (double& value : residual) value /= rows;
  const double left = residual[axial_stress] / residual[radial_stress];
  return {angle_deg(peak),
          angle_deg(left),
          peak,
          left,
          strain_there,
          start[volume] / start[solid] - 1,
          residual[void_ratio],
          error,
          largest_error};
}

}  // namespace

Measurement triaxial(const TriaxialSetup& setup) {
  return {{{"axial_strain", ""},
           {"volume_strain", ""},
           {"axial_stress", "Pa"},
           {"radial_stress", "Pa"},
           {"void_ratio", ""},
           {"coordination", ""}},
          [setup](const World& world) { return at_start(setup, world); },
          [setup](const World& world, const Row& start) { return read(setup, world, start); },
          {"peak_friction_angle_deg", "residual_friction_angle_deg", "peak_stress_ratio",
           "residual_stress_ratio", "peak_axial_strain", "void_ratio_initial", "void_ratio_residual",
           "radial_stress_error", "radial_stress_error_max"},
          [setup](const std::vector<Row>& table, const Row& start) { return reduce(setup, table, start); }};
}

}  // namespace hardpan::lab
