// What acts along coordinates: books, bits and closed forms of every kind of coupling.
#include "hardpan/multibody/couplings.h"

#include <cmath>

#include <gtest/gtest.h>

#include "hardpan/multibody/test_models.h"

namespace hardpan::multibody {
namespace {

using namespace test;

// All coordinates of the joints of a model that are zero at the start: not lengths and distances along
// curves.
std::vector<CoordinateRef> coordinates_of(const Model& model) {
  std::vector<CoordinateRef> all;
  std::size_t pool = 0;
  const auto add_pool = [&]<class Joint>(const std::vector<Joint>& joints) {
    for (std::size_t i = 0; i < joints.size(); ++i)
      for (std::size_t c = 0; c < Joint::coordinates.size(); ++c)
        if (!std::is_same_v<Joint, LineJoint> && !std::is_same_v<Joint, PointOnCurveJoint>)
          all.push_back({pool, i, c});
    ++pool;
  };
  std::apply([&](const auto&... pools) { (add_pool(pools), ...); }, model.joints);
  return all;
}

// A random mechanism whose coordinates, and some shafts, are coupled at random by every kind there is.
Model busy_mechanism(std::uint64_t seed, double h, bool with_world = true) {
  Model model = random_mechanism(seed, 8, h, with_world);
  Random random(seed + 1000);
  std::vector<CoordinateRef> free = coordinates_of(model);
  for (int i = 0; i < 3; ++i)
    free.push_back(add(model, Shaft{"shaft", random.uniform(0.05, 1), 0, random.uniform(-3, 3)}));
  const auto some = [&] { return free[random.below(free.size())]; };
  const auto two = [&] { return Axis{{{some(), 1}, {CoordinateRef::shaft(0), random.uniform(-2, 2)}}}; };
  for (int i = 0; i < 4; ++i) {
    add(model, Friction{"friction", {along(some())}, Curve::constant(random.uniform(0, 2)), 0.01, rigid(h)});
    add(model, Motor{"motor",
                     {along(some())},
                     static_cast<Motor::Mode>(random.below(3)),
                     Curve::constant(random.uniform(-1, 1)),
                     random.uniform(0.1, 3),
                     rigid(h)});
    add(model,
        Stop{"stop", {along(some())}, random.uniform(-0.3, -0.01), random.uniform(0.01, 0.3), 0.5, rigid(h)});
  }
  add(model, Tie{"gear", {two()}, {1e-7, 2 * h}});
  add(model, OneWay{"one-way", {along(some())}, rigid(h)});
  add(model, Engine{"engine",
                    {along(CoordinateRef::shaft(1))},
                    Curve({{0, 1}, {10, 2}, {20, 0}}, Curve::Beyond::level),
                    Curve({{0, 0.1}, {20, 0.5}}, Curve::Beyond::straight),
                    Curve::constant(0.7)});
  add(model, Converter{"converter",
                       {along(CoordinateRef::shaft(1)), along(CoordinateRef::shaft(2))},
                       Curve({{0, 5}, {0.9, 8}}, Curve::Beyond::level),
                       Curve({{0, 2}, {0.9, 1}}, Curve::Beyond::level)});
  add(model, Servo{"servo",
                   {along(CoordinateRef::shaft(0)), along(some()), along(some())},
                   {random.uniform(0.5, 1), random.uniform(0.5, 1)},
                   Curve({{0, 1}, {0.1, -1}, {0.2, 2}}, Curve::Beyond::level),
                   {},
                   0.3,
                   0.2,
                   {1e-3, 2 * h}});
  return model;
}

class BusyMechanisms : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Couplings, BusyMechanisms, ::testing::Range(0, 12));

TEST_P(BusyMechanisms, BooksCloseAndHeatOnlyGrows) {
  const double h = 1e-3;
  Sim sim(busy_mechanism(static_cast<std::uint64_t>(GetParam()), h), h);
  const Ledger start = sim.books();
  Ledger before = start;
  for (int i = 0; i < 300; ++i) {
    ASSERT_GO(sim, 1);
    const Ledger& books = sim.books();
    EXPECT_GE(books.friction.dissipated, before.friction.dissipated - 1e-6 * books.turnover);
    EXPECT_GE(books.impacts.dissipated, before.impacts.dissipated - 1e-10 * books.turnover);
    before = books;
  }
  const Ledger& books = sim.books();
  const double works = books.gravity.work + books.joints.work + books.springs.work + books.loads.work +
                       books.motors.work + books.friction.work + books.impacts.work;
  EXPECT_NEAR(works, books.kinetic - start.kinetic, 1e-10 * books.turnover);
  EXPECT_NEAR(books.total() + books.dissipated() + books.lost(), start.total() + books.work(),
              1e-10 * books.turnover);
  EXPECT_LT((books.momentum - books.impulse).norm(), 1e-9 * (1 + books.momentum.norm()));
}

TEST_P(BusyMechanisms, RestartGivesTheSameBits) {
  const double h = 1e-3;
  const Model model = busy_mechanism(static_cast<std::uint64_t>(GetParam()), h);
  Sim through(model, h), first(model, h), second(model, h);
  ASSERT_GO(through, 200);
  ASSERT_GO(first, 77);
  second.stepper.restore(first.stepper.save());
  ASSERT_GO(second, 123);
  EXPECT_EQ(through.hash(), second.hash());
}

const Rigidity stiff{1e-10, 2e-3};

// Two shafts.
struct Line {
  Model model;
  CoordinateRef a, b;
  Line(double first, double second, double speed) {
    model.gravity.setZero();
    a = add(model, Shaft{"a", first, 0, speed});
    b = add(model, Shaft{"b", second, 0, 0});
  }
};

TEST(Friction, ClutchLocksAtTheCommonSpeedAndBooksTheHeat) {
  const double h = 1e-3;
  Line line(2, 3, 10);
  add(line.model, Friction{"clutch", {Axis{{{line.a, 1}, {line.b, -1}}}}, Curve::constant(6), 0, rigid(h)});
  Sim sim(line.model, h);
  ASSERT_GO(sim, 1000);  // 10 (1 s) of slip fall by 6 (1/2 + 1/3) = 5 per second
  const State& half = sim.system.state();
  EXPECT_NEAR(half.shaft_speed[0], 10 - 3, 1e-9);
  EXPECT_NEAR(half.shaft_speed[1], 2, 1e-9);
  ASSERT_GO(sim, 1500);
  EXPECT_NEAR(sim.system.state().shaft_speed[0], 4, 1e-9);
  EXPECT_NEAR(sim.system.state().shaft_speed[1], 4, 1e-9);
  EXPECT_NEAR(sim.books().friction.dissipated, 0.5 * 2 * 100 - 0.5 * 5 * 16, 1e-9);
  EXPECT_NEAR(sim.books().lost(), 0, 1e-9);
}

TEST(Friction, WhatSticksDoesNotCreep) {
  const double h = 1e-3;
  Line line(2, 3, 0);
  add(line.model, Friction{"brake", {along(line.a)}, Curve::constant(5), 0, rigid(h)});
  add(line.model, Motor{"torque", {along(line.a)}, Motor::Mode::force, Curve::constant(4.9), infinite, {}});
  Sim sim(line.model, h);
  ASSERT_GO(sim, 1000);
  const double there = sim.system.state().shaft_angle[0];
  ASSERT_GO(sim, 20'000);
  EXPECT_NEAR(sim.system.state().shaft_angle[0], there, 1e-14);
  EXPECT_NEAR(there, 4.9 * rigid(h).compliance, 1e-12);
}

TEST(Friction, SlidesWithWhatIsLeft) {
  const double h = 1e-3;
  Line line(2, 3, 0);
  add(line.model, Friction{"brake", {along(line.a)}, Curve::constant(5), 0, rigid(h)});
  add(line.model, Motor{"torque", {along(line.a)}, Motor::Mode::force, Curve::constant(7), infinite, {}});
  Sim sim(line.model, h);
  ASSERT_GO(sim, 1000);
  EXPECT_NEAR(sim.system.state().shaft_speed[0], 1.0, 1e-9);
}

// Held against a torque of 4 until the bound falls to 0 at 0.5 s; then it turns freely. From 0.8 s on a bound
// of 6 brakes it.
TEST(Motor, LetsGoWhereItsBoundIsZero) {
  const double h = 1e-3;
  Line line(2, 1, 0);
  Motor holds{"motor", {along(line.a)}, Motor::Mode::speed, Curve::constant(0), 10, stiff};
  holds.bound = Curve({{0.5, 10}, {0.5 + 1e-9, 0}, {0.8, 0}, {0.8 + 1e-9, 6}}, Curve::Beyond::level);
  add(line.model, holds);
  add(line.model, Motor{"load", {along(line.a)}, Motor::Mode::force, Curve::constant(4), infinite, {}});
  Sim sim(line.model, h);
  ASSERT_GO(sim, 500);
  EXPECT_NEAR(sim.system.state().shaft_speed[0], 0, 1e-6);
  ASSERT_GO(sim, 300);
  EXPECT_NEAR(sim.system.state().shaft_speed[0], 4 * 0.3 / 2, 1e-6);
  ASSERT_GO(sim, 100);
  EXPECT_NEAR(sim.system.state().shaft_speed[0], 0.6 + (4 - 6) * 0.1 / 2, 1e-6);
}

TEST(OneWay, DrivesAndOverruns) {
  const double h = 1e-3;
  Line line(2, 3, 5);
  add(line.model, OneWay{"free wheel", {Axis{{{line.b, 1}, {line.a, -1}}}}, stiff});
  add(line.model, Motor{"torque",
                        {along(line.a)},
                        Motor::Mode::force,
                        Curve({{0, 0}, {0.5, 0}, {0.501, -4}}, Curve::Beyond::level),
                        infinite,
                        {}});
  Sim sim(line.model, h);
  ASSERT_GO(sim, 400);                                      // caught at once: a and b turn together
  EXPECT_NEAR(sim.system.state().shaft_speed[0], 2, 1e-4);  // its compliance leaves a trace
  EXPECT_NEAR(sim.system.state().shaft_speed[1], 2, 1e-4);
  ASSERT_GO(sim, 1100);
  EXPECT_NEAR(sim.system.state().shaft_speed[1], 2, 1e-4);  // runs ahead
  EXPECT_NEAR(sim.system.state().shaft_speed[0], 2 - 2.0, 2e-3);
}

// Bodies in place of shafts: a gear between two hinges of one free carrier keeps angular momentum.
TEST(Tie, GearOnAFreeCarrierKeepsAngularMomentum) {
  const double h = 1e-3;
  Model model;
  model.gravity.setZero();
  const BodyId carrier = add_body(model, Vec3::Zero(), 5, 2);
  const BodyId wheels[] = {add_body(model, Vec3(0.5, 0, 0), 1, 0.1),
                           add_body(model, Vec3(-0.5, 0, 0), 2, 0.3)};
  CoordinateRef angle[2];
  for (int i = 0; i < 2; ++i)
    angle[i] = add(model, hinge(model, carrier, wheels[i], model.bodies[wheels[i].index()].pose.x,
                                Vec3::UnitZ(), rigid(h)));
  add(model, Tie{"gear", {Axis{{{angle[0], 1}, {angle[1], 2}}}}, rigid(h)});
  add(model, Motor{"motor", {along(angle[0])}, Motor::Mode::force, Curve::constant(0.3), infinite, {}});
  Sim sim(model, h);
  ASSERT_GO(sim, 1000);
  EXPECT_LT(sim.books().angular_momentum.norm(), 1e-12);
  const auto rate = [&](std::size_t i) { return sim.system.coordinate(sim.system.joints()[i], 0).rate; };
  EXPECT_GT(rate(0), 1);
  EXPECT_NEAR(rate(0), -2 * rate(1), 1e-6 * rate(0));
}

TEST(Stop, ReboundsWithItsRestitution) {
  for (const double e : {0.0, 0.5, 1.0}) {
    const double h = 1e-4;
    Line line(2, 3, 1);
    add(line.model, Stop{"stop", {along(line.a)}, -infinite, 0.5, e, stiff});
    Sim sim(line.model, h);
    ASSERT_GO(sim, 6000);
    EXPECT_NEAR(sim.system.state().shaft_speed[0], -e, 1e-3);  // the depth is let go by a thousandth per step
    EXPECT_NEAR(sim.books().impacts.dissipated, 0.5 * 2 * (1 - e * e), 1e-6);
  }
}

// A damper that resists one way only has nothing to say to what comes back.
TEST(Impact, DampersSeeTheSpeedAfterIt) {
  const double h = 1e-3;
  Line line(1, 3, -1.5);
  add(line.model, Stop{"stop", {along(line.a)}, 0, infinite, 1, stiff});
  const Curve damper({{-20, -500}, {-1, -500}, {0, 0}, {20, 0}}, Curve::Beyond::straight);
  add(line.model, Elastic{"damper", {along(line.a)}, 0, 0, 0, {}, damper});
  Sim sim(line.model, h);
  ASSERT_GO(sim, 5);
  EXPECT_NEAR(sim.system.state().shaft_speed[0], 1.5, 1e-6);
}

// Equal inertias swap their speeds; a servo of 1,000 N m/rad has no time to act, a speed motor is a wall.
TEST(Impact, ServosYieldAndSpeedMotorsHold) {
  for (const double h : {1e-3, 1e-4, 1e-5})
    for (const bool servo : {true, false}) {
      Line line(1, 1, -1);
      const Axis gap = {{{line.a, 1}, {line.b, -1}}};
      add(line.model, Stop{"stop", {gap}, 0, infinite, 1, stiff});
      if (servo)
        add(line.model, Motor{"servo",
                              {along(line.b)},
                              Motor::Mode::position,
                              Curve::constant(0),
                              infinite,
                              {1e-3, 0, true}});
      else
        add(line.model,
            Motor{"brake", {along(line.b)}, Motor::Mode::speed, Curve::constant(0), infinite, stiff});
      Sim sim(line.model, h);
      ASSERT_GO(sim, 1);
      EXPECT_NEAR(sim.system.state().shaft_speed[0], servo ? 0 : 1, 1e-6) << h;
      EXPECT_NEAR(sim.system.state().shaft_speed[1], servo ? -1 : 0, 2e-3) << h;
    }
}

// A motor that keeps its speed picks up a load at rest: it gives m v^2, half of which becomes heat.
TEST(Impact, MotorsPayForWhatTheyPickUp) {
  const double h = 1e-3;
  Line line(2, 10, 1);
  add(line.model, Stop{"rope", {Axis{{{line.a, 1}, {line.b, -1}}}}, -infinite, 0.01, 0, stiff});
  add(line.model, Motor{"winch", {along(line.a)}, Motor::Mode::speed, Curve::constant(1), infinite, stiff});
  Sim sim(line.model, h);
  ASSERT_GO(sim, 100);
  EXPECT_NEAR(sim.system.state().shaft_speed[1], 1, 2e-3);  // the depth is let go
  EXPECT_NEAR(sim.books().motors.work, 10, 0.05);
  EXPECT_NEAR(sim.books().impacts.dissipated, 5, 1e-3);
}

// However a speed motor is loaded, it does not get softer with the step.
TEST(Motor, KeepsItsSpeedWhateverTheStep) {
  for (const double h : {1e-3, 1e-4, 1e-5}) {
    Line line(1000, 3, 1);
    add(line.model, Motor{"motor", {along(line.a)}, Motor::Mode::speed, Curve::constant(1), infinite, stiff});
    add(line.model, Motor{"load", {along(line.a)}, Motor::Mode::force, Curve::constant(-1e4), infinite, {}});
    Sim sim(line.model, h);
    ASSERT_GO(sim, 300);
    EXPECT_NEAR(sim.system.state().shaft_speed[0], 1, 2e-6) << h;
  }
}

// A motor without bound that overpowers a stop is not let pass in silence.
TEST(Stop, OverpoweredIsNamed) {
  const double h = 1e-3;
  Line line(2, 3, 1);
  add(line.model, Stop{"stop", {along(line.a)}, -infinite, 0.1, 0, rigid(h)});
  add(line.model, Motor{"motor", {along(line.a)}, Motor::Mode::speed, Curve::constant(1), infinite, stiff});
  Sim sim(line.model, h);
  const solve::StepReport report = sim.go(3000);
  EXPECT_FALSE(report.ok);
  EXPECT_NE(report.reason.find("'stop'"), std::string::npos) << report.reason;
}

TEST(Motor, SaturatesAtItsBound) {
  const double h = 1e-3;
  Line line(2, 3, 0);
  add(line.model, Motor{"motor", {along(line.a)}, Motor::Mode::speed, Curve::constant(4), 1.5, rigid(h)});
  Sim sim(line.model, h);
  ASSERT_GO(sim, 1000);
  EXPECT_NEAR(sim.system.state().shaft_speed[0], 0.75, 1e-9);
  EXPECT_NEAR(sim.system.force(sim.system.couplings()[0], 0, h), 1.5, 1e-12);
  ASSERT_GO(sim, 9000);
  EXPECT_NEAR(sim.system.state().shaft_speed[0], 4, 1e-6);
  EXPECT_NEAR(sim.books().motors.work, 0.5 * 2 * 16, 1e-4);
}

}  // namespace
}  // namespace hardpan::multibody
