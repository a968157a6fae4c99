#include "hardpan/lab/measurement.h"

#include <cmath>

#include <gtest/gtest.h>

#include "hardpan/core/error.h"
#include "hardpan/lab/direct_shear.h"

namespace hardpan::lab {
namespace {

struct Clock {
  multibody::System bodies{multibody::Model{}};
  couple::BodyContact contacts{couple::ContactModel{}, bodies};
  double now = 0;

  World world() const { return {bodies, contacts, 1, nullptr}; }

  Recording recording(std::int64_t stride) {
    return {{{{"t", "s"}, {"square", "s^2"}},
             [this](const World&) { return Row{now}; },
             [this](const World&, const Row& start) {
               return Row{now - start[0], now * now};
             },
             {"last"},
             [](const std::vector<Row>& table, const Row&) { return Row{table.back()[0]}; }},
            stride};
  }
  void advance(Recording& recording, int steps) {
    for (int k = 0; k < steps; ++k) {
      now += 1;
      recording.sample(world());
    }
  }
};

TEST(Recording, RowsAreMeans) {
  Clock clock;
  clock.now = 10;
  Recording recording = clock.recording(3);
  recording.begin(clock.world());
  EXPECT_EQ(recording.last(), (Row{0, 100}));
  EXPECT_TRUE(std::isnan(recording.metrics()[0].value));
  clock.advance(recording, 7);
  ASSERT_EQ(recording.rows().size(), 2u);
  EXPECT_EQ(recording.rows()[0], (Row{2, (121 + 144 + 169) / 3.0}));
  EXPECT_EQ(recording.last()[0], 5);
  EXPECT_EQ(recording.metrics()[0].name, "last");
  EXPECT_EQ(recording.metrics()[0].value, 5);
}

TEST(Recording, GoesOnAfterPacking) {
  Clock clock;
  Recording whole = clock.recording(4);
  whole.begin(clock.world());
  clock.advance(whole, 10);
  Recording second = clock.recording(4);
  second.begin(clock.world());
  second.unpack(whole.pack());
  clock.advance(second, 3);
  clock.now -= 3;
  clock.advance(whole, 3);
  EXPECT_EQ(whole.pack(), second.pack());
  EXPECT_EQ(second.rows().size(), 3u);
  EXPECT_THROW(second.unpack(Row{1, 2, 3}), IoError);
}

TEST(DirectShear, PeakAndResidualOfATable) {
  DirectShearSetup setup;
  setup.area = 1;
  const Measurement kind = direct_shear(setup);
  std::vector<Row> table;
  for (int k = 1; k <= 100; ++k) {
    const double x = 1e-4 * k, tau = k < 20 ? 100.0 * k : k <= 75 ? 1500 : 1000;
    table.push_back({x, tau, 2000, 1000, 1e-6 * k, 5});
  }
  const Row start = {0, 0, 0.6};
  const Row metrics = kind.reduce(table, start);
  ASSERT_EQ(metrics.size(), kind.metrics.size());
  EXPECT_DOUBLE_EQ(metrics[0], 1900.0 / 2000);
  EXPECT_NEAR(metrics[1], (25 * 1000 + 1500) / 26.0 / 2000, 1e-12);  // from 75 on
  EXPECT_DOUBLE_EQ(metrics[2], 1900);
  EXPECT_DOUBLE_EQ(metrics[4], 2000);
  EXPECT_DOUBLE_EQ(metrics[5], 0.6);
  EXPECT_NEAR(metrics[6], 87.5e-6, 1e-9);
  EXPECT_DOUBLE_EQ(metrics[7], 1.9);
  EXPECT_NEAR(metrics[8], 2 * metrics[1], 1e-12);
  EXPECT_DOUBLE_EQ(metrics[9], 1000);
}

}  // namespace
}  // namespace hardpan::lab
