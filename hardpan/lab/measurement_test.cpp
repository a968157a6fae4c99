#include "hardpan/lab/measurement.h"

#include <cmath>

#include <gtest/gtest.h>

#include "hardpan/core/error.h"
#include "hardpan/lab/direct_shear.h"
#include "hardpan/lab/pressure_sinkage.h"
#include "hardpan/lab/single_wheel.h"

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

// p = 3000 z + 50, once disturbed: the line, and the largest value.
TEST(PressureSinkage, SlopeOfATable) {
  const Measurement kind = pressure_sinkage({});
  std::vector<Row> table;
  for (int k = 0; k <= 10; ++k) table.push_back({1e-3 * k, 3000 * 1e-3 * k + 50});
  EXPECT_NEAR(kind.reduce(table, {0})[0], 3000, 1e-9);
  table[5][1] = 1000;  // in the middle: no slope
  EXPECT_NEAR(kind.reduce(table, {0})[0], 3000, 1e-9);
  EXPECT_EQ(kind.reduce(table, {0})[1], 1000);
}

TEST(SingleWheel, MeansAndSpreadOfTheSecondHalf) {
  const Measurement kind = single_wheel({});
  std::vector<Row> table;
  for (int k = 0; k < 101; ++k) table.push_back({0.01 * k, k < 50 ? 99.0 : k % 2 ? 4.0 : 6.0, 2, 1e-3 * k});
  const Row metrics = kind.reduce(table, {});
  ASSERT_EQ(metrics.size(), kind.metrics.size());
  EXPECT_NEAR(metrics[0], 5, 0.03);
  EXPECT_NEAR(metrics[1], 2, 1e-12);
  EXPECT_NEAR(metrics[2], 0.075, 1e-12);
  EXPECT_NEAR(metrics[3], 1, 0.01);
  EXPECT_NEAR(metrics[4], 0, 1e-12);
  EXPECT_NEAR(metrics[5], 1e-3 * std::sqrt((51.0 * 51 - 1) / 12), 1e-12);
}

// A wheel that has moved by (0.2, 0, -0.03) m.
TEST(SingleWheel, ReadsWayAndSinkage) {
  multibody::Model model;
  model.bodies.emplace_back();
  model.bodies[0].pose.x = Vec3(0.5, 0, 0.1);
  multibody::Shaft shaft;
  const multibody::CoordinateRef ref = add(model, std::move(shaft));
  multibody::Motor motor;
  motor.name = "spin";
  motor.axes[0].terms = {{ref, 1.0}};
  motor.target = Curve::constant(2);
  add(model, motor);
  model.gravity = Vec3::Zero();
  multibody::System bodies(model);
  couple::BodyContact contacts(couple::ContactModel{}, bodies);
  solve::Stepper stepper(1e-3, {&bodies, &contacts});
  ASSERT_TRUE(stepper.step().ok);
  const Measurement kind = single_wheel({multibody::BodyId(0), "spin", Vec3::UnitX(), 0.5});
  const Row now = kind.read({bodies, contacts, 1e-3, nullptr}, {0.3, 0.13});
  EXPECT_NEAR(now[0], 0.2, 1e-15);
  EXPECT_NEAR(now[2], 2 / 1e-3, 1);  // 1 kg m^2 to 2 rad/s in one step
  EXPECT_NEAR(now[3], 0.03, 1e-15);
}

// The wheel rolled from 0.04 to 0.64 m. The surface has sunk by 20 mm between, by 50 where it stood at first,
// by 70 where it stands, and rows beside the strip by 90; everything had settled by 5 mm before.
TEST(SingleWheel, RutLiesBehindIt) {
  meshfree::SolidModel model;
  model.cloud = meshfree::box_lattice(Vec3(-0.2, -0.2, -0.1), Vec3(1, 0.2, 0), {13, 5, 2});
  material::SoilParameters given;
  given.young = 1e6;
  given.poisson = 0.25;
  given.plastic = false;
  model.materials = {{material::SoilLaw(given), 2000}};
  model.material.assign(model.cloud.size(), 0);
  meshfree::Solid solid(model);
  const auto sink = [&](double everywhere, double share) {
    for (std::size_t i = 0; i < solid.size(); ++i) {
      const Vec3& x = model.cloud.position[i];
      const double more = std::abs(x.y()) > 0.11 ? 0.09 : x.x() < 0.11 ? 0.05 : x.x() < 0.59 ? 0.02 : 0.07;
      solid.set_position(i, x - Vec3(0, 0, everywhere + share * more));
    }
  };
  const auto at = [](double x) {
    multibody::Model bodies;
    bodies.bodies.resize(1);
    bodies.bodies[0].pose.x = Vec3(x, 0, 0.1);
    return multibody::System(bodies);
  };
  SingleWheelSetup setup;
  setup.wheel = multibody::BodyId(0);
  setup.rut_width = 0.25;
  setup.radius = 0.1;
  multibody::System first = at(0.04), last = at(0.64);
  EXPECT_EQ(single_wheel(setup).metrics.back(), "rut_depth_m");
  sink(0.005, 0);
  const couple::BodyContact before(couple::ContactModel{}, first);
  const Row start = single_wheel(setup).at_start({first, before, 1, nullptr, &solid});
  ASSERT_EQ(start.size(), 3u);
  EXPECT_NEAR(start[2], 0.005, 1e-12);
  sink(0.005, 1);
  EXPECT_TRUE(std::isnan(rut_depth(setup, {first, before, 1, nullptr, &solid}, start)));
  EXPECT_NEAR(rut_depth(setup, {last, before, 1, nullptr, &solid}, start), 0.02, 1e-12);
}

}  // namespace
}  // namespace hardpan::lab
