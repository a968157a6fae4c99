#include "hardpan/lab/single_wheel.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "hardpan/core/error.h"
#include "hardpan/lab/soil.h"

namespace hardpan::lab {
namespace {

enum ColumnOf { distance, drawbar_pull, torque, sinkage, columns, rut = columns };

// In radii: there the dent of the start has faded, and the soil behind the wheel rests.
constexpr double beyond_start = 1, behind_wheel = 0.5;

double torque_of(const multibody::System& bodies, const std::string& motor, double step) {
  const auto all = bodies.couplings();
  const auto found = std::ranges::find(all, motor, &multibody::CouplingInfo::name);
  HARDPAN_CHECK(found != all.end(), "no motor named " + motor);
  return bodies.force(*found, 0, step);
}

double top_of(const meshfree::Cloud& cloud) {
  double top = -std::numeric_limits<double>::infinity();
  for (const Vec3& x : cloud.position) top = std::max(top, x.z());
  return top;
}

// How much the surface has gone down, where `counts`; not a number where nothing does.
template <class Counts>
double depth_of_surface(const meshfree::Solid& solid, const Counts& counts) {
  const meshfree::Cloud& cloud = solid.model().cloud;
  const double top = top_of(cloud);
  double sum = 0;
  std::size_t count = 0;
  for (std::size_t i = 0; i < cloud.size(); ++i) {
    if (cloud.position[i].z() < top - 0.01 * cloud.spacing || !counts(cloud.position[i])) continue;
    sum += cloud.position[i].z() - solid.position(i).z();
    ++count;
  }
  return count > 0 ? sum / static_cast<double>(count) : std::numeric_limits<double>::quiet_NaN();
}

Row reduce(const SingleWheelSetup& setup, const std::vector<Row>& table) {
  const double rows = static_cast<double>(table.size() - 1);
  const auto first = static_cast<std::size_t>(setup.from * rows),
             last = std::max(first, static_cast<std::size_t>(setup.until * rows));
  const double n = static_cast<double>(last + 1 - first);
  Row mean(columns, 0.0), square(columns, 0.0);
  for (std::size_t k = first; k <= last; ++k)
    for (std::size_t c = 0; c < columns; ++c) mean[c] += table[k][c] / n;
  for (std::size_t k = first; k <= last; ++k)
    for (std::size_t c = 0; c < columns; ++c) square[c] += std::pow(table[k][c] - mean[c], 2) / n;
  Row metrics{mean[drawbar_pull],
              mean[torque],
              mean[sinkage],
              std::sqrt(square[drawbar_pull]),
              std::sqrt(square[torque]),
              std::sqrt(square[sinkage])};
  if (setup.rut_width > 0) metrics.push_back(table.back()[rut]);
  return metrics;
}

}  // namespace

double rut_depth(const SingleWheelSetup& setup, const World& world, const Row& start) {
  const Vec3 wheel = world.bodies.pose(setup.wheel).x, across = Vec3::UnitZ().cross(setup.direction);
  const double first = start[0] + beyond_start * setup.radius;
  const double last = setup.direction.dot(wheel) - behind_wheel * setup.radius;
  return depth_of_surface(*world.solid,
                          [&](const Vec3& x) {
                            const double along = setup.direction.dot(x);
                            return along >= first && along <= last &&
                                   std::abs(across.dot(x - wheel)) <= 0.5 * setup.rut_width;
                          }) -
         start[2];
}

Measurement single_wheel(const SingleWheelSetup& setup) {
  std::vector<Column> table{{"distance", "m"}, {"drawbar_pull", "N"}, {"torque", "N m"}, {"sinkage", "m"}};
  std::vector<std::string> metrics{"drawbar_pull_N",        "torque_Nm",        "sinkage_m",
                                   "drawbar_pull_spread_N", "torque_spread_Nm", "sinkage_spread_m"};
  if (setup.rut_width > 0) {
    table.push_back({"rut_depth", "m"});
    metrics.push_back("rut_depth_m");
  }
  return {table,
          [setup](const World& world) {
            const Vec3 x = world.bodies.pose(setup.wheel).x;
            Row start{setup.direction.dot(x), x.z()};
            if (setup.rut_width > 0)
              start.push_back(depth_of_surface(*world.solid, [](const Vec3&) { return true; }));
            return start;
          },
          [setup](const World& world, const Row& start) {
            const Vec3 x = world.bodies.pose(setup.wheel).x;
            Row row{setup.direction.dot(x) - start[0], setup.direction.dot(soil_force(world, setup.wheel)),
                    torque_of(world.bodies, setup.motor, world.step), start[1] - x.z()};
            if (setup.rut_width > 0) row.push_back(rut_depth(setup, world, start));
            return row;
          },
          metrics, [setup](const std::vector<Row>& rows, const Row&) { return reduce(setup, rows); }};
}

}  // namespace hardpan::lab
