// The measured numbers of docs/models/multibody.md. When one of these changes, so must that page.
#include <cmath>

#include <gtest/gtest.h>

#include "hardpan/multibody/test_models.h"

namespace hardpan::multibody {
namespace {

using namespace test;

// Measured against documented, within 3 %.
void expect_documented(double measured, double documented) {
  EXPECT_NEAR(measured / documented, 1.0, 0.03) << "measured " << measured;
}

int steps_in(double time, double h) { return static_cast<int>(std::lround(time / h)); }

double point_violation(const Sim& sim) {
  const auto rows = sim.system.rows();
  return Vec3(rows[0].violation, rows[1].violation, rows[2].violation).norm();
}

// 2 kg, 50 N/m, 0.8 N s/m, pulled out by 0.1 m; position error after 2 s.
double oscillator_error(double h) {
  Model model;
  model.gravity.setZero();
  const BodyId id = add_body(model, Vec3(0, 0, 1.1), 2);
  add_spring(model, world, id, Vec3::Zero(), Vec3::Zero(), 1, 50, 0.8);
  Sim sim(model, h);
  EXPECT_TRUE(sim.go(steps_in(2, h)).ok);
  const double decay = 0.2, w = std::sqrt(25 - decay * decay);
  return std::abs(sim.pose(0).x.z() - 1 -
                  0.1 * std::exp(-2 * decay) * (std::cos(2 * w) + decay / w * std::sin(2 * w)));
}

TEST(Documented, DampedOscillator) {
  expect_documented(oscillator_error(4e-3), 1.92e-4);
  expect_documented(oscillator_error(2e-3), 1.00e-4);
  expect_documented(oscillator_error(1e-3), 5.10e-5);
  expect_documented(oscillator_error(5e-4), 2.57e-5);
}

// 3 kg, 0.2 kg m^2 on a ball joint 0.7 m away, let go level, 10 s, tau = 2 h.
TEST(Documented, Pendulum) {
  const auto expect_pendulum = [](double h, double lost, double violation) {
    Model model;
    const BodyId id = add_body(model, Vec3(0.7, 0, 0), 3, 0.2);
    add_joint(model, ball(model, world, id, Vec3::Zero(), {1e-8, 2 * h}));
    Sim sim(model, h);
    double largest = 0;
    for (int i = 0; i < steps_in(10, h); ++i) {
      ASSERT_GO(sim, 1);
      largest = std::max(largest, point_violation(sim));
    }
    expect_documented(sim.books().lost() / (3 * 9.81 * 0.7), lost);
    expect_documented(largest, violation);
  };
  expect_pendulum(4e-3, 1.31e-3, 8.12e-7);
  expect_pendulum(2e-3, 6.94e-4, 8.12e-7);
  expect_pendulum(1e-3, 3.55e-4, 8.12e-7);
  expect_pendulum(5e-4, 1.80e-4, 8.12e-7);
}

// A body 0.8 m from its ball joint, 5 rad/s, no gravity.
TEST(Documented, TurningJoint) {
  const auto violation = [](double h, double relaxation) {
    Model model;
    model.gravity.setZero();
    const BodyId id = add_body(model, Vec3(0.8, 0, 0), 2, 0.05);
    model.bodies[0].velocity = Vec3(0, 4, 0);
    model.bodies[0].angular_velocity = Vec3(0, 0, 5);
    add_joint(model, ball(model, world, id, Vec3::Zero(), {1e-12, relaxation * h}));
    Sim sim(model, h);
    EXPECT_TRUE(sim.go(400).ok);
    return point_violation(sim);
  };
  for (const double h : {4e-3, 1e-3})
    for (const double relaxation : {1.0, 2.0, 4.0}) expect_documented(violation(h, relaxation), 4.0e-11);
}

// Four free links on balls, 2 s: what internal joints do to angular momentum and energy.
TEST(Documented, FreeChain) {
  const auto expect_chain = [](double h, double lost) {
    Model model = hanging_chain(4, 1, 0.3, {1e-10, 2 * h}, Vec3::UnitX());
    auto& balls = std::get<std::vector<BallJoint>>(model.joints);
    balls.erase(balls.begin());
    model.gravity.setZero();
    const double spin[] = {2, -1, 3, -2};
    Vec3 end = Vec3::Zero();
    for (std::size_t i = 0; i < 4; ++i) {
      Body& body = model.bodies[i];
      body.angular_velocity = Vec3(0.3 * static_cast<double>(i), 0.5, spin[i]);
      body.velocity = end + body.angular_velocity.cross(Vec3(0.15, 0, 0));
      end += body.angular_velocity.cross(Vec3(0.3, 0, 0));
    }
    Sim sim(model, h);
    const Ledger start = sim.books();
    ASSERT_GO(sim, steps_in(2, h));
    const Ledger& books = sim.books();
    expect_documented(books.lost() / start.total(), lost);
    EXPECT_LT((books.momentum - start.momentum).norm(), 1e-13);
    EXPECT_LT((books.angular_momentum - start.angular_momentum).norm(), 1e-13);
  };
  expect_chain(4e-3, -7.44e-6);
  expect_chain(2e-3, -1.86e-6);
  expect_chain(1e-3, -4.64e-7);
}

// Ten links of 0.1 kg and 0.1 m under 1,000 kg, disturbed sideways by 1 mm/s: time until the step refuses.
TEST(Documented, LoadedChain) {
  const auto lasts = [](double h) {
    Model model = hanging_chain(10, 0.1, 0.1, {1e-9, 2 * h});
    const BodyId load = add_body(model, Vec3(0, 0, -1.5), 1000, 100);
    add_joint(model, ball(model, BodyId(9), load, Vec3(0, 0, -1), {1e-9, 2 * h}));
    for (std::size_t i = 0; i < 10; ++i) model.bodies[i].velocity.x() = i % 2 ? 1e-3 : -1e-3;
    Sim sim(model, h);
    const bool ok = sim.go(steps_in(2, h)).ok;
    double aside = 0;
    for (std::size_t i = 0; i < 10; ++i) aside = std::max(aside, std::abs(sim.pose(i).x.x()));
    if (ok) {
      EXPECT_NEAR(sim.system.reaction(sim.system.joints()[0], h)[2] / (1001 * 9.81), 1.0, 5e-4);
      EXPECT_LT(aside, 1e-4);
    }
    return sim.stepper.time();
  };
  EXPECT_NEAR(lasts(3e-4), 2.0, 1e-3);
  EXPECT_NEAR(lasts(4.5e-4), 2.0, 1e-3);
  EXPECT_LT(lasts(5.5e-4), 1.0);
  EXPECT_LT(lasts(1e-3), 0.1);
}

}  // namespace
}  // namespace hardpan::multibody
