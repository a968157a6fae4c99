// Edge on edge: the normal between two tips that meet.
#include "hardpan/geometry/blunt.h"

#include <gtest/gtest.h>

#include "hardpan/geometry/test_reference.h"

namespace hardpan::geometry {
namespace {

using test::Dice;
using test::Placed;

Vec3 in_section(double angle) { return {std::cos(angle), 0, std::sin(angle)}; }

// Two plates that lean against each other like cards, edges along y. Their faces allow the normals from
// -lean_a to lean_b, as angles from x towards z.
struct Cards {
  Shape a, b;
  Pose pose_a, pose_b;
  double lean_a, lean_b;
  Vec3 tip;  // of A; that of B is there, too

  Cards(double left, double right, bool hulls, const Vec3& size = {0.2, 0.6, 0.9})
      : a(shape(size, hulls)), b(shape(size, hulls)), lean_a(left), lean_b(right) {
    pose_a = {{0, 0.1, 0}, Quat(Eigen::AngleAxisd(left, Vec3::UnitY()))};
    pose_b = {Vec3::Zero(), Quat(Eigen::AngleAxisd(-right, Vec3::UnitY()))};
    tip = pose_a.point(0.5 * size);
    pose_b.x = tip - pose_b.point(0.5 * Vec3(-size.x(), size.y(), size.z()));
    pose_b.x.y() = 0;
  }
  static Shape shape(const Vec3& size, bool hull) {
    return hull ? Shape(test::box_hull(size)) : Shape(Box{size});
  }
  double middle() const { return 0.5 * (lean_b - lean_a); }

  std::vector<ContactPoint> moved(const Vec3& by, const Quat& turn = Quat::Identity()) const {
    std::vector<ContactPoint> out;
    const Pose there{tip + by + turn * (pose_b.x - tip), turn * pose_b.q};
    collide(a, pose_a, b, there, 1e-6, out);
    return out;
  }
};

const ContactPoint& deepest(const std::vector<ContactPoint>& points) {
  return *std::min_element(points.begin(), points.end(),
                           [](const ContactPoint& p, const ContactPoint& q) { return p.gap < q.gap; });
}

constexpr double degree = std::numbers::pi / 180;

TEST(Blunt, TipsPressAlongTheMiddleOfTheirNormals) {
  for (const bool hulls : {false, true})
    for (const double left : {3.0, 20.0, 40.0})
      for (const double right : {3.0, 20.0, 40.0})
        for (const double depth : {0.0, 1e-12, 1e-9, 1e-7, 1e-5, 1e-4}) {
          const Cards cards(left * degree, right * degree, hulls);
          const Vec3 normal = in_section(cards.middle());
          const auto points = cards.moved(-depth * normal);
          ASSERT_EQ(points.size(), 2u) << hulls << " " << left << " " << right << " " << depth;
          double low = HUGE_VAL, high = -HUGE_VAL;
          for (const ContactPoint& p : points) {
            EXPECT_LT((p.normal - normal).norm(), 1e-6)
                << hulls << " " << left << " " << right << " " << depth;
            EXPECT_NEAR(p.gap, -depth, 1e-12);
            EXPECT_LT(std::hypot(p.on_a.x() - cards.tip.x(), p.on_a.z() - cards.tip.z()), depth + 1e-9);
            low = std::min(low, p.on_a.y()), high = std::max(high, p.on_a.y());
          }
          EXPECT_NEAR(low, -0.2, 1e-9);
          EXPECT_NEAR(high, 0.3, 1e-9);
        }
}

// From one face over the tip to the other, along a line at this depth below the tip.
TEST(Blunt, NormalTurnsOverATip) {
  for (const bool hulls : {false, true})
    for (const double depth : {1e-6, 1e-5, 1e-4}) {
      const Cards cards(20 * degree, 35 * degree, hulls);
      const Vec3 across = in_section(cards.middle() + 90 * degree),
                 down = -depth * in_section(cards.middle());
      const double slip = 0.01 * depth;
      Vec3 before = in_section(-cards.lean_a);
      for (int k = -800; k <= 800; ++k) {
        const Vec3 by = down + k * slip * across;
        const auto points = cards.moved(by);
        if (points.empty() || deepest(points).gap > 0) continue;
        const Vec3 normal = deepest(points).normal;
        const double turn = (normal - before).norm();
        EXPECT_LT(turn * -deepest(points).gap, slip) << hulls << " " << depth << " " << k;
        const double shortest = std::max(by.dot(in_section(-cards.lean_a)), by.dot(in_section(cards.lean_b)));
        EXPECT_LE(deepest(points).gap, shortest + 1e-15);
        const double slope = std::tan(0.5 * (cards.lean_a + cards.lean_b));
        EXPECT_GE(deepest(points).gap, shortest * (1 + 4.0 / 3 * slope * slope) - 1e-15);
        before = normal;
      }
      EXPECT_LT((before - in_section(cards.lean_b)).norm(), 1e-12);
    }
}

// Small motions of any kind, edges out of parallel, too: the normal changes with the way over the depth, the
// gap with the way.
TEST(Blunt, ContinuousAlongAPath) {
  Dice dice(31);
  double turned = 0;
  for (int run = 0; run < 60; ++run) {
    const Cards cards(dice.in(5, 40) * degree, dice.in(5, 40) * degree, run % 2 == 1);
    const double scale = std::pow(10, dice.in(-7, -4.5)), step = 1e-3 * scale;
    const Vec3 velocity = dice.direction(), spin = dice.direction();
    Vec3 by = -scale * in_section(cards.middle()) + scale * dice.vec(0.5), angle = scale * dice.vec(0.5);
    std::vector<ContactPoint> before;
    for (int k = 0; k < 2000; ++k) {
      by += step * velocity;
      angle += step * spin;
      const auto points = cards.moved(by, cayley(angle));
      if (!before.empty() && !points.empty()) {
        const ContactPoint &p = deepest(points), &q = deepest(before);
        if (std::max(p.gap, q.gap) < -0.02 * scale) {
          const double turn = (p.normal - q.normal).norm() * -p.gap / step;
          turned = std::max(turned, turn);
          ASSERT_LT(turn, 1.5) << run << " step " << k;
          ASSERT_LT(std::abs(p.gap - q.gap), 4 * step) << run << " step " << k;
        }
      }
      before = points;
    }
  }
  EXPECT_GT(turned, 0.1);
}

}  // namespace
}  // namespace hardpan::geometry
