#include "hardpan/geometry/collide.h"

#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "hardpan/geometry/test_dice.h"

namespace hardpan::geometry {
namespace {

std::vector<ContactPoint> contacts(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                                   double margin) {
  std::vector<ContactPoint> out;
  collide(a, pose_a, b, pose_b, margin, out);
  return out;
}

Pose at(double x, double y, double z) { return {{x, y, z}, Quat::Identity()}; }
Quat about(const Vec3& axis, double angle) { return Quat(Eigen::AngleAxisd(angle, axis)); }

void expect_all(const std::vector<ContactPoint>& points, const Vec3& normal, double gap,
                double tolerance = 1e-12) {
  std::set<std::uint64_t> features;
  for (const ContactPoint& p : points) {
    EXPECT_LT((p.normal - normal).norm(), tolerance);
    EXPECT_NEAR(p.gap, gap, tolerance);
    EXPECT_LT((p.on_b - p.on_a - p.gap * p.normal).norm(), tolerance);
    EXPECT_TRUE(features.insert(p.feature).second) << "two points of one name";
  }
}

TEST(Collide, SphereAndSphere) {
  const auto points = contacts(Sphere{1}, at(0, 0, 0), Sphere{0.5}, at(0, 0, 1.4), 0);
  ASSERT_EQ(points.size(), 1u);
  expect_all(points, Vec3::UnitZ(), -0.1);
  EXPECT_TRUE(contacts(Sphere{1}, at(0, 0, 0), Sphere{0.5}, at(0, 0, 1.6), 0.05).empty());
  EXPECT_EQ(contacts(Sphere{1}, at(0, 0, 0), Sphere{0.5}, at(0, 0, 1.6), 0.11).size(), 1u);
  EXPECT_EQ(contacts(Sphere{1}, at(0, 0, 0), Sphere{0.5}, at(0, 0, 0), 0).size(), 1u);
}

TEST(Collide, BoxOnBoxHasFourPoints) {
  const Box b{{1, 1, 1}};
  for (const double gap : {-1e-3, 0.0, 1e-3}) {
    const auto points = contacts(b, at(0, 0, 0), b, at(0, 0, 1 + gap), 1e-2);
    ASSERT_EQ(points.size(), 4u);
    expect_all(points, Vec3::UnitZ(), gap);
    const auto shifted = contacts(b, at(0, 0, 0), b, at(0.3, 0.2, 1 + gap), 1e-2);
    ASSERT_EQ(shifted.size(), 4u);
    expect_all(shifted, Vec3::UnitZ(), gap);
    Vec3 low = Vec3::Ones(), high = -Vec3::Ones();
    for (const auto& p : shifted) low = low.cwiseMin(p.on_a), high = high.cwiseMax(p.on_a);
    EXPECT_LT((low - Vec3(-0.2, -0.3, 0.5)).norm(), 1e-12);
    EXPECT_LT((high - Vec3(0.5, 0.5, 0.5)).norm(), 1e-12);
    const auto turned = contacts(b, at(0, 0, 0), b, {{0, 0, 1 + gap}, about(Vec3::UnitZ(), M_PI / 4)}, 1e-2);
    ASSERT_EQ(turned.size(), 8u);
    expect_all(turned, Vec3::UnitZ(), gap);
  }
}

TEST(Collide, BoxesOnEdgesAndCorners) {
  const Box b{{1, 1, 1}};
  // Crossed edges: the lower turned about x, the upper about y.
  const double top = std::sqrt(2) / 2;
  const Pose lower{{0, 0, 0}, about(Vec3::UnitX(), M_PI / 4)};
  for (const double gap : {-1e-3, 1e-3}) {
    const auto points = contacts(b, lower, b, {{0, 0, 2 * top + gap}, about(Vec3::UnitY(), M_PI / 4)}, 2e-3);
    ASSERT_EQ(points.size(), 1u);
    expect_all(points, Vec3::UnitZ(), gap);
    EXPECT_LT((points[0].on_a - Vec3(0, 0, top)).norm(), 1e-12);
  }
  // Corner to corner, apart: no separating axis is the normal.
  const auto points = contacts(b, at(0, 0, 0), b, at(1.1, 1.1, 1.1), 1);
  ASSERT_GE(points.size(), 1u);
  double least = 1;
  for (const auto& p : points) least = std::min(least, p.gap);
  EXPECT_NEAR(least, 0.1 * std::sqrt(3), 1e-12);
}

TEST(Collide, OnThePlane) {
  const Pose ground = at(0, 0, 0);
  for (const double gap : {-1e-3, 0.0, 1e-3}) {
    const double m = 2e-3;
    auto on_plane = [&](const Shape& s, double height, const Quat& q) {
      return contacts(Plane{}, ground, s, {{1, 2, height + gap}, q}, m);
    };
    const Quat up = Quat::Identity(), lying = about(Vec3::UnitX(), M_PI / 2);
    struct Case {
      Shape shape;
      double height;
      Quat q;
      std::size_t points;
    };
    const Case cases[] = {{Sphere{0.5}, 0.5, up, 1},
                          {Box{{1, 2, 3}}, 1.5, up, 4},
                          {Cylinder{0.5, 2}, 1, up, 4},
                          {Cylinder{0.5, 2}, 0.5, lying, 2},
                          {Capsule{0.5, 2}, 0.5, lying, 2},
                          {Capsule{0.5, 2}, 1.5, up, 1},
                          {Cone{0.5, 1}, 0.25, up, 4},
                          {Ellipsoid{{1, 2, 3}}, 3, up, 1},
                          {test::box_hull({1, 2, 3}), 1.5, up, 4}};
    for (const Case& c : cases) {
      const auto points = on_plane(c.shape, c.height, c.q);
      EXPECT_EQ(points.size(), c.points) << c.shape.index();
      expect_all(points, Vec3::UnitZ(), gap, 1e-12);
    }
  }
  // Tilted: the lowest point of the rim is one of them.
  const double tilt = 0.1;
  const auto points =
      contacts(Plane{}, ground, Cylinder{0.5, 2}, {{0, 0, 1.04}, about(Vec3(3, 4, 0) / 5, tilt)}, 1e-2);
  ASSERT_GE(points.size(), 1u);
  double least = 1;
  for (const auto& p : points) least = std::min(least, p.gap);
  EXPECT_NEAR(least, 1.04 - std::cos(tilt) - 0.5 * std::sin(tilt), 1e-12);
}

TEST(Collide, StandingOnABox) {
  const Box table{{4, 4, 1}};
  for (const double gap : {-1e-3, 1e-3}) {
    struct Case {
      Shape shape;
      double height;
      std::size_t least;
    };
    const Case cases[] = {
        {Cylinder{0.5, 2}, 1, 4}, {Cone{0.5, 1}, 0.25, 4}, {test::box_hull({1, 1, 1}), 0.5, 4}};
    for (const Case& c : cases) {
      const auto points = contacts(table, at(0, 0, -0.5), c.shape, at(0.1, 0.2, c.height + gap), 2e-3);
      EXPECT_GE(points.size(), c.least) << c.shape.index();
      expect_all(points, Vec3::UnitZ(), gap, 1e-11);
      Vec3 low = Vec3::Ones(), high = -Vec3::Ones();
      for (const auto& p : points) low = low.cwiseMin(p.on_a), high = high.cwiseMax(p.on_a);
      EXPECT_GT((high - low).head<2>().minCoeff(), 0.9);
    }
    const Pose lying{{0, 0, 0.5 + gap}, about(Vec3::UnitX(), M_PI / 2)};
    for (const Shape& s : {Shape(Cylinder{0.5, 2}), Shape(Capsule{0.5, 2})}) {
      const auto points = contacts(table, at(0, 0, -0.5), s, lying, 2e-3);
      EXPECT_EQ(points.size(), 2u) << s.index();
      expect_all(points, Vec3::UnitZ(), gap, 1e-11);
    }
  }
}

}  // namespace
}  // namespace hardpan::geometry
