// Closed forms: free flight, oscillators, statics, pendulums.
#include "hardpan/multibody/system.h"

#include <cmath>

#include <Eigen/LU>
#include <gtest/gtest.h>

#include "hardpan/multibody/test_models.h"

namespace hardpan::multibody {
namespace {

using namespace test;

// The scheme's own solution: v_n = g h n, x_n = g h^2 n (n + 1)/2.
TEST(System, FreeFallHasTheKnownPositionOfTheScheme) {
  Random random(20);
  Model model;
  model.gravity = Vec3(0.3, -0.2, -9.81);
  add_random_body(model, random);
  const Body start = model.bodies[0];
  const double h = 1e-3;
  const int n = 1000;
  Sim sim(model, h);
  ASSERT_GO(sim, n);
  const Vec3 fall = model.gravity * (h * h * n * (n + 1) / 2.0);
  EXPECT_LT((sim.pose(0).x - start.pose.x - n * h * start.velocity - fall).norm(), 1e-12);
  EXPECT_LT((sim.velocity(0) - start.velocity - n * h * model.gravity).norm(), 1e-12);
  EXPECT_EQ(sim.stepper.steps(), n);
}

TEST(System, SolversBeginWithTheVelocitiesOfTheState) {
  Random random(22);
  Model model;
  for (int k = 0; k < 3; ++k) add_random_body(model, random);
  model.shafts.push_back({.name = "shaft", .inertia = 1, .speed = 7});
  System system(model);
  solve::Problem problem;
  problem.add_block(3);  // of someone else
  system.declare(problem);
  system.prepare(0, 1e-3);
  std::vector<double> v(problem.velocities(), 99.0);
  system.guess(v);
  EXPECT_EQ(v[2], 99);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(Eigen::Map<const Vec3>(&v[3 + 6 * i]), model.bodies[i].velocity);
    EXPECT_LT((Eigen::Map<const Vec3>(&v[6 + 6 * i]) - model.bodies[i].angular_velocity).norm(), 1e-12);
  }
  EXPECT_EQ(v.back(), 7);
}

// A window gives its impulse to rounding wherever its borders fall, and none outside.
TEST(System, LoadWindowGivesItsImpulseExactly) {
  Random random(21);
  const double h = 0.01;
  for (int trial = 0; trial < 20; ++trial) {
    Model model;
    const BodyId id = add_body(model, Vec3::Zero(), 2.5, 0.4);
    const double from = random.uniform(0, 0.5), length = random.uniform(0, trial < 5 ? 0.005 : 0.4);
    const Vec3 force = random.vector(5), torque = random.vector(0.1);
    model.loads.push_back({"push", id, Vec3::Zero(), force, torque, from, from + length});
    Sim sim(model, h);
    ASSERT_GO(sim, 100);
    const Vec3 flight = model.gravity * 100 * h;
    EXPECT_LT((sim.velocity(0) - flight - force * length / 2.5).norm(), 1e-12);
    EXPECT_LT((sim.system.state().angular_momentum[0] - torque * length).norm(), 1e-13);
  }
}

// The lever of a load turns with the body: after half a turn the torque has changed sign.
TEST(System, LoadActsAtItsPoint) {
  Model model;
  model.gravity.setZero();
  const BodyId id = add_body(model, Vec3(3, 2, 1), 2, 0.5);
  model.bodies[0].pose.q = Quat(Eigen::AngleAxisd(pi / 2, Vec3::UnitZ()));
  model.loads.push_back({"push", id, Vec3(1, 0, 0), Vec3(0, 0, 4), Vec3::Zero(), 0, 0.01});
  Sim sim(model, 0.01);
  ASSERT_GO(sim, 1);
  // The point lies at world +y: y x z = x.
  EXPECT_LT((sim.system.state().angular_momentum[0] - Vec3(0.04, 0, 0)).norm(), 1e-15);
  EXPECT_LT((sim.velocity(0) - Vec3(0, 0, 0.02)).norm(), 1e-15);
  EXPECT_LT((sim.system.angular_velocity(id) - Vec3(0.08, 0, 0)).norm(), 1e-5);
}

// A mass on a spring k with damper c between world and centre of mass; returns x(t_end) - length.
double oscillate(double k, double c, double mass, double amplitude, double end, int steps) {
  Model model;
  model.gravity.setZero();
  const BodyId id = add_body(model, Vec3(0, 0, 1 + amplitude), mass);
  add_spring(model, world, id, Vec3::Zero(), Vec3::Zero(), 1, k, c);
  Sim sim(model, end / steps);
  EXPECT_TRUE(sim.go(steps).ok);
  return sim.pose(0).x.z() - 1;
}

TEST(System, DampedOscillatorConvergesToItsClosedForm) {
  const double k = 50, c = 0.8, mass = 2, amplitude = 0.1, end = 2;
  const double decay = c / (2 * mass), w = std::sqrt(k / mass - decay * decay);
  const double exact =
      amplitude * std::exp(-decay * end) * (std::cos(w * end) + decay / w * std::sin(w * end));
  double last = 0;
  for (const int steps : {1000, 2000, 4000, 8000}) {
    const double error = std::abs(oscillate(k, c, mass, amplitude, end, steps) - exact);
    if (last > 0) {
      EXPECT_GT(std::log2(last / error), 0.9) << steps;
    }
    last = error;
  }
  EXPECT_LT(last, 1e-4);
}

TEST(System, DamperAloneBrakesExponentially) {
  Model model;
  model.gravity.setZero();
  const BodyId id = add_body(model, Vec3(0, 0, 1), 2);
  model.bodies[0].velocity = Vec3(0, 0, 3);
  add_spring(model, world, id, Vec3::Zero(), Vec3::Zero(), 1, 0, 4);
  const double h = 1e-3;
  Sim sim(model, h);
  ASSERT_GO(sim, 500);
  EXPECT_NEAR(sim.velocity(0).z(), 3 * std::pow(1 + h * 4 / 2, -500), 1e-12);  // implicit Euler
  EXPECT_NEAR(sim.velocity(0).z(), 3 * std::exp(-4.0 / 2 * 0.5), 2e-3);
  EXPECT_EQ(sim.books().springs.stored, 0.0);
}

// A spring of no length starts where it has no direction, and hangs by m g/k in the end.
// f = -k [g + tau r+ + h/4 (r+ - r-)] in the very first step: r- is the speed the body starts with.
TEST(System, FirstStepKnowsTheSpeedItStartsWith) {
  const double m = 2, k = 1e4, c = 3, h = 1e-2, u = 0.7;
  Model model;
  model.gravity.setZero();
  const BodyId id = add_body(model, Vec3(0, 0, 1), m);
  model.bodies[0].velocity = Vec3(0, 0, u);
  add_spring(model, world, id, Vec3::Zero(), Vec3::Zero(), 1, k, c);
  Sim sim(model, h);
  ASSERT_GO(sim, 1);
  EXPECT_NEAR(sim.system.state().velocity[0].z(), u * (m + h * h * k / 4) / (m + h * c + h * h * k / 4),
              1e-12);
}

TEST(System, ZeroLengthSpringStartsFromCoincidence) {
  Model model;
  const BodyId id = add_body(model, Vec3(1, 2, 3), 2);
  add_spring(model, world, id, Vec3(1, 2, 3), Vec3::Zero(), 0, 100, 20);
  Sim sim(model, 1e-3);
  ASSERT_GO(sim, 5000);
  EXPECT_LT((sim.pose(0).x - Vec3(1, 2, 3 - 2 * 9.81 / 100)).norm(), 1e-9);
}

// A torsion spring on a hinge: I phi'' = -k (phi - rest) - c phi'.
TEST(System, HingeSpringOscillatesAboutItsRestAngle) {
  const double h = 1e-4, k = 8, c = 0.3, moment = 0.5;
  Model model;
  model.gravity.setZero();
  const BodyId id = add_body(model, Vec3::Zero(), 1, moment);
  const CoordinateRef angle = add(model, hinge(model, world, id, Vec3::Zero(), Vec3(0.6, 0, 0.8), rigid(h)));
  add(model, elastic(angle, k, c, 0.4));
  Sim sim(model, h);
  ASSERT_GO(sim, 10'000);
  const double decay = c / (2 * moment), w = std::sqrt(k / moment - decay * decay);
  const double exact = 0.4 - 0.4 * std::exp(-decay) * (std::cos(w) + decay / w * std::sin(w));
  EXPECT_NEAR(sim.system.state().memory[0], exact, 1e-4);
}

// At rest: the joint carries the weight and gives way by compliance times force, whichever end is the world.
TEST(System, HangingBodyShowsItsWeight) {
  for (const bool world_first : {true, false}) {
    const double h = 1e-3, mass = 10, eps = 1e-6;
    Model model;
    const BodyId id = add_body(model, Vec3(1, 2, -0.5), mass);
    const Vec3 hook(1, 2, 0);
    add_joint(model, world_first ? ball(model, world, id, hook, {eps, 2 * h})
                                 : ball(model, id, world, hook, {eps, 2 * h}));
    Sim sim(model, h);
    ASSERT_GO(sim, 3000);
    const double weight = mass * 9.81, sign = world_first ? 1 : -1;
    const Vec6 reaction = sim.system.reaction(sim.system.joints()[0], h);
    EXPECT_NEAR(reaction[2], sign * weight, 1e-9 * weight);
    EXPECT_LT(reaction.head<2>().norm() + reaction.tail<3>().norm(), 1e-9);
    EXPECT_NEAR(sim.system.rows()[2].violation, -sign * eps * weight, 1e-9 * eps * weight);
    EXPECT_NEAR(sim.books().joints.stored, 0.5 * eps * weight * weight, 1e-9);
  }
}

// A cantilever hinge across gravity: the reaction about the hinge's point holds the moment of the weight.
TEST(System, HingeCarriesTheMomentOfTheWeight) {
  const double h = 1e-3;
  Model model;
  const BodyId id = add_body(model, Vec3(0.5, 0, 0), 4);
  add_joint(model, hinge(model, world, id, Vec3::Zero(), Vec3::UnitZ(), rigid(h)));
  Sim sim(model, h);
  ASSERT_GO(sim, 3000);
  const Vec6 reaction = sim.system.reaction(sim.system.joints()[0], h);
  const Vec3 force = reaction.head<3>(), torque = reaction.tail<3>();
  EXPECT_LT((force - Vec3(0, 0, 4 * 9.81)).norm(), 1e-4);
  EXPECT_LT((torque - Vec3(0, -0.5 * 4 * 9.81, 0)).norm(), 1e-4);  // gravity gives (0.5, 0, 0) x (0, 0, -mg)
}

// Loads reach the rows within their step: at rest a joint gives way by compliance times force and torque.
TEST(System, JointHoldsALoadWithItsCompliance) {
  const double h = 1e-3, eps = 1e-6;
  Model model;
  model.gravity.setZero();
  const BodyId id = add_body(model, Vec3(1, 2, 3), 5, 0.3);
  add_joint(model, hinge(model, world, id, Vec3(1, 2, 3), Vec3::UnitZ(), {eps, 2 * h}));
  model.loads.push_back({"push", id, Vec3::Zero(), Vec3(10, -20, 30), Vec3(4, 7, 0)});
  Sim sim(model, h);
  ASSERT_GO(sim, 3000);
  const auto rows = sim.system.rows();
  const Vec3 shift(rows[0].violation, rows[1].violation, rows[2].violation);
  EXPECT_LT((shift - eps * Vec3(10, -20, 30)).norm(), 1e-6 * eps);
  EXPECT_NEAR(std::hypot(rows[3].violation, rows[4].violation), eps * std::hypot(4, 7), 1e-6 * eps);
}

// Time of `swings` half periods, by linear interpolation of the zero crossings.
double half_period(Sim& sim, double h, int swings) {
  double last = sim.pose(0).x.x(), first_zero = 0;
  int crossings = 0;
  for (int i = 1; i < 100'000; ++i) {
    if (!sim.go(1).ok) return 0;
    const double now = sim.pose(0).x.x();
    if ((now > 0) != (last > 0)) {
      const double t = h * (i - now / (now - last));
      if (crossings == 0) first_zero = t;
      if (crossings == swings) return (t - first_zero) / swings;
      ++crossings;
    }
    last = now;
  }
  return 0;
}

TEST(System, PendulumSwingsWithItsPeriod) {
  const double h = 5e-4, length = 0.7, mass = 3, moment = 0.2, amplitude = 0.3;
  for (const bool hinged : {true, false}) {
    Model model;
    const BodyId id =
        add_body(model, length * Vec3(std::sin(amplitude), 0, -std::cos(amplitude)), mass, moment);
    if (hinged)
      add_joint(model, hinge(model, world, id, Vec3::Zero(), Vec3::UnitY(), rigid(h)));
    else
      add_joint(model, ball(model, world, id, Vec3::Zero(), rigid(h)));
    Sim sim(model, h);
    const double w = std::sqrt(mass * 9.81 * length / (moment + mass * length * length));
    const double a2 = amplitude * amplitude;
    const double exact = pi / w * (1 + a2 / 16 + 11 * a2 * a2 / 3072);
    EXPECT_NEAR(half_period(sim, h, 4) / exact, 1.0, 1e-3);
  }
}

// A pendulum turning without gravity gives way by its compliance alone, from the first step on: its rows know
// where they turn to (law.h).
TEST(System, TurningJointGivesWayByItsComplianceAlone) {
  const double length = 0.8, w = 5, mass = 2, compliance = 1e-10;
  for (const double h : {5e-3, 1e-3, 1e-4})
    for (const double relaxation : {2.0, 4.0}) {  // times h; less rings
      Model model;
      model.gravity.setZero();
      const BodyId id = add_body(model, Vec3(length, 0, 0), mass, 1e-6);
      model.bodies[0].velocity = Vec3(0, w * length, 0);
      model.bodies[0].angular_velocity = Vec3(0, 0, w);
      add_joint(model,
                BallJoint{{"j", world, id}, Vec3::Zero(), Vec3(-length, 0, 0), {compliance, relaxation * h}});
      Sim sim(model, h);
      for (int i = 0; i < 400; ++i) {
        ASSERT_GO(sim, 1);
        const auto rows = sim.system.rows();
        const double g = Vec3(rows[0].violation, rows[1].violation, rows[2].violation).norm();
        EXPECT_LT(g, 1.01 * compliance * mass * w * w * length) << h << " " << relaxation << " " << i;
      }
    }
}

// Light links carry a load a million times their mass; each joint holds what hangs below it.
TEST(System, ChainWithALargeMassRatioHasTheRightTensions) {
  const double h = 2e-5, light = 1e-3, length = 0.1;
  const Rigidity damped{1e-10, 4e-4};  // brings the oscillation of the weight to rest
  Model model = hanging_chain(6, light, length, damped);
  const BodyId weight = add_body(model, Vec3(0, 0, -6 * length - 0.5), 1000, 100);
  add_joint(model, ball(model, BodyId(5), weight, Vec3(0, 0, -6 * length), damped));
  Sim sim(model, h);
  ASSERT_GO(sim, 10'000);
  double below = 1000;
  const auto joints = sim.system.joints();
  for (std::size_t i = joints.size(); i-- > 0;) {
    EXPECT_NEAR(sim.system.reaction(joints[i], h)[2] / (9.81 * below), 1.0, 1e-6) << i;
    below += light;
  }
}

// Two hinges on one axis: twice the same equations. Compliance shares the load between them.
TEST(System, RedundantHingesShareTheLoad) {
  const double h = 1e-3;
  Model model;
  const BodyId id = add_body(model, Vec3(0.4, 0, 0), 5);
  for (int i = 0; i < 2; ++i)
    add_joint(model, hinge(model, world, id, Vec3::Zero(), Vec3::UnitZ(), rigid(h)));
  Sim sim(model, h);
  ASSERT_GO(sim, 3000);
  for (const JointInfo& joint : sim.system.joints()) {
    const Vec6 reaction = sim.system.reaction(joint, h);
    EXPECT_TRUE(reaction.allFinite());
    EXPECT_NEAR(reaction[2], 0.5 * 5 * 9.81, 1e-3);
    EXPECT_NEAR(reaction[4], -0.5 * 0.4 * 5 * 9.81, 1e-3);
  }
}

TEST(System, FixedBodyIsPartOfTheWorld) {
  const double h = 1e-3;
  Random random(22);
  const Pose anchor = random.pose(2);
  const auto end_of = [&](bool with_fixed_body) {
    Model model;
    const BodyId id = add_body(model, Vec3(0.3, 0.2, -0.4), 2, 0.1);
    model.bodies[0].angular_velocity = Vec3(0.5, 1, 2);
    BodyId support = world;
    if (with_fixed_body) {
      support = add_body(model, anchor.x);
      model.bodies[1].pose = anchor;
      model.bodies[1].fixed = true;
      model.bodies[1].velocity = Vec3(1, 1, 1);
      model.loads.push_back({"push on the wall", support, Vec3::Zero(), Vec3(100, 0, 0)});
    }
    add_joint(model, hinge(model, support, id, Vec3(0.1, 0.1, 0.1), Vec3(0, 0.6, 0.8), rigid(h)));
    Sim sim(model, h);
    EXPECT_TRUE(sim.go(500).ok);
    if (with_fixed_body) {
      EXPECT_EQ(sim.pose(1).x, anchor.x);
      EXPECT_EQ(sim.pose(1).q.coeffs(), anchor.q.coeffs());
      EXPECT_EQ(sim.velocity(1).norm(), 0.0);
      EXPECT_EQ(sim.system.kinetic_energy(support), 0.0);
    }
    const Ledger& books = sim.books();
    EXPECT_LT((books.momentum - books.impulse).norm(), 1e-11);
    EXPECT_LT((books.angular_momentum - books.angular_impulse).norm(), 1e-11);
    return sim.pose(0);
  };
  const Pose with = end_of(true), without = end_of(false);
  EXPECT_LT((with.x - without.x).norm(), 1e-9);
  EXPECT_LT(with.q.angularDistance(without.q), 1e-7);  // acos resolves half the digits
}

// A slider lets its mass fall on a stop by 1 m.
Model falling_on_a_stop(double restitution, double h) {
  Model model;
  const BodyId id = add_body(model, Vec3(0, 0, 1));
  const Rigidity r{1e-10, 2 * h};
  const CoordinateRef way =
      add(model, SliderJoint{frames_at({"slider", world, id}, Pose{}, model.bodies[0].pose, Vec3(0, 0, 1),
                                       Quat::Identity()),
                             r, r});
  Stop stop;
  stop.axes = {along(way)};
  stop.lower = -1;
  stop.restitution = restitution;
  stop.rigidity = r;
  add(model, std::move(stop));
  return model;
}

TEST(Stop, ReboundDoesNotDependOnTheStep) {
  for (const double e : {0.5, 0.8, 1.0})
    for (const double h : {1e-3, 1e-4, 1e-5}) {
      Sim sim(falling_on_a_stop(e, h), h);
      double before = 0;
      for (int i = 0; i < 100000 && sim.velocity(0).z() <= 0; ++i) {
        before = sim.velocity(0).z();
        ASSERT_GO(sim, 1);
      }
      EXPECT_NEAR(sim.velocity(0).z() + 9.81 * h, -e * before, 1e-6) << e << " " << h;
    }
}

TEST(Stop, WhatRestsDoesNotSink) {
  for (const double h : {1e-3, 1e-4}) {
    Sim sim(falling_on_a_stop(0, h), h);
    ASSERT_GO(sim, static_cast<int>(std::lround(0.6 / h)));
    const double landed = sim.pose(0).x.z();
    EXPECT_NEAR(landed, 0, 4.5 * h);
    ASSERT_GO(sim, static_cast<int>(std::lround(2 / h)));
    EXPECT_GE(sim.pose(0).x.z(), landed - 1e-9);
    EXPECT_NEAR(sim.pose(0).x.z(), landed * std::exp(-2 / Stop::letting_go), 1e-3 * h);
    EXPECT_NEAR(sim.system.reaction(sim.system.joints()[0], h)[2], 9.81,
                h);  // the depth that is let go accelerates
  }
}

}  // namespace
}  // namespace hardpan::multibody
