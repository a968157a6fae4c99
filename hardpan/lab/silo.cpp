#include "hardpan/lab/silo.h"

#include "hardpan/lab/soil.h"

namespace hardpan::lab {
namespace {

double mass_below(const World& world, double height) {
  double mass = 0;
  each_lump(world, [&](const Lump& lump) {
    if (lump.at.z() < height) mass += lump.mass;
  });
  return mass;
}

// Least squares of evenly spaced values.
double slope(const std::vector<double>& values, double interval) {
  const double n = static_cast<double>(values.size()), middle = 0.5 * (n - 1);
  double up = 0, down = 0;
  for (std::size_t k = 0; k < values.size(); ++k) {
    const double x = static_cast<double>(k) - middle;
    up += x * values[k];
    down += x * x;
  }
  return down > 0 ? up / down / interval : 0;
}

}  // namespace

Measurement silo_discharge(const SiloSetup& setup) {
  return {{{"discharged", "kg"}},
          [setup](const World& world) {
            return Row{mass_below(world, setup.outlet), soil_mass(world)};
          },
          [setup](const World& world, const Row& start) {
            return Row{mass_below(world, setup.outlet) - start[0]};
          },
          {"mass_rate_kg_per_s", "discharged_kg", "discharged_share"},
          [setup](const std::vector<Row>& table, const Row& start) {
            const double rows = static_cast<double>(table.size());
            std::vector<double> mass;
            for (std::size_t k = 0; k < table.size(); ++k) {
              const double share = (static_cast<double>(k) + 1) / rows;
              if (share >= setup.from && share <= setup.to) mass.push_back(table[k][0]);
            }
            return Row{slope(mass, setup.interval), table.back()[0], table.back()[0] / start[1]};
          }};
}

}  // namespace hardpan::lab
