#include "hardpan/geometry/aabb.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "hardpan/geometry/test_shapes.h"

namespace hardpan::geometry {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

// The farthest point of a shape along a direction, written down anew.
Vec3 support(const Shape& shape, const Vec3& d) {
  const auto side = [](double x) { return x < 0 ? -1.0 : 1.0; };
  const Vec3 flat = d.head<2>().norm() > 0 ? Vec3(d.x(), d.y(), 0).normalized() : Vec3::UnitX();
  const auto farthest = [&](const std::vector<Vec3>& points) {
    return *std::max_element(points.begin(), points.end(),
                             [&](const Vec3& a, const Vec3& b) { return a.dot(d) < b.dot(d); });
  };
  if (const auto* s = std::get_if<Sphere>(&shape)) return s->radius * d.normalized();
  if (const auto* b = std::get_if<Box>(&shape))
    return Vec3(side(d.x()) * b->size.x(), side(d.y()) * b->size.y(), side(d.z()) * b->size.z()) / 2;
  if (const auto* c = std::get_if<Cylinder>(&shape))
    return c->radius * flat + Vec3(0, 0, side(d.z()) * c->length / 2);
  if (const auto* c = std::get_if<Capsule>(&shape))
    return c->radius * d.normalized() + Vec3(0, 0, side(d.z()) * c->length / 2);
  if (const auto* c = std::get_if<Cone>(&shape)) {
    const Vec3 tip(0, 0, 0.75 * c->height), rim = c->radius * flat - Vec3(0, 0, c->height / 4);
    return tip.dot(d) > rim.dot(d) ? tip : rim;
  }
  if (const auto* e = std::get_if<Ellipsoid>(&shape)) {
    const Vec3 scaled = e->radii.cwiseProduct(d).normalized();
    return e->radii.cwiseProduct(scaled);
  }
  if (const auto* h = std::get_if<Hull>(&shape)) return farthest(h->body->vertices);
  return farthest(std::get<Mesh>(shape).surface->vertices);
}

std::vector<Shape> convex_shapes(RandomVectors& random) {
  std::vector<Vec3> points;
  for (int i = 0; i < 12; ++i) points.push_back(random.in_cube());
  const auto length = [&] { return random.number(0.2, 2); };
  const Hull hull = hull_of(points);
  return {Sphere{length()},
          Box{{length(), length(), length()}},
          Cylinder{length(), length()},
          Capsule{length(), length()},
          Cone{length(), length()},
          Ellipsoid{{length(), length(), length()}},
          hull,
          mesh_of(*hull.body)};
}

TEST(Aabb, HoldsEveryPointAndIsTight) {
  RandomVectors random(3);
  for (int trial = 0; trial < 200; ++trial)
    for (const Shape& shape : convex_shapes(random)) {
      const Pose pose = random.pose();
      const Aabb box = bounds(shape, pose);
      for (int i = 0; i < 20; ++i) {
        const Vec3 p = pose.point(support(shape, random.direction()));
        EXPECT_TRUE((p.array() >= box.low.array() - 1e-12).all()) << shape.index();
        EXPECT_TRUE((p.array() <= box.high.array() + 1e-12).all()) << shape.index();
      }
      for (Eigen::Index k = 0; k < 3; ++k) {
        const Vec3 e = Vec3::Unit(k);
        EXPECT_NEAR(pose.point(support(shape, pose.local_vector(e)))[k], box.high[k], 1e-12) << shape.index();
        EXPECT_NEAR(pose.point(support(shape, pose.local_vector(-e)))[k], box.low[k], 1e-12) << shape.index();
      }
    }
}

TEST(Aabb, GroundsReachDownWithoutEnd) {
  const Aabb level = bounds(Plane{}, {{1, 2, 3}, Quat::Identity()});
  EXPECT_EQ(level.high, Vec3(infinite, infinite, 3));
  EXPECT_EQ(level.low, Vec3::Constant(-infinite));
  const Pose tilted{{1, 2, 3}, Quat(Eigen::AngleAxisd(0.1, Vec3::UnitX()))};
  EXPECT_EQ(bounds(Plane{}, tilted).high, Vec3::Constant(infinite));
  const HeightField field{std::make_shared<HeightGrid>(make_height_grid({{0, 1, 2}, {3, 4, -5}}, 0.5, 2))};
  const Aabb hills = bounds(field, {{1, 2, 3}, Quat::Identity()});
  EXPECT_EQ(hills.low, Vec3(1, 2, -infinite));
  EXPECT_EQ(hills.high, Vec3(2, 4, 7));
  EXPECT_EQ(bounds(field, tilted).high.y(), infinite);  // its z axis leans to -y
  EXPECT_EQ(bounds(field, tilted).high.x(), 2);
}

TEST(Aabb, Arithmetic) {
  const Aabb a{{0, 0, 0}, {1, 1, 1}}, touching{{1, 0, 0}, {2, 1, 1}}, apart{{0, 0, 1.5}, {1, 1, 2}};
  EXPECT_TRUE(a.overlaps(touching));
  EXPECT_FALSE(a.overlaps(apart));
  EXPECT_TRUE(a.expanded(0.5).overlaps(apart));
  EXPECT_FALSE(a.overlaps(Aabb{}));
  EXPECT_EQ(a.merged(apart).high, Vec3(1, 1, 2));
  EXPECT_EQ(Aabb{}.merged(a).low, a.low);
}

}  // namespace
}  // namespace hardpan::geometry
