#include "hardpan/lab/cone_penetrometer.h"

#include <cmath>

#include <gtest/gtest.h>

namespace hardpan::lab {
namespace {

ConePenetrometerSetup two_blows() {
  ConePenetrometerSetup setup;
  setup.cone = multibody::BodyId(0);
  setup.weight = multibody::BodyId(1);
  setup.energy = 30;
  setup.reads = {0.2, 0.5, 0.8};
  setup.every = 0.1;
  return setup;
}

TEST(ConePenetrometer, DepthsAreReadAtRest) {
  const Measurement kind = cone_penetrometer(two_blows());
  std::vector<Row> table;
  for (const double z : {0.005, 0.01, 0.05, 0.045, 0.04, 0.065, 0.063, 0.06}) table.push_back({z, 0, 0, 0});
  const Row metrics = kind.reduce(table, {});
  ASSERT_EQ(metrics.size(), kind.metrics.size());
  EXPECT_NEAR(metrics[0], 0.05, 1e-15);
  EXPECT_NEAR(metrics[1], 0.03, 1e-15);
  EXPECT_NEAR(metrics[2], 0.02, 1e-15);
  EXPECT_NEAR(metrics[3], 60 / 0.05, 1e-9);
  EXPECT_EQ(kind.metrics[6], "penetration_2_m");
  EXPECT_NEAR(metrics[6], 0.02, 1e-15);
  EXPECT_NEAR(metrics[7], 30 / 0.02, 1e-9);
  ConePenetrometerSetup longer = two_blows();
  longer.window = 0.2;
  EXPECT_NEAR(cone_penetrometer(longer).reduce(table, {})[2], 0.0615 - 0.0425, 1e-15);
  table.pop_back();  // called off before the last reading
  EXPECT_NEAR(kind.reduce(table, {})[1], 0.03, 1e-15);
  EXPECT_TRUE(std::isnan(kind.reduce(table, {})[2]));
}

}  // namespace
}  // namespace hardpan::lab
