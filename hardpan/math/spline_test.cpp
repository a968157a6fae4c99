#include "hardpan/math/spline.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

namespace hardpan {
namespace {

constexpr double pi = std::numbers::pi;

std::vector<Vec3> helix(int points, double turns) {
  std::vector<Vec3> list;
  for (int i = 0; i < points; ++i) {
    const double t = 2 * pi * turns * i / (points - 1);
    list.push_back({std::cos(t), std::sin(t), 0.1 * t});
  }
  return list;
}
std::vector<Vec3> circle(int points) {
  std::vector<Vec3> list;
  for (int i = 0; i < points; ++i)
    list.push_back({2 * std::cos(2 * pi * i / points), 2 * std::sin(2 * pi * i / points), 1});
  return list;
}
std::vector<Vec3> uneven() { return {{0, 0, 0}, {1, 0.3, 0}, {1.2, 1, 0.5}, {0, 2, 1}, {-1.5, 1, 0.2}}; }

double knot(const std::vector<Vec3>& points, std::size_t i) {
  double u = 0;
  for (std::size_t k = 0; k < i; ++k)
    u += (points[(k + 1) % points.size()] - points[k % points.size()]).norm();
  return u;
}

TEST(Spline, GoesThroughItsPoints) {
  for (const bool closed : {false, true}) {
    const auto points = uneven();
    const Spline curve(points, closed);
    for (std::size_t i = 0; i < points.size() + (closed ? 3 : 0); ++i)
      EXPECT_LT((curve.position(knot(points, i)) - points[i % points.size()]).norm(), 1e-13) << i;
  }
}

TEST(Spline, IsTwiceContinuouslyDifferentiable) {
  for (const bool closed : {false, true}) {
    const auto points = uneven();
    const Spline curve(points, closed);
    for (std::size_t i = 0; i < points.size() + (closed ? 2 : 0); ++i) {
      const double u = knot(points, i), d = 1e-9;
      EXPECT_LT((curve.position(u + d) - curve.position(u - d)).norm(), 1e-8);
      EXPECT_LT((curve.derivative(u + d) - curve.derivative(u - d)).norm(), 1e-7);
      EXPECT_LT((curve.second_derivative(u + d) - curve.second_derivative(u - d)).norm(), 1e-7);
    }
  }
}

TEST(Spline, DerivativesAreThoseOfThePosition) {
  for (const bool closed : {false, true}) {
    const Spline curve(uneven(), closed);
    for (double u = -1.03; u < curve.parameter_end() + 1; u += 0.0917) {
      const double d = 1e-5;
      EXPECT_LT(((curve.position(u + d) - curve.position(u - d)) / (2 * d) - curve.derivative(u)).norm(),
                1e-8);
      EXPECT_LT(
          ((curve.derivative(u + d) - curve.derivative(u - d)) / (2 * d) - curve.second_derivative(u)).norm(),
          2e-4);
      EXPECT_NEAR((curve.arc_length(u + d) - curve.arc_length(u - d)) / (2 * d), curve.derivative(u).norm(),
                  1e-8);
    }
  }
}

TEST(Spline, NaturalEndsGoOnStraight) {
  const Spline curve(uneven(), false);
  EXPECT_EQ(curve.second_derivative(0).norm(), 0.0);
  EXPECT_EQ(curve.second_derivative(curve.parameter_end() + 1).norm(), 0.0);
  const Vec3 there = curve.position(curve.parameter_end() + 2), d = curve.derivative(curve.parameter_end());
  EXPECT_LT((there - uneven().back() - 2 * d).norm(), 1e-13);
  EXPECT_NEAR(curve.arc_length(-2), -2 * curve.derivative(0).norm(), 1e-13);
}

TEST(Spline, TwoPointsMakeALine) {
  const Spline curve({{0, 0, 0}, {3, 4, 0}}, false);
  EXPECT_NEAR(curve.length(), 5, 1e-14);
  EXPECT_LT((curve.position(2.5) - Vec3(1.5, 2, 0)).norm(), 1e-14);
  EXPECT_NEAR(curve.closest(Vec3(3, -1, 7)), 1, 1e-13);
}

// The error of a closed spline falls with the fourth power of the spacing, also in its length.
TEST(Spline, ArcLengthOfACircleConverges) {
  double last = 0;
  for (const int n : {8, 16, 32}) {
    const Spline curve(circle(n), true);
    const double error = std::abs(curve.length() - 4 * pi);
    if (last > 0) {
      EXPECT_GT(last / error, 14);
    }
    last = error;
    EXPECT_NEAR(curve.arc_length(2.25 * curve.parameter_end()), 2.25 * curve.length(), 1e-10);
    EXPECT_NEAR(curve.arc_length(-0.5 * curve.parameter_end()), -0.5 * curve.length(), 1e-10);
  }
  EXPECT_LT(last, 1e-3);
  EXPECT_NEAR(Spline(helix(200, 2), false).length(), 4 * pi * std::sqrt(1.01), 1e-4);
}

TEST(Spline, ClosestPointIsClosest) {
  for (const bool closed : {false, true}) {
    const Spline curve(uneven(), closed);
    for (int k = 0; k < 200; ++k) {
      const Vec3 p(std::sin(1.1 * k), 1 + std::cos(2.3 * k), 0.5 * std::sin(0.7 * k));
      const double u = curve.closest(p), distance = (curve.position(u) - p).norm();
      EXPECT_LT(std::abs((curve.position(u) - p).dot(curve.derivative(u))), 1e-10);
      for (int i = 0; i <= 400; ++i)
        EXPECT_LE(distance, (curve.position(curve.parameter_end() * i / 400) - p).norm() + 1e-12);
    }
  }
}

// Downhill from where it was: a curve that crosses its own neighbourhood does not jump.
TEST(Spline, ClosestPointIsFollowed) {
  const Spline curve(helix(60, 3), false);
  for (double u = 0; u < curve.parameter_end(); u += 0.05)
    EXPECT_NEAR(curve.closest(curve.position(u), u - 0.04), u, 1e-10);
}

TEST(Spline, TurnsAsAWhole) {
  const Spline curve(uneven(), true);
  const Quat q(Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()));
  const Vec3 shift(3, -1, 2);
  const Spline other = curve.turned(q, shift);
  for (double u = 0; u < 5; u += 0.31)
    EXPECT_LT((q * curve.position(u) + shift - other.position(u)).norm(), 1e-14);
  EXPECT_EQ(other.length(), curve.length());
}

}  // namespace
}  // namespace hardpan
