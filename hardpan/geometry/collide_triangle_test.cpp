#include "hardpan/geometry/collide_triangle.h"

#include <gtest/gtest.h>

#include "hardpan/geometry/test_reference.h"

namespace hardpan::geometry {
namespace {

using test::Dice;
using test::Placed;

using Triangle = std::array<Vec3, 3>;

std::vector<ContactPoint> contacts(const Shape& s, const Pose& pose, const Triangle& t, double margin) {
  std::vector<ContactPoint> out;
  collide_triangle(s, pose, t, margin, out);
  return out;
}

const ContactPoint& deepest(const std::vector<ContactPoint>& points) {
  return *std::min_element(points.begin(), points.end(),
                           [](const auto& x, const auto& y) { return x.gap < y.gap; });
}

// The triangle for the judge: a flat polyhedron whose sides stand on its edges.
Placed flat_hull(const Triangle& t) {
  auto p = std::make_shared<Polyhedron>();
  p->vertices.assign(t.begin(), t.end());
  const Vec3 normal = (t[1] - t[0]).cross(t[2] - t[0]).normalized();
  p->face_start = {0};
  const auto add = [&](const Vec3& n, std::initializer_list<std::uint32_t> corners) {
    p->normals.push_back(n);
    p->corners.insert(p->corners.end(), corners);
    p->face_start.push_back(static_cast<std::uint32_t>(p->corners.size()));
  };
  add(normal, {0, 1, 2});
  add(-normal, {0, 2, 1});
  for (std::uint32_t k = 0; k < 3; ++k) {
    const Vec3 out = (t[(k + 1) % 3] - t[k]).cross(normal).normalized();
    add(out, {k, (k + 1) % 3});
  }
  return {Hull{p}, {}};
}

TEST(CollideTriangle, NamesTheFaceTheEdgeAndTheCorner) {
  const Triangle t{Vec3(0, 0, 0), Vec3(4, 0, 0), Vec3(0, 4, 0)};
  struct Case {
    Vec3 centre;
    PartKind kind;
    std::uint32_t k;
    double gap;
  };
  const double s = std::sqrt(0.5);
  for (const Case& c :
       {Case{{1, 1, 0.4}, PartKind::face, 0, -0.1}, Case{{1, 1, -0.4}, PartKind::face, 0, -0.1},
        Case{{1, -0.4, 0}, PartKind::edge, 0, -0.1},
        Case{{2 + 0.4 * s, 2 + 0.4 * s, 0}, PartKind::edge, 1, -0.1},
        Case{{-0.3, 2, 0.4}, PartKind::edge, 2, 0}, Case{{-0.3, -0.4, 0}, PartKind::vertex, 0, 0},
        Case{{4.4, 0, 0.3}, PartKind::vertex, 1, 0}, Case{{-0.1, 4.3, 0}, PartKind::vertex, 2, NAN}}) {
    const auto points = contacts(Sphere{0.5}, {c.centre, Quat::Identity()}, t, 0.05);
    ASSERT_EQ(points.size(), 1u);
    const TrianglePart part = triangle_part(points[0].feature);
    EXPECT_EQ(part.kind, c.kind);
    EXPECT_EQ(part.k, c.k);
    if (!std::isnan(c.gap)) {
      EXPECT_NEAR(points[0].gap, c.gap, 1e-12);
    }
    EXPECT_NEAR(points[0].normal.dot(c.centre - points[0].on_a), (c.centre - points[0].on_a).norm(), 1e-12);
  }
}

TEST(CollideTriangle, ABoxStandsOnIt) {
  const Triangle t{Vec3(-5, -5, 0), Vec3(5, -5, 0), Vec3(0, 9, 0)};
  for (const double side : {1.0, -1.0}) {
    const auto points = contacts(Box{{1, 1, 1}}, {{0, 0, side * 0.499}, Quat::Identity()}, t, 1e-3);
    ASSERT_EQ(points.size(), 4u);
    for (const ContactPoint& p : points) {
      EXPECT_NEAR(p.gap, -1e-3, 1e-12);
      EXPECT_LT((p.normal - Vec3(0, 0, side)).norm(), 1e-12);
      EXPECT_EQ(triangle_part(p.feature).kind, PartKind::face);
    }
  }
  // Half over an edge: two corners on the face, two where edges cross.
  const auto points = contacts(Box{{1, 1, 1}}, {{0, -5, 0.5}, Quat::Identity()}, t, 1e-3);
  ASSERT_EQ(points.size(), 4u);
  int on_edge = 0;
  for (const ContactPoint& p : points) {
    const TrianglePart part = triangle_part(p.feature);
    if (part.kind == PartKind::edge && part.k == 0) ++on_edge;
  }
  EXPECT_EQ(on_edge, 2);
}

TEST(CollideTriangle, ClosestPointsAreProven) {
  for (int kind = 0; kind < test::kinds; ++kind) {
    Dice dice(21, static_cast<std::uint64_t>(kind));
    double separation = 0, outside = 0, missed = 0;
    int touching = 0;
    for (int k = 0; k < 2000; ++k) {
      const Triangle t{dice.vec(1.5), dice.vec(1.5), dice.vec(1.5)};
      if ((t[1] - t[0]).cross(t[2] - t[0]).norm() < 1e-2) continue;
      const Placed b{test::random_shape(kind, dice), {dice.vec(1.2), dice.turn()}};
      const auto points = contacts(b.shape, b.pose, t, 0.2);
      if (points.empty()) continue;
      ++touching;
      const Placed a = flat_hull(t);
      const ContactPoint& p = deepest(points);
      separation = std::max(separation, std::abs(p.gap - test::separation_along(a, b, p.normal)));
      outside =
          std::max({outside, test::outside(a.shape, a.pose, p.on_a), test::outside(b.shape, b.pose, p.on_b)});
      if (p.gap < 0) missed = std::max(missed, test::search_separation(a, b, dice) - p.gap);
    }
    EXPECT_LT(separation, 1e-8) << test::name(kind);
    EXPECT_LT(outside, 1e-8) << test::name(kind);
    EXPECT_LT(missed, 1e-8) << test::name(kind);
    EXPECT_GT(touching, 500) << test::name(kind);
  }
}

}  // namespace
}  // namespace hardpan::geometry
