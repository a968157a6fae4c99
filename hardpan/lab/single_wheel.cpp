#include "hardpan/lab/single_wheel.h"

#include <algorithm>
#include <cmath>

#include "hardpan/core/error.h"
#include "hardpan/lab/soil.h"

namespace hardpan::lab {
namespace {

enum ColumnOf { distance, drawbar_pull, torque, sinkage, columns };

double torque_of(const multibody::System& bodies, const std::string& motor, double step) {
  const auto all = bodies.couplings();
  const auto found = std::ranges::find(all, motor, &multibody::CouplingInfo::name);
  HARDPAN_CHECK(found != all.end(), "no motor named " + motor);
  return bodies.force(*found, 0, step);
}

Row reduce(const SingleWheelSetup& setup, const std::vector<Row>& table) {
  const auto first = static_cast<std::size_t>(setup.from * static_cast<double>(table.size() - 1));
  const double n = static_cast<double>(table.size() - first);
  Row mean(columns, 0.0), square(columns, 0.0);
  for (std::size_t k = first; k < table.size(); ++k)
    for (std::size_t c = 0; c < columns; ++c) mean[c] += table[k][c] / n;
  for (std::size_t k = first; k < table.size(); ++k)
    for (std::size_t c = 0; c < columns; ++c) square[c] += std::pow(table[k][c] - mean[c], 2) / n;
  return {mean[drawbar_pull],
          mean[torque],
          mean[sinkage],
          std::sqrt(square[drawbar_pull]),
          std::sqrt(square[torque]),
          std::sqrt(square[sinkage])};
}

}  // namespace

Measurement single_wheel(const SingleWheelSetup& setup) {
  return {{{"distance", "m"}, {"drawbar_pull", "N"}, {"torque", "N m"}, {"sinkage", "m"}},
          [setup](const World& world) {
            const Vec3 x = world.bodies.pose(setup.wheel).x;
            return Row{setup.direction.dot(x), x.z()};
          },
          [setup](const World& world, const Row& start) {
            const Vec3 x = world.bodies.pose(setup.wheel).x;
            return Row{setup.direction.dot(x) - start[0], setup.direction.dot(soil_force(world, setup.wheel)),
                       torque_of(world.bodies, setup.motor, world.step), start[1] - x.z()};
          },
          {"drawbar_pull_N", "torque_Nm", "sinkage_m", "drawbar_pull_spread_N", "torque_spread_Nm",
           "sinkage_spread_m"},
          [setup](const std::vector<Row>& table, const Row&) { return reduce(setup, table); }};
}

}  // namespace hardpan::lab
