#include "hardpan/multibody/free_rotation.h"

#include <cmath>

#include <Eigen/LU>
#include <gtest/gtest.h>

#include "hardpan/multibody/test_models.h"

namespace hardpan::multibody {
namespace {

using test::Random;

struct Top {
  Mat3 inertia, inverse;
  Quat q;
  Vec3 L;  // world

  Top(const Mat3& inertia_, const Quat& q_, const Vec3& omega_body)
      : inertia(inertia_), inverse(inertia_.inverse()), q(q_), L(q_ * (inertia_ * omega_body)) {}
  Vec3 momentum_body() const { return q.conjugate() * L; }
  Vec3 omega_body() const { return inverse * momentum_body(); }
  double energy() const { return 0.5 * momentum_body().dot(omega_body()); }
  bool step(double h) {
    const FreeRotation turn = free_rotation(inverse, q, L, h);
    q = (cayley(h * turn.omega_W) * q).normalized();
    return turn.converged;
  }
};

Top random_top(Random& random) {
  const Mat3 inertia = random.inertia(random.uniform(0.1, 10), random.uniform(0.1, 2));
  const Quat q = random.rotation();
  return {inertia, q, random.vector(10)};
}

TEST(FreeRotation, KeepsEnergyToRoundingOverManySteps) {
  Random random(1);
  for (int trial = 0; trial < 8; ++trial) {
    Top top = random_top(random);
    const double energy = top.energy();
    for (int i = 0; i < 10'000; ++i) ASSERT_TRUE(top.step(5e-3));
    EXPECT_NEAR(top.energy() / energy, 1.0, 2e-12);
  }
}

// Pi' - Pi = h Pi_m x I^-1 Pi_m with Pi' read off the new orientation: the world momentum has stayed the same
// vector, and the gyroscopic term has the right size and sign.
TEST(FreeRotation, ObeysTheMidpointEquationOfEuler) {
  Random random(2);
  const double h = 0.02;
  for (int trial = 0; trial < 200; ++trial) {
    Top top = random_top(random);
    const Vec3 before = top.momentum_body();
    ASSERT_TRUE(top.step(h));
    const Vec3 after = top.momentum_body(), mid = 0.5 * (before + after);
    EXPECT_LT((after - before - h * mid.cross(top.inverse * mid)).norm(), 1e-14 * before.norm());
  }
}

TEST(FreeRotation, IsOfSecondOrder) {
  Random random(3);
  for (int trial = 0; trial < 5; ++trial) {
    const Top start = random_top(random);
    const auto end_of = [&](int steps) {
      Top top = start;
      for (int i = 0; i < steps; ++i) EXPECT_TRUE(top.step(1.0 / steps));
      return top.q;
    };
    const Quat exact = end_of(200'000);
    const double e1 = end_of(500).angularDistance(exact), e2 = end_of(1000).angularDistance(exact),
                 e3 = end_of(2000).angularDistance(exact);
    EXPECT_NEAR(std::log2(e1 / e2), 2.0, 0.1);
    EXPECT_NEAR(std::log2(e2 / e3), 2.0, 0.1);
  }
}

TEST(FreeRotation, SphericalInertiaIsExact) {
  Random random(4);
  for (int trial = 0; trial < 100; ++trial) {
    const double moment = random.uniform(0.01, 10);
    const Vec3 L = random.vector(5) * moment;
    const FreeRotation turn = free_rotation(Mat3::Identity() / moment, random.rotation(), L, 0.01);
    EXPECT_TRUE(turn.converged);
    EXPECT_LT((turn.omega_W - L / moment).norm(), 1e-14 * (L / moment).norm());
  }
  EXPECT_TRUE(free_rotation(Mat3::Identity(), Quat::Identity(), Vec3::Zero(), 0.01).converged);
}

// Long thin and flat bodies, up to half a radian per step: Newton must not stop short of its tolerance.
TEST(FreeRotation, ConvergesForExtremeInertias) {
  Random random(5);
  int failures = 0;
  for (int trial = 0; trial < 100'000; ++trial) {
    const double thin = std::pow(10, random.uniform(-6, 0));
    const Mat3 R = random.rotation().toRotationMatrix();
    const Vec3 principal = trial % 2 ? Vec3(thin, 1, 1) : Vec3(1, 1, 2 - thin);
    const Mat3 inertia = R * principal.asDiagonal() * R.transpose();
    const Top top(inertia, random.rotation(), random.direction() * random.uniform(0, 500));
    failures += !free_rotation(top.inverse, top.q, top.L, 1e-3).converged;
  }
  EXPECT_EQ(failures, 0);
}

TEST(FreeRotation, TooFastIsReportedAndNeverNotANumber) {
  Random random(6);
  for (int trial = 0; trial < 20'000; ++trial) {
    Top top = random_top(random);
    top.L *= std::pow(10, random.uniform(-2, 8));
    const double h = 0.01, turn = h * top.omega_body().norm();
    const FreeRotation result = free_rotation(top.inverse, top.q, top.L, h);
    EXPECT_TRUE(result.omega_W.allFinite()) << turn;
    if (result.converged) {
      EXPECT_LT(h * result.omega_W.norm(), 2.0);
    }
    if (turn < 0.5) {
      EXPECT_TRUE(result.converged) << turn;
    }
  }
  const double nan = std::nan("");
  EXPECT_FALSE(free_rotation(Mat3::Identity(), Quat::Identity(), Vec3(nan, 0, 0), 0.01).converged);
  for (const double rate : {2.1, 10.0, 1e3, 1e9})
    EXPECT_FALSE(free_rotation(Mat3::Identity(), Quat::Identity(), Vec3(0, rate, 0), 1.0).converged) << rate;
}

// Rotation about the axes of the largest and the smallest moment is stable, about the middle one it turns
// over.
TEST(FreeRotation, OnlyTheMiddleAxisIsUnstable) {
  const Mat3 inertia = Vec3(1, 2, 3).asDiagonal();
  const auto farthest = [&](int axis) {
    Top top(inertia, Quat::Identity(), 10 * Vec3::Unit(axis) + Vec3::Constant(0.01));
    double largest = 0;
    for (int i = 0; i < 20'000; ++i) {
      EXPECT_TRUE(top.step(1e-3));
      largest = std::max(largest, 1 - top.omega_body().normalized()[axis]);
    }
    return largest;
  };
  EXPECT_LT(farthest(0), 1e-4);
  EXPECT_GT(farthest(1), 1.9);
  EXPECT_LT(farthest(2), 1e-4);
}

// A symmetric top precesses about its momentum at |L| / I_across, its nutation angle fixed.
TEST(FreeRotation, SymmetricTopPrecesses) {
  const double across = 2, along = 3, h = 1e-3;
  Top top(Vec3(across, across, along).asDiagonal(), Quat::Identity(), Vec3(1, 0, 4));
  const Vec3 n = top.L.normalized(), a0 = top.q * Vec3::UnitZ();
  const double rate = top.L.norm() / across, tilt = a0.dot(n);
  const int steps = 1000;
  for (int i = 0; i < steps; ++i) ASSERT_TRUE(top.step(h));
  const Vec3 a = top.q * Vec3::UnitZ();
  EXPECT_NEAR(a.dot(n), tilt, 1e-12);
  const Vec3 expected = Eigen::AngleAxisd(rate * steps * h, n) * a0;
  EXPECT_LT((a - expected).norm(), 3e-5);  // (h rate)^2/12 of the turned angle
}

}  // namespace
}  // namespace hardpan::multibody
