#include "hardpan/lab/repose.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "hardpan/lab/silo.h"

namespace hardpan::lab {
namespace {

grains::System cone(double slope, double radius, double d) {
  grains::Model model;
  model.laws = {material::hertz_law({1e7, 0.3}, {1e7, 0.3}, 0.5, 0.5)};
  const int n = static_cast<int>(radius / d) + 1;
  for (int k = 0; k <= n; ++k)
    for (int j = -n; j <= n; ++j)
      for (int i = -n; i <= n; ++i) {
        const double x = d * i, y = d * j, z = d * (k + 0.5);
        if (z + 0.5 * d <= slope * (radius - std::hypot(x, y)) + 1e-9)
          model.grains.push_back({.position = {x + 0.3, y - 0.1, z + 2}, .radius = 0.5 * d, .density = 2500});
      }
  return grains::System(model);
}

TEST(Repose, FindsTheSlopeOfACone) {
  for (const double slope : {0.3, 0.6}) {
    const Heap heap = heap_of(cone(slope, 1, 0.02), {.floor = 2});
    EXPECT_NEAR(heap.angle, std::atan(slope), 0.03 * std::atan(slope));
    EXPECT_NEAR(heap.radius, 1, 0.05);
    EXPECT_NEAR(heap.height, slope, 0.021);
  }
}

TEST(Silo, RateIsTheSlopeOfTheMass) {
  const Measurement kind = silo_discharge({.outlet = 0, .interval = 0.1});
  std::vector<Row> table;
  for (int k = 1; k <= 40; ++k) table.push_back({k < 10 ? 0.5 * k : 5 + 0.3 * (k - 10)});
  const Row metrics = kind.reduce(table, {0, 100});
  EXPECT_NEAR(metrics[0], 3, 1e-9);  // from a quarter of the time on
  EXPECT_NEAR(metrics[1], 14, 1e-12);
  EXPECT_NEAR(metrics[2], 0.14, 1e-12);
}

}  // namespace
}  // namespace hardpan::lab
