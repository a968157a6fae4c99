#include "hardpan/lab/cone_penetrometer.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/core.h>

namespace hardpan::lab {
namespace {

constexpr std::size_t depth = 0;  // column
constexpr double not_read = std::numeric_limits<double>::quiet_NaN();

// Of the table: the last row that ends by a time; as many as there are rows where it comes after all.
std::size_t row_at(const ConePenetrometerSetup& setup, double time) {
  return static_cast<std::size_t>(std::max(1.0, std::floor(time / setup.every * (1 + 1e-9)))) - 1;
}

Row reduce(const ConePenetrometerSetup& setup, const std::vector<Row>& table) {
  const auto read = [&](std::size_t k) {
    const std::size_t last = row_at(setup, setup.reads[k]);
    const std::size_t first = std::min(last, row_at(setup, setup.reads[k] - setup.window) + 1);
    if (last >= table.size()) return not_read;
    double sum = 0;
    for (std::size_t row = first; row <= last; ++row) sum += table[row][depth];
    return sum / static_cast<double>(last - first + 1);
  };
  const std::size_t blows = setup.reads.size() - 1;
  const auto by = [&](std::size_t k) { return read(k + 1) - read(k); };
  const double all = read(blows) - read(0);
  Row out{all, by(0), by(blows - 1), static_cast<double>(blows) * setup.energy / all};
  for (std::size_t k = 0; k < blows; ++k) {
    out.push_back(by(k));
    out.push_back(setup.energy / by(k));
  }
  return out;
}

std::vector<std::string> metric_names(std::size_t blows) {
  std::vector<std::string> names = {"penetration_m", "penetration_first_m", "penetration_last_m",
                                    "resistance_N"};
  for (std::size_t k = 1; k <= blows; ++k) {
    names.push_back(fmt::format("penetration_{}_m", k));
    names.push_back(fmt::format("resistance_{}_N", k));
  }
  return names;
}

}  // namespace

Measurement cone_penetrometer(const ConePenetrometerSetup& setup) {
  const auto height = [setup](const World& world) {
    return world.bodies.pose(setup.weight).x.z() - world.bodies.pose(setup.cone).x.z();
  };
  return {{{"depth", "m"}, {"soil_force", "N"}, {"weight_height", "m"}, {"blow", ""}},
          [setup, height](const World& world) {
            return Row{world.bodies.pose(setup.cone).x.z(), height(world)};
          },
          [setup, height](const World& world, const Row& start) {
            const double early = world.time - 0.5 * world.step;
            const auto begun = std::ranges::count_if(setup.reads, [&](double read) { return read < early; });
            const auto blows = static_cast<std::ptrdiff_t>(setup.reads.size()) - 1;
            return Row{start[0] - world.bodies.pose(setup.cone).x.z(),
                       world.solid_contacts->force(setup.cone, world.step).z(), height(world) - start[1],
                       static_cast<double>(std::min(begun, blows))};
          },
          metric_names(setup.reads.size() - 1),
          [setup](const std::vector<Row>& table, const Row&) { return reduce(setup, table); }};
}

}  // namespace hardpan::lab
