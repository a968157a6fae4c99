#include "hardpan/lab/pressure_sinkage.h"

#include <algorithm>

#include "hardpan/lab/soil.h"

namespace hardpan::lab {
namespace {

enum ColumnOf { sinkage, pressure };

double slope(const std::vector<Row>& table) {
  const double n = static_cast<double>(table.size());
  double z = 0, p = 0, zz = 0, zp = 0;
  for (const Row& row : table) z += row[sinkage] / n, p += row[pressure] / n;
  for (const Row& row : table) {
    zz += (row[sinkage] - z) * (row[sinkage] - z);
    zp += (row[sinkage] - z) * (row[pressure] - p);
  }
  return zz > 0 ? zp / zz : 0;
}

}  // namespace

Measurement pressure_sinkage(const PressureSinkageSetup& setup) {
  return {{{"sinkage", "m"}, {"pressure", "Pa"}},
          [setup](const World& world) { return Row{world.bodies.pose(setup.plate).x.z()}; },
          [setup](const World& world, const Row& start) {
            return Row{start[0] - world.bodies.pose(setup.plate).x.z(),
                       soil_force(world, setup.plate).z() / setup.area};
          },
          {"pressure_slope_Pa_per_m", "max_pressure_Pa"},
          [](const std::vector<Row>& table, const Row&) {
            double most = 0;
            for (const Row& row : table) most = std::max(most, row[pressure]);
            return Row{slope(table), most};
          }};
}

}  // namespace hardpan::lab
