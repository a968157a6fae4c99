// Rolling and twisting resistance, and cohesion, in motion: closed forms (REFERENCE 2.3 for the rolling
// sphere).
#include <cmath>
#include <cstdio>
#include <numbers>

#include <gtest/gtest.h>

#include "hardpan/material/test_grain_pair.h"

namespace hardpan::material {
namespace {

using test::Ball;
using test::ball;
using test::Books;
using test::GrainPair;
using test::Vector;

constexpr double pi = std::numbers::pi, g = 9.81;

GrainLaw stone(double rolling, double twisting, bool hooke = false) {
  GrainLaw law = hooke ? hooke_law(1e6, 8e5, 0.5, 0.5) : hertz_law({5e8, 0.3}, {5e8, 0.3}, 0.5, 0.5);
  law.rolling = rolling;
  law.twisting = twisting;
  return law;
}

// On a plane that is tilted by turning gravity, in the overlap that carries its weight.
GrainPair resting(const GrainLaw& law, double radius, double angle) {
  GrainPair pair(law, ball(radius, 2500));
  pair.gravity = {g * std::sin(angle), 0, -g * std::cos(angle)};
  const double load = -pair.j.mass * pair.gravity.z, k = law.stiffness_n;
  pair.j.x.z -=
      law.normal == NormalForce::hooke ? load / k : std::pow(load / (k * std::sqrt(radius)), 2.0 / 3);
  return pair;
}

// What the spring holds there.
double held_energy(const GrainPair& pair) {
  const double load = -pair.j.mass * pair.gravity.z;
  return (pair.law.normal == NormalForce::hooke ? 0.5 : 0.4) * load * -pair.gap();
}

void run(GrainPair& pair, double seconds, double h) {
  for (int k = 0; k < std::lround(seconds / h); ++k) pair.step(h);
}

TEST(GrainTurning, RollingSphereSlowsDownComesToRestAndStays) {
  const double radius = 0.05, h = 5e-5;
  for (const bool hooke : {false, true}) {
    GrainPair pair = resting(stone(0.01, 0, hooke), radius, 0);
    const double start = 0.07;
    pair.j.v.x = start;
    pair.j.omega.y = start / radius;
    const double began = pair.j.kinetic(), held = held_energy(pair);
    run(pair, 0.2, h);
    const double v = pair.j.v.x;
    run(pair, 0.5, h);
    const double slows = (v - pair.j.v.x) / 0.5;
    run(pair, 10, h);
    const double there = pair.j.x.x;
    run(pair, 3, h);
    // The spring is stretched by M/k_r, half of which is way without its moment (less with the damper's), and
    // swings back by all of it.
    const double stretch = radius * (0.01 * radius * pair.j.mass * g) / pair.turning.roll_k;
    const Books books = pair.books();
    std::printf("rolling: deceleration %.6f (0.0700714), moves at rest %.1e m, books miss %.1e\n", slows,
                pair.j.x.x - there, (books.error - began - held) / began);
    EXPECT_NEAR(slows / 0.0700714, 1, 0.005);
    const double way = start * start / 2 / 0.0700714;
    EXPECT_LT(there, 1.002 * (way - stretch / 2));
    EXPECT_GT(there, 0.998 * (way - stretch));
    EXPECT_LT(std::abs(pair.j.x.x - there), 1e-9);
    EXPECT_LT(std::abs(books.error - began - held), 1e-4 * began);
    EXPECT_GT(books.friction, 0.9 * began);
  }
}

TEST(GrainTurning, SphereStandsOnAnInclineBelowMuAndRollsBeyond) {
  const double mu = 0.2, radius = 0.05, h = 5e-5;
  for (const bool hooke : {false, true})
    for (const double tangent : {0.9, 0.98, 1.02, 1.5}) {
      const double angle = std::atan(mu * tangent);
      GrainPair pair = resting(stone(mu, 0, hooke), radius, angle);
      // Gravity comes slowly: at once, the spring would be stretched to twice the load.
      const Vector full = pair.gravity;
      for (int k = 0; k < 20'000; ++k) {
        pair.gravity.x = full.x * std::min(1.0, k / 10'000.0);
        pair.step(h);
      }
      const double from = pair.j.x.x, v = pair.j.v.x;
      run(pair, 2, h);
      if (tangent < 1) {
        EXPECT_LT(std::abs(pair.j.x.x - from), 1e-9) << tangent;
      } else {
        const double expected = 5.0 / 7 * g * (std::sin(angle) - mu * std::cos(angle));
        EXPECT_NEAR((pair.j.v.x - v) / 2 / expected, 1, 0.02) << tangent;
      }
    }
}

TEST(GrainTurning, TwistingTopStopsInTime) {
  const double mu = 0.02, radius = 0.05, h = 5e-5, spin = 3;
  const double stops = 0.4 * radius * spin / (mu * g);
  for (const bool hooke : {false, true}) {
    GrainPair pair = resting(stone(0, mu, hooke), radius, 0);
    pair.j.omega.z = spin;
    const double began = pair.j.kinetic() + held_energy(pair);
    double time = 0;
    while (pair.j.omega.z > 0 && time < 2) pair.step(h), time += h;
    const double turned_back = pair.j.omega.z;
    run(pair, 2, h);
    std::printf("top: stops after %.5f s (%.5f)\n", time, stops);
    EXPECT_NEAR(time / stops, 1, 0.005);
    EXPECT_LE(turned_back, 0);
    EXPECT_LT(std::abs(pair.j.omega.z), 1e-6);
    EXPECT_LT(norm(pair.j.v), 1e-9);
    EXPECT_LT(std::abs(pair.books().error - began), 1e-4 * began);
  }
}

TEST(GrainTurning, SpringsSwingAsDampedAsAsked) {
  // A top turned a little: x_1/x_0 = exp(-2 pi eta'/sqrt(1 - eta'^2)); eta is meant for I_r = (7/5) m r^2,
  // and a top turns with (2/5) m r^2, so eta' = eta sqrt(7/2).
  GrainLaw law = stone(0, 0.2, true);
  law.turning_damping = 0.05;
  GrainPair pair = resting(law, 0.05, 0);
  const double h = 1e-5;
  pair.j.omega.z = 1e-4;
  double first = 0, second = 0, angle = h * pair.j.omega.z;  // as the spring counts
  int swings = 0;
  for (int k = 0; k < 200'000 && swings < 4; ++k) {
    const double before = pair.j.omega.z;
    pair.step(h);
    angle += h * pair.j.omega.z;
    if ((before > 0) != (pair.j.omega.z > 0))
      (swings == 0 ? first : swings == 2 ? second : angle) = angle, ++swings;
  }
  const double eta = 0.05 * std::sqrt(3.5);
  EXPECT_NEAR(std::log(first / second) / (2 * pi * eta / std::sqrt(1 - eta * eta)), 1, 0.005);
}

TEST(GrainTurning, MomentumAndAngularMomentumStayAndBooksClose) {
  for (const bool hooke : {false, true}) {
    GrainPair pair(stone(0.3, 0.2, hooke), ball(0.01, 2500), ball(0.02, 2500, {-0.2, 0.1, 0}));
    const double booked = pair.j.kinetic();
    pair.i.omega = {30, -20, 10};
    pair.j.omega = {-10, 5, 25};
    const double began = pair.i.kinetic() + pair.j.kinetic();
    const Vector p = pair.momentum(), L = pair.angular_momentum();
    pair.impact(1e-7);
    const Books books = pair.books();
    EXPECT_LT(norm(pair.momentum() - p), 1e-12 * norm(p));
    EXPECT_LT(norm(pair.angular_momentum() - L), 1e-12 * norm(L));
    EXPECT_LT(std::abs(books.error - (began - booked)), 1e-5 * began);
    EXPECT_GT(books.friction, 0);
  }
}

// ---- cohesion

GrainLaw sticky(double w, bool hooke, double restitution) {
  GrainLaw law =
      hooke ? hooke_law(1e4, 1e4, restitution, 0.5) : hertz_law({1e7, 0.3}, {1e7, 0.3}, restitution, 0.5);
  law.adhesion = w;
  return law;
}

// Pulled apart slowly, the force never exceeds F_c and comes as near to it as the last overlap allows.
TEST(GrainCohesion, PullOffForce) {
  const double w = 0.1, R = 1e-3, expected = 2 * pi * w * R;
  for (const NormalForce normal : {NormalForce::hertz, NormalForce::hooke}) {
    const GrainLaw law = sticky(w, normal == NormalForce::hooke, 0.5);
    double most = 0;
    for (double d = 1e-5; d > 1e-12; d *= 0.9) {
      GrainMemory<double> memory;
      const GrainForce<double> f = test::step_law(law, {d, R, 1e-3, {0, 0, 1}, 0, {}}, 1e-6, memory);
      most = std::max(most, -f.normal);
      EXPECT_NEAR(f.normal, f.pressing - expected, 1e-12 * expected);
    }
    EXPECT_NEAR(most / expected, 1, 1e-4);
    EXPECT_LE(most, expected);
  }
}

TEST(GrainCohesion, SettlesAtTheOverlapOfTheClosedForm) {
  for (const bool hooke : {false, true}) {
    const double w = 1, r = 0.01;
    GrainPair pair(sticky(w, hooke, 0.3), ball(r, 2500), ball(r, 2500, {-0.01, 0, 0}));
    const double began = pair.j.kinetic(), F = 2 * pi * w * pair.radius(), k = pair.law.stiffness_n;
    const double expected = hooke ? F / k : std::pow(F / (k * std::sqrt(pair.radius())), 2.0 / 3);
    run(pair, 0.2, 2e-6);
    EXPECT_NEAR(-pair.gap() / expected, 1, 1e-6);
    EXPECT_LT(norm(pair.j.v - pair.i.v), 1e-9);
    const double depth = (hooke ? 0.5 : 0.6) * F * expected;  // of the well that they are in
    EXPECT_NEAR(pair.books().stored / -depth, 1, 1e-6);
    EXPECT_LT(std::abs(pair.books().error), 1e-3 * (began + depth));
  }
}

// Hooke with a damper, m x'' + c x' + k x = F: whoever comes with v_c just comes to rest at the border.
// Backwards in time from there, with y = x - F/k: y = -(F/k) exp(b s) (cos(q s) - (b/q) sin(q s)), until y =
// -F/k again.
double critical_speed(const GrainPair& pair, double F) {
  const double k = pair.law.stiffness_n, omega = std::sqrt(k / pair.mass());
  const double b = pair.law.damping_n * omega, q = std::sqrt(omega * omega - b * b);
  const auto y = [&](double s) { return std::exp(b * s) * (std::cos(q * s) - b / q * std::sin(q * s)) - 1; };
  double low = pi / q, high = 2 * pi / q;  // y < 0 at the one; > 0 at the other
  for (int n = 0; n < 100; ++n) (y(0.5 * (low + high)) > 0 ? high : low) = 0.5 * (low + high);
  const double s = low;
  return F / k * std::exp(b * s) * (b * b / q + q) * -std::sin(q * s);
}

TEST(GrainCohesion, SlowOnesStickFastOnesLeave) {
  const double w = 1, r = 0.01;
  const GrainLaw law = sticky(w, true, 0.5);
  const double critical = critical_speed({law, ball(r, 2500), ball(r, 2500)}, 2 * pi * w * r / 2);
  std::printf("critical speed %.4f m/s\n", critical);
  for (const double times : {0.2, 0.98, 1.02, 3.0}) {
    GrainPair pair(law, ball(r, 2500), ball(r, 2500, {-times * critical, 0, 0}));
    const double began = pair.j.kinetic(), well = pi * w * r * pi * w * r / (2 * law.stiffness_n);
    run(pair, 0.05, 1e-6);
    EXPECT_EQ(pair.gap() < 0, times < 1) << times;
    EXPECT_LT(std::abs(pair.books().error), 1e-3 * (began + well)) << times;
  }
}

// Friction by what presses: at F_n = 0 the grains still hold each other.
TEST(GrainCohesion, FrictionFollowsWhatPresses) {
  const GrainLaw law = sticky(1, true, 1);
  const double R = 0.005, F = 2 * pi * R, d = F / law.stiffness_n;
  GrainMemory<double> memory;
  const GrainForce<double> f =
      test::step_law(law, {d, R, 1e-3, {0, 0, 1}, 0, {1, 0, 0}, {1e6, 0, 0}}, 1e-6, memory);
  EXPECT_NEAR(f.normal, 0, 1e-15);
  EXPECT_NEAR(norm(f.tangential) / (law.friction * F), 1, 1e-12);
}

TEST(GrainCohesion, NoneIsTheSameBits) {
  for (const bool hooke : {false, true}) {
    GrainLaw law = sticky(0, hooke, 0.5);
    GrainMemory<double> memory;
    const GrainMeeting<double> at{1e-5, 0.01, 1e-3, {0, 0, 1}, -0.1, {1e-3, 0, 0}};
    const GrainForce<double> f = test::step_law(law, at, 1e-6, memory);
    EXPECT_EQ(f.normal, f.pressing);
  }
}

}  // namespace
}  // namespace hardpan::material
