// Lines on edges: the side of a cylinder along the border of a face.
#include "hardpan/geometry/manifold.h"

#include <numbers>

#include <gtest/gtest.h>

#include "hardpan/geometry/collide.h"
#include "hardpan/geometry/test_dice.h"

namespace hardpan::geometry {
namespace {

using test::Dice;

constexpr double radius = 0.25, length = 0.4;

// On the edge of a unit cube that runs along y, above x = z = 0: around it where `angle`, from z to x, is
// between 0 and 90 degrees; beyond, on the faces.
struct OnEdge {
  Shape cube, roller;
  double depth = 1e-6, y = 0.1, roll = 0;

  std::vector<ContactPoint> contacts(double angle, double yaw, double lateral = 0,
                                     double margin = 1e-4) const {
    const double quarter = std::numbers::pi / 2, on_edge = std::clamp(angle, 0.0, quarter);
    const Vec3 normal(std::sin(on_edge), 0, std::cos(on_edge)),
        along(std::cos(on_edge), 0, -std::sin(on_edge));
    const double beyond = 0.2 * (angle - on_edge);
    const Quat turn = Eigen::AngleAxisd(yaw, normal) * Eigen::AngleAxisd(roll, along),
               lying(Eigen::AngleAxisd(-quarter, Vec3::UnitX()));
    const Vec3 centre = (radius - depth) * normal + (beyond + lateral) * along + Vec3(0, y, 0);
    std::vector<ContactPoint> out;
    collide(cube, {{-0.5, 0, -0.5}, Quat::Identity()}, roller, {centre, turn * lying}, margin, out);
    return out;
  }
};

std::vector<OnEdge> rollers() {
  std::vector<OnEdge> out;
  for (const Shape& cube : {Shape(Box{{1, 1, 1}}), Shape(test::box_hull({1, 1, 1}))})
    for (const Shape& roller : {Shape(Cylinder{radius, length}), Shape(Capsule{radius, length})})
      out.push_back({cube, roller});
  return out;
}

double low_end(const std::vector<ContactPoint>& points) {
  return std::min(points[0].on_a.y(), points[1].on_a.y());
}
double high_end(const std::vector<ContactPoint>& points) {
  return std::max(points[0].on_a.y(), points[1].on_a.y());
}

TEST(Manifold, RollerOnAnEdgeKeepsBothEnds) {
  Dice dice(3);
  for (const OnEdge& on : rollers())
    for (const double angle : {-0.2, 0.1, 0.5, 0.8, 1.3, 1.7})
      for (int k = 0; k < 200; ++k) {
        const double yaw = std::pow(10, dice.in(-17, -5)) * (k % 2 ? 1 : -1),
                     lateral = std::pow(10, dice.in(-17, -9)) * (k % 4 < 2 ? 1 : -1);
        const auto points = on.contacts(angle, k == 0 ? 0 : yaw, k < 2 ? 0 : lateral);
        ASSERT_EQ(points.size(), 2u) << angle << " yaw " << yaw << " lateral " << lateral;
        EXPECT_NEAR(low_end(points), on.y - length / 2, 1e-6);
        EXPECT_NEAR(high_end(points), on.y + length / 2, 1e-6);
        for (const ContactPoint& p : points) EXPECT_NEAR(p.gap, -on.depth, 2e-9) << angle << " yaw " << yaw;
      }
}

// Where it hangs over the end of the edge, the corner is the end.
TEST(Manifold, RollerBeyondTheEndOfAnEdge) {
  for (OnEdge on : rollers()) {
    on.y = 0.4;
    for (const double yaw : {0.0, 1e-9, -1e-9}) {
      const auto points = on.contacts(0.7, yaw);
      ASSERT_EQ(points.size(), 2u) << yaw;
      EXPECT_NEAR(low_end(points), 0.2, 1e-6);
      EXPECT_NEAR(high_end(points), 0.5, 1e-6);
    }
  }
}

// The middle of the load, if each point carries what its depth is.
double centre_of_load(const std::vector<ContactPoint>& points) {
  double moment = 0, load = 0;
  for (const ContactPoint& p : points) {
    moment += std::max(0.0, -p.gap) * p.on_a.y();
    load += std::max(0.0, -p.gap);
  }
  return moment / load;
}

// As it turns away from the edge, the load goes to where they cross without a jump.
TEST(Manifold, LoadOnAnEdgeMovesContinuously) {
  for (OnEdge on : rollers()) {
    on.depth = 1e-5;
    for (const double angle : {0.02, 0.5, 0.8, 1.4})
      for (const double side : {1.0, -1.0})
        for (const double lateral : {0.0, 1e-6, -1e-6}) {
          double before = on.y;
          for (double yaw = 1e-9; yaw < 0.3; yaw *= 1.02) {
            const double centre = centre_of_load(on.contacts(angle, side * yaw, lateral));
            ASSERT_LT(std::abs(centre - before), 0.05 * length) << angle << " yaw " << side * yaw;
            before = centre;
          }
        }
  }
}

// A wheel that leans and steers a little rolls over the edge onto the face.
TEST(Manifold, LoadIsContinuousFromEdgeToFace) {
  for (OnEdge on : rollers())
    for (const double roll : {0.0, 1e-7, 1e-5, 1e-3})
      for (const double yaw : {0.0, 1e-9, -1e-7, 1e-5, -2e-4, 1e-3}) {
        on.roll = roll;
        on.depth = 1e-5 + 0.5 * roll * length;
        double before = NAN;
        for (double angle = 0.1, step = 0; angle > -0.02; angle -= step) {
          step = std::abs(angle) < 5e-3 ? 1e-5 : 1e-3;
          const double centre = centre_of_load(on.contacts(angle, yaw));
          ASSERT_FALSE(std::abs(centre - before) > 0.05 * length)
              << angle << " roll " << roll << " yaw " << yaw;
          before = centre;
        }
      }
}

}  // namespace
}  // namespace hardpan::geometry
