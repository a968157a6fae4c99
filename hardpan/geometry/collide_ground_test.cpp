#include "hardpan/geometry/collide_ground.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "hardpan/geometry/aabb.h"
#include "hardpan/geometry/collide_triangle.h"
#include "hardpan/geometry/test_grounds.h"
#include "hardpan/geometry/test_shapes.h"

namespace hardpan::geometry {
namespace {

using namespace test;

double flat(double, double) { return 0; }
std::vector<Shape> grounds() { return {irregular_mesh(14, 4, hills), height_field(14, hills)}; }
constexpr std::uint32_t triangles = 2 * 14 * 14;

Surface surface_of(const Shape& ground) {
  if (const Mesh* mesh = std::get_if<Mesh>(&ground)) return Surface(*mesh->surface);
  return Surface(*std::get<HeightField>(ground).grid);
}

double facet_below(const Shape& ground, const Vec3& p) {
  const Vec3 local = origin_of(ground).local_point(p);
  return height_of(surface_of(ground), triangles, local.x(), local.y());
}

double least_gap_to_triangles(const Shape& ground, const Shape& shape, const Pose& pose, double margin) {
  const Surface surface = surface_of(ground);
  std::vector<ContactPoint> points;
  for (std::uint32_t t = 0; t < triangles; ++t) {
    std::array<Vec3, 3> corners;
    for (std::size_t k = 0; k < 3; ++k)
      corners[k] = origin_of(ground).point(surface.vertex(surface.corners(t)[k]));
    collide_triangle(shape, pose, corners, margin, points);
  }
  return least_gap(points, margin);
}

// Both lists hold the same points, in any order.
void expect_same(const std::vector<ContactPoint>& found, const std::vector<ContactPoint>& wanted,
                 const std::string& what) {
  ASSERT_EQ(found.size(), wanted.size()) << what;
  for (const ContactPoint& w : wanted) {
    const ContactPoint* nearest = &found[0];
    for (const ContactPoint& f : found)
      if ((f.on_a - w.on_a).norm() < (nearest->on_a - w.on_a).norm()) nearest = &f;
    EXPECT_LT((nearest->on_a - w.on_a).norm(), 1e-12) << what;
    EXPECT_LT((nearest->normal - w.normal).norm(), 1e-12) << what;
    EXPECT_NEAR(nearest->gap, w.gap, 1e-12) << what;
  }
}

// 10^4 poses each; an open mesh is met by what reaches through it, a height field at any depth.
void compare_with_plane(const Shape& ground, double deepest) {
  Dice dice(17);
  for (int kind = 0; kind < kinds; ++kind) {
    const Pose place{dice.vec(3), dice.turn()};
    int touching = 0;
    for (int i = 0; i < 10'000; ++i) {
      const Shape shape = random_shape(kind, dice, i % 3 == 0 ? 0.05 : i % 3 == 1 ? 0.3 : 1);
      const double margin = 0.1;
      Pose local{{dice.in(-2, 2), dice.in(-2, 2), 0}, dice.turn()};
      if (i % 4 == 0) local.q = Quat(Eigen::AngleAxisd(dice.in(0, 6), Vec3::UnitZ()));  // flat on it
      const Aabb box = bounds(shape, local);
      local.x.z() = dice.in(deepest > 0 ? -deepest : -box.high.z(), -box.low.z() + 2 * margin);
      const Pose pose = place * local;
      std::vector<ContactPoint> found, wanted;
      collide(ground, place * origin_of(ground), shape, pose, margin, found);
      collide(Plane{}, place, shape, pose, margin, wanted);
      touching += !wanted.empty();
      expect_same(found, wanted, fmt::format("{} {}", name(kind), i));
      if (testing::Test::HasFailure()) return;
    }
    EXPECT_GT(touching, 5000);
  }
}

TEST(CollideGround, FlatMeshIsAPlane) { compare_with_plane(irregular_mesh(24, 3, flat), 0); }
TEST(CollideGround, FlatHeightFieldIsAPlane) { compare_with_plane(height_field(23, flat), 3); }

// Two slopes that meet at x = 0 in a ridge (angle > 0) or a valley, falling by `angle` on both sides.
TEST(CollideGround, SphereOverRidgeAndValley) {
  Dice dice(5);
  for (const double angle : {1.2, 0.6, 0.01, 1e-4, -0.01, -0.6, -1.2}) {
    const auto slope = [&](double x, double) { return -std::abs(x) * std::tan(angle); };
    std::vector<Vec3> v;
    for (const double y : {-5.0, 5.0})
      for (const double x : {-5.0, 0.0, 5.0}) v.emplace_back(x, y, slope(x, y));
    const Mesh mesh{
        std::make_shared<const TriangleMesh>(make_mesh(v, {{0, 1, 4}, {0, 4, 3}, {1, 2, 5}, {1, 5, 4}}))};
    const Vec3 right(std::sin(angle), 0, std::cos(angle)), left(-std::sin(angle), 0, std::cos(angle));
    for (int i = 0; i < 4000; ++i) {
      const double r = dice.in(0.2, 1), margin = 0.5;
      const Vec3 c(dice.in(-1, 1), dice.in(-2, 2), dice.in(-1.5, 2));
      const double sign = c.z() >= slope(c.x(), 0) ? 1 : -1;
      const Vec3 down_right(std::cos(angle), 0, -std::sin(angle)),
          down_left(-std::cos(angle), 0, -std::sin(angle));
      const Vec3 flat_c(c.x(), 0, c.z());
      const double distance = sign * std::min(distance_to_segment(flat_c, Vec3::Zero(), 9 * down_right),
                                              distance_to_segment(flat_c, Vec3::Zero(), 9 * down_left));
      if (distance < -0.9 * r) continue;  // an open mesh must be reached through
      std::vector<ContactPoint> points;
      collide(mesh, {}, Sphere{r}, {c, Quat::Identity()}, margin, points);
      // Below a valley each plane counts for itself: the point is behind both.
      double wanted = distance - r;
      if (angle < 0 && sign < 0) wanted = std::min(right.dot(c), left.dot(c)) - r;
      if (wanted > margin) {
        EXPECT_TRUE(points.empty());
        continue;
      }
      EXPECT_NEAR(least_gap(points, 99), wanted, 1e-12) << angle << " at " << c.transpose() << " r " << r;
      EXPECT_LE(points.size(), angle > 0 ? 1u : 2u) << angle << " at " << c.transpose() << " r " << r;
      for (const ContactPoint& p : points) {
        EXPECT_NEAR(p.normal.dot(p.on_b - p.on_a), p.gap, 1e-12);
        EXPECT_LE(std::abs(std::asin(p.normal.x())), std::abs(angle) + 1e-9);
      }
    }
  }
}

// What has sunk into a ridge of many edges touches it where it is lowest, and only there: edges beside that
// are inside of it, too.
TEST(CollideGround, SpheroidTouchesARidgeOfManyEdgesOnce) {
  constexpr std::uint32_t corners = 7;  // 0.25 m from each other
  std::vector<Vec3> v;
  std::vector<std::array<std::uint32_t, 3>> t;
  for (std::uint32_t i = 0; i < corners; ++i)
    for (const double y : {-1.0, 0.0, 1.0}) v.emplace_back(0.25 * i - 0.75, y, -std::abs(y));
  for (std::uint32_t a = 0; a + 3 < v.size(); ++a)
    if (a % 3 != 2) t.insert(t.end(), {{a, a + 3, a + 4}, {a, a + 4, a + 1}});
  const Mesh roof{std::make_shared<const TriangleMesh>(make_mesh(v, t))};
  Dice dice(6);
  int beside = 0;
  for (int i = 0; i < 1000; ++i) {
    const double half = dice.in(0.2, 0.6), across = 0.9 * half, depth = dice.in(0.001, 0.15);
    const double at = dice.in(-0.3, 0.3), to_corner = std::abs(at - 0.25 * std::round(4 * at));
    const Pose pose{{at, 0, half - depth}, Quat(Eigen::AngleAxisd(dice.in(-3, 3), Vec3::UnitZ()))};
    std::vector<ContactPoint> points;
    collide(roof, {}, Ellipsoid{{across, across, half}}, pose, 0, points);
    ASSERT_EQ(points.size(), 1u) << at << " half " << half << " depth " << depth;
    EXPECT_NEAR(points[0].gap, -depth, 1e-12);
    EXPECT_LE((points[0].normal - Vec3::UnitZ()).norm(), 1e-6);
    EXPECT_LE((points[0].on_a - Vec3(at, 0, 0)).norm(), 1e-6);
    beside += to_corner < across * std::sqrt(1 - std::pow(1 - depth / half, 2));
  }
  EXPECT_GT(beside, 500);  // cases with another edge inside
}

// Nothing missed, nothing invented: the least gap of a sphere is its distance to the nearest triangle.
TEST(CollideGround, SphereFindsTheNearestTriangle) {
  Dice dice(8);
  for (const Shape& ground : grounds()) {
    const Surface surface = surface_of(ground);
    for (int i = 0; i < 3000; ++i) {
      const double r = std::pow(10, dice.in(-2, 0)), margin = 0.1 * r;
      const double x = dice.in(-3, 3), y = dice.in(-3, 3);
      const Vec3 c(x, y, facet_below(ground, {x, y, 0}) + dice.in(0, 1.3 * r));
      const double wanted = distance_to_surface(surface, triangles, origin_of(ground).local_point(c)) - r;
      std::vector<ContactPoint> points;
      collide(ground, origin_of(ground), Sphere{r}, {c, Quat::Identity()}, margin, points);
      EXPECT_NEAR(least_gap(points, margin), std::min(wanted, margin), 1e-12) << i;
    }
  }
}

// As meshes are that have too many triangles to be a hull.
Mesh surface_alone(const Mesh& mesh) {
  TriangleMesh surface = *mesh.surface;
  surface.hull = nullptr;
  return {std::make_shared<const TriangleMesh>(std::move(surface))};
}

// A convex mesh is its hull, at any depth. As a surface it is so while apart; overlapping, several parts of
// it may hold the shape where the hull has one shortest way out, so depths are only alike.
TEST(CollideGround, ConvexMeshIsItsHull) {
  Dice dice(9);
  for (int i = 0; i < 200; ++i) {
    std::vector<Vec3> cloud;
    for (int k = 0; k < 12; ++k) cloud.push_back(dice.vec(1));
    const Hull hull = hull_of(cloud);
    const Mesh mesh = mesh_of(*hull.body), surface = surface_alone(mesh);
    for (int kind = 0; kind < kinds; ++kind)
      for (int j = 0; j < 5; ++j) {
        const Shape shape = random_shape(kind, dice, 0.5);
        const Pose pose{dice.direction() * dice.in(0.5, 2), dice.turn()};
        const double margin = 0.5;
        const auto gap = [&](const Shape& solid) {
          std::vector<ContactPoint> points;
          collide(solid, {}, shape, pose, margin, points);
          return least_gap(points, margin);
        };
        const double wanted = gap(hull);
        EXPECT_NEAR(gap(mesh), wanted, 1e-12) << name(kind) << " " << i << " " << j;
        if (wanted < -0.05) continue;
        EXPECT_NEAR(gap(surface), wanted, wanted >= 0 ? 1e-8 : -0.2 * wanted)
            << name(kind) << " " << i << " " << j;
      }
  }
}

// While nothing overlaps, the least gap is that of the nearest bare triangle.
TEST(CollideGround, ShapesFindTheNearestTriangle) {
  Dice dice(12);
  for (const Shape& ground : grounds())
    for (int kind = 0; kind < kinds; ++kind) {
      int apart = 0;
      for (int i = 0; i < 300; ++i) {
        const Shape shape = random_shape(kind, dice, std::pow(10, dice.in(-1.5, 0)));
        Pose pose{{dice.in(-2, 2), dice.in(-2, 2), 0}, dice.turn()};
        const Aabb box = bounds(shape, pose);
        const double size = (box.high - box.low).maxCoeff(), margin = 0.2 * size;
        const double under = facet_below(ground, pose.x);
        pose.x.z() = under - box.low.z() + dice.in(-0.1, 0.3) * size;
        if (pose.x.z() < under) continue;
        const double wanted = least_gap_to_triangles(ground, shape, pose, margin);
        if (wanted <= 0) continue;
        ++apart;
        std::vector<ContactPoint> points;
        collide(ground, origin_of(ground), shape, pose, margin, points);
        EXPECT_NEAR(least_gap(points, margin), wanted, 1e-8)
            << name(kind) << " " << i << " ground " << ground.index();
      }
      EXPECT_GT(apart, 50) << name(kind);
    }
}

struct Jumps {
  int count = 0;
  double highest = 0;  // m
};

// Shapes that follow the ground at a height that sways from `depth` inside to three times that above: where
// the gap changes by more than the way.
Jumps walk(int runs, double depth) {
  Dice dice(10);
  Jumps jumps;
  for (const Shape& ground : grounds())
    for (int kind = 0; kind < kinds; ++kind)
      for (int run = 0; run < runs; ++run) {
        const Shape shape = random_shape(kind, dice, 0.4);
        Pose pose{{dice.in(-2, 2), dice.in(-2, 2), 0}, dice.turn()};
        pose.x.z() = hills(pose.x.x(), pose.x.y()) - bounds(shape, pose).low.z();
        const double most = depth / 5, margin = 0.1;
        const Vec3 way = most * Vec3(dice.in(-1, 1), dice.in(-1, 1), 0);
        std::vector<ContactPoint> points;
        collide(ground, origin_of(ground), shape, pose, margin, points);
        double before = least_gap(points, margin);
        for (int step = 0; step < 1000; ++step) {
          const double wanted = depth * (1 + 2 * std::sin(0.01 * step));
          const Vec3 by = way + Vec3(0, 0, std::clamp(wanted - before, -most, most));
          pose.x += by;
          points.clear();
          collide(ground, origin_of(ground), shape, pose, margin, points);
          const double gap = least_gap(points, margin);
          const double excess = std::abs(gap - before) - 1.0001 * by.norm() - 1e-8;
          if (std::min(gap, before) > -2 * depth && excess > 0) {
            EXPECT_LT(before, 0) << name(kind) << " " << run << " step " << step << " gap " << gap;
            jumps.count += excess > -1e-3 * before;
            jumps.highest = std::max(jumps.highest, excess);
          }
          before = gap;
        }
      }
  return jumps;
}

// The gap changes by no more than the way, as long as shapes overlap by little.
TEST(CollideGround, GapIsContinuousAlongAPath) {
  const Jumps jumps = walk(10, 3e-4);
  EXPECT_EQ(jumps.count, 0);
  EXPECT_EQ(jumps.highest, 0);
}

// At depth, the part that holds a shape may change. That is rare, and by far no step as high as the shape.
TEST(CollideGround, GapOfDeepOverlapsSeldomJumps) {
  const Jumps jumps = walk(40, 5e-3);
  EXPECT_LE(jumps.count, 24);
  EXPECT_LT(jumps.highest, 0.006);
}

// A corner inside of a ridge or tip is found, whichever corner is the lowest against the slopes.
TEST(CollideGround, NoCornerIsForgottenPastAnEdge) {
  Dice dice(21);
  const std::vector<Shape> both = grounds();
  int inside = 0;
  for (int i = 0; i < 40'000; ++i) {
    const Shape& ground = both[static_cast<std::size_t>(i % 2)];
    const Shape shape = random_shape(hull, dice, 0.4);
    Pose pose{{dice.in(-2, 2), dice.in(-2, 2), 0}, dice.turn()};
    pose.x.z() = facet_below(ground, pose.x) - bounds(shape, pose).low.z() + dice.in(-0.05, 0.05);
    double depth = 0;
    for (const Vec3& v : std::get<Hull>(shape).body->vertices)
      depth = std::max(depth, facet_below(ground, pose.point(v)) - pose.point(v).z());
    if (depth < 1e-6 || depth > 0.01) continue;
    ++inside;
    std::vector<ContactPoint> points;
    collide(ground, origin_of(ground), shape, pose, 0.01, points);
    ASSERT_LT(least_gap(points, 1), 0) << i << " depth " << depth;
  }
  EXPECT_GT(inside, 2000);
}

// However deep a body sinks into a height field, it is found and pushed up.
TEST(CollideGround, HeightFieldHoldsWhatFellThrough) {
  Dice dice(14);
  const HeightField ground = height_field(14, hills);
  for (int kind = 0; kind < kinds; ++kind)
    for (int i = 0; i < 500; ++i) {
      const Shape shape = random_shape(kind, dice, 0.3);
      const Pose pose{{dice.in(-3, 3), dice.in(-3, 3), -std::pow(10, dice.in(-0.5, 1))}, dice.turn()};
      std::vector<ContactPoint> points;
      collide(ground, origin_of(ground), shape, pose, 0, points);
      ASSERT_FALSE(points.empty()) << name(kind) << " " << i;
      EXPECT_LT(least_gap(points, 0), 0);
      for (const ContactPoint& p : points) EXPECT_GT(p.normal.z(), 0);
    }
}

// A plate on a table of 5 cm, near its side: no push sideways, none from the underside.
TEST(CollideGround, ThinTableHoldsFromAboveOnly) {
  const Mesh table = mesh_of(*hull_of(corners_of_box({2, 2, 0.05})).body);
  for (const double overhang : {-0.3, -1e-5, 0.1, 0.45})
    for (const double depth : {-1e-3, 0.0, 1e-5, 1e-3, 0.02}) {
      const Pose pose{{1 - 0.5 + overhang, 0.1, 0.025 + 0.2 - depth}, Quat::Identity()};
      std::vector<ContactPoint> points;
      collide(table, {}, Box{{1, 0.5, 0.4}}, pose, 0.01, points);
      EXPECT_GE(points.size(), 4u) << overhang << " " << depth;
      double reach = -9;
      for (const ContactPoint& p : points) {
        EXPECT_LT((p.normal - Vec3::UnitZ()).norm(), 1e-6) << overhang << " " << depth;
        EXPECT_NEAR(p.gap, -depth, 1e-9);
        reach = std::max(reach, p.on_a.x());
      }
      EXPECT_NEAR(reach, std::min(1.0, 1 + overhang), 1e-6);
    }
}

TEST(CollideGround, MeshOnPlaneAndMeshOnGround) {
  const Mesh cube = mesh_of(*hull_of(corners_of_box({1, 1, 1})).body);
  for (const Shape& ground :
       {Shape(Plane{}), Shape(irregular_mesh(5, 3, flat)), Shape(height_field(5, flat))}) {
    std::vector<ContactPoint> points, swapped;
    collide(ground, origin_of(ground), cube, {{0.1, 0.2, 0.49}, Quat::Identity()}, 0.01, points);
    collide(cube, {{0.1, 0.2, 0.49}, Quat::Identity()}, ground, origin_of(ground), 0.01, swapped);
    ASSERT_EQ(points.size(), 4u);
    ASSERT_EQ(swapped.size(), 4u);
    for (const ContactPoint& p : points) EXPECT_NEAR(p.gap, -0.01, 1e-12);
    for (const ContactPoint& p : swapped) EXPECT_LT((p.normal + Vec3::UnitZ()).norm(), 1e-12);
  }
}

// What a vehicle needs: features stay the same while a body slides within the same triangles.
TEST(CollideGround, FeaturesPersist) {
  const Mesh ground = irregular_mesh(2, 3, flat);
  std::vector<ContactPoint> before, after;
  collide(ground, {}, Box{{0.2, 0.2, 0.2}}, {{1, 1.5, 0.1}, Quat::Identity()}, 0.01, before);
  collide(ground, {}, Box{{0.2, 0.2, 0.2}}, {{1.001, 1.501, 0.1}, Quat::Identity()}, 0.01, after);
  ASSERT_EQ(before.size(), 4u);
  ASSERT_EQ(after.size(), 4u);
  for (std::size_t k = 0; k < 4; ++k) EXPECT_EQ(before[k].feature, after[k].feature);
}

}  // namespace
}  // namespace hardpan::geometry
