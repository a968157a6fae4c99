#include "hardpan/lab/beam_bending.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace hardpan::lab {
namespace {

enum ColumnOf : std::size_t { press_way, press_force, deflection };

// Of cross-sections, by their place along x at first.
class WayDown {
 public:
  explicit WayDown(const meshfree::Solid& solid) {
    const meshfree::Cloud& cloud = solid.model().cloud;
    const double apart = 0.1 * cloud.spacing;         // what is nearer belongs to one cross-section
    std::map<long long, std::array<double, 3>> sums;  // volume, and with it x and the way
    for (std::size_t i = 0; i < solid.size(); ++i) {
      const double x = cloud.position[i].x(), V = cloud.volume[i];
      auto& sum = sums[std::llround(x / apart)];
      sum[0] += V;
      sum[1] += V * x;
      sum[2] += V * (cloud.position[i].z() - solid.position(i).z());
    }
    std::vector<Curve::Point> points;
    for (const auto& [key, sum] : sums) points.push_back({sum[1] / sum[0], sum[2] / sum[0]});
    way_ = Curve(std::move(points), Curve::Beyond::level);
  }
  double at(double x) const { return way_.value(x); }

 private:
  Curve way_;
};

double deflection_of(const meshfree::Solid& solid, const BeamBendingSetup& setup) {
  const WayDown way(solid);
  return way.at(setup.middle) - 0.5 * (way.at(setup.supports[0]) + way.at(setup.supports[1]));
}

Row reduce(const BeamBendingSetup& setup, const std::vector<Row>& table) {
  const double rows_at_rest = std::floor(setup.from / setup.every * (1 + 1e-9));
  const std::size_t first =
      std::min(table.size() - 1, static_cast<std::size_t>(std::max(0.0, rows_at_rest - 1)));
  const double at_rest = table[first][deflection];
  double most = 0, force = 0, there = std::numeric_limits<double>::quiet_NaN();
  for (std::size_t k = first; k < table.size(); ++k) {
    const double bent = table[k][deflection] - at_rest;
    most = std::max(most, bent);
    if (table[k][press_force] > force) force = table[k][press_force], there = bent;
  }
  return {most, table.back()[deflection] - at_rest, force, force / there};
}

}  // namespace

Measurement beam_bending(const BeamBendingSetup& setup) {
  return {{{"press_way", "m"}, {"press_force", "N"}, {"deflection", "m"}},
          [setup](const World& world) { return Row{world.bodies.pose(setup.press).x.z()}; },
          [setup](const World& world, const Row& start) {
            return Row{start[0] - world.bodies.pose(setup.press).x.z(),
                       world.solid_contacts->force(setup.press, world.step).z(),
                       deflection_of(*world.solid, setup)};
          },
          {"deflection_m", "residual_deflection_m", "press_force_max_N", "stiffness_N_per_m"},
          [setup](const std::vector<Row>& table, const Row&) { return reduce(setup, table); }};
}

}  // namespace hardpan::lab
