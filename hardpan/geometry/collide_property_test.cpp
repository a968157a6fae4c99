// What must hold for every pair: mirror, common motions, continuity, degenerate and extreme input.
#include <array>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "hardpan/geometry/test_reference.h"

namespace hardpan::geometry {
namespace {

using test::Dice;
using test::Placed;

std::vector<ContactPoint> contacts(const Placed& a, const Placed& b, double margin) {
  std::vector<ContactPoint> out;
  collide(a.shape, a.pose, b.shape, b.pose, margin, out);
  return out;
}

const ContactPoint* deepest(const std::vector<ContactPoint>& points) {
  const ContactPoint* best = nullptr;
  for (const ContactPoint& p : points)
    if (!best || p.gap < best->gap) best = &p;
  return best;
}

void expect_sound(const std::vector<ContactPoint>& points, double margin, double size, const char* where) {
  std::set<std::uint64_t> features;
  for (const ContactPoint& p : points) {
    ASSERT_TRUE(p.normal.allFinite() && p.on_a.allFinite() && p.on_b.allFinite() && std::isfinite(p.gap))
        << where;
    ASSERT_NEAR(p.normal.norm(), 1, 1e-12) << where;
    ASSERT_LE(p.gap, margin) << where;
    ASSERT_LT(std::abs(p.gap - p.normal.dot(p.on_b - p.on_a)), 1e-13 * size) << where;
    ASSERT_TRUE(features.insert(p.feature).second) << where << ": two points of one name";
  }
}

struct Kinds {
  int a, b;
};
template <class Body>
void for_all_kinds(Body&& body) {
  for (int a = 0; a < test::kinds; ++a)
    for (int b = 0; b < test::kinds; ++b) body(Kinds{a, b});
}

Placed random_partner(const Placed& a, int kind, Dice& dice, double reach = 2) {
  return {test::random_shape(kind, dice), {a.pose.x + dice.direction() * dice.in(0, reach), dice.turn()}};
}

TEST(CollideProperty, SwapMirrors) {
  for_all_kinds([](Kinds kinds) {
    Dice dice(11, static_cast<std::uint64_t>(kinds.a * 10 + kinds.b));
    for (int k = 0; k < 100; ++k) {
      const Placed a{test::random_shape(kinds.a, dice), {dice.vec(1), dice.turn()}};
      Placed b = random_partner(a, kinds.b, dice);
      if (k % 3 == 0 && kinds.a == kinds.b) b.shape = a.shape;
      const auto forth = contacts(a, b, 0.3), back = contacts(b, a, 0.3);
      ASSERT_EQ(forth.size(), back.size());
      for (std::size_t i = 0; i < forth.size(); ++i) {
        ASSERT_EQ(forth[i].normal, -back[i].normal);
        ASSERT_EQ(forth[i].on_a, back[i].on_b);
        ASSERT_EQ(forth[i].on_b, back[i].on_a);
        ASSERT_EQ(forth[i].gap, back[i].gap);
        ASSERT_EQ(forth[i].feature, back[i].feature << 32 | back[i].feature >> 32);
      }
    }
  });
}

TEST(CollideProperty, CommonMotionMovesTheContact) {
  int points = 0, unmatched = 0;
  for_all_kinds([&](Kinds kinds) {
    Dice dice(12, static_cast<std::uint64_t>(kinds.a * 10 + kinds.b));
    for (int k = 0; k < 100; ++k) {
      const Placed a{test::random_shape(kinds.a, dice), {dice.vec(1), dice.turn()}};
      const Placed b = random_partner(a, kinds.b, dice);
      const Pose motion{dice.vec(10), dice.turn()};
      const auto here = contacts(a, b, 0.3);
      const auto there = contacts({a.shape, motion * a.pose}, {b.shape, motion * b.pose}, 0.3);
      std::map<std::uint64_t, const ContactPoint*> named;
      for (const ContactPoint& p : there) named[p.feature] = &p;
      for (const ContactPoint& p : here) {
        ++points;
        const auto found = named.find(p.feature);
        if (found == named.end()) {
          ++unmatched;
          continue;
        }
        const ContactPoint& q = *found->second;
        ASSERT_NEAR(p.gap, q.gap, 1e-9);
        ASSERT_LT((motion.turned(p.normal) - q.normal).norm(), 1e-8) << kinds.a << kinds.b;
        ASSERT_LT((motion.point(p.on_a) - q.on_a).norm(), 1e-7) << kinds.a << kinds.b;
      }
    }
  });
  EXPECT_LE(unmatched, points / 5000) << points;  // a name may hang on a tie, rarely
}

// The signed distance of two shapes changes by no more than their points move.
TEST(CollideProperty, DeepestGapIsLipschitz) {
  constexpr double margin = 0.2, dt = 2e-3;
  for_all_kinds([&](Kinds kinds) {
    Dice dice(13, static_cast<std::uint64_t>(kinds.a * 10 + kinds.b));
    const bool boxes = kinds.a == test::box && kinds.b == test::box;
    for (int path = 0; path < 6; ++path) {
      const Placed a{test::random_shape(kinds.a, dice), {dice.vec(1), dice.turn()}};
      Placed b = random_partner(a, kinds.b, dice, 1.5);
      const Vec3 velocity = dice.vec(1), omega = dice.vec(1);
      const double speed = velocity.norm() + omega.norm() * 2.6;  // no shape reaches farther than that
      double last = NAN;
      std::vector<ContactPoint> before;
      for (int step = 0; step < 250; ++step) {
        const auto points = contacts(a, b, margin);
        expect_sound(points, margin, 10, "path");
        const double gap = points.empty() ? margin : deepest(points)->gap;
        if (step > 0) {
          ASSERT_LE(std::abs(gap - last), speed * dt + (boxes ? 4e-6 : 1e-9))
              << test::name(kinds.a) << " " << test::name(kinds.b) << " path " << path << " step " << step;
        }
        // A corner over a face stays where it is on its body: its point moves with it.
        for (const ContactPoint& p : points)
          for (const ContactPoint& q : before) {
            const bool corner_on_face = p.feature >> 62 == 3 && (p.feature >> 30 & 3) == 1;
            if (p.feature != q.feature || !corner_on_face || (p.normal - q.normal).norm() > 3 * speed * dt)
              continue;
            if (kinds.b == test::cylinder || kinds.b == test::cone)
              continue;  // sides are named, not their lines
            ASSERT_LT((p.on_b - q.on_b).norm(), 20 * speed * dt)
                << test::name(kinds.a) << " " << test::name(kinds.b) << " path " << path << " step " << step;
          }
        last = gap;
        before = points;
        b.pose.x += dt * velocity;
        b.pose.q = (cayley(dt * omega) * b.pose.q).normalized();
      }
    }
  });
}

TEST(CollideProperty, HullBoxIsABox) {
  Dice dice(14);
  int same_normal = 0;
  for (int k = 0; k < 3000; ++k) {
    const Vec3 size_a = Vec3(1, 1, 1) + dice.vec(0.5), size_b = Vec3(1, 1, 1) + dice.vec(0.5);
    const Placed a{Box{size_a}, {dice.vec(1), dice.turn()}};
    Placed b{Box{size_b}, {a.pose.x + dice.direction() * dice.in(0.5, 1.5), dice.turn()}};
    if (k % 2 == 0) b.pose.q = a.pose.q;
    const auto plain = contacts(a, b, 0.1);
    const auto hull = contacts({test::box_hull(size_a), a.pose}, b, 0.1);
    ASSERT_EQ(plain.empty(), hull.empty()) << k;
    if (plain.empty()) continue;
    const ContactPoint &p = *deepest(plain), &q = *deepest(hull);
    ASSERT_NEAR(p.gap, q.gap, 4e-6) << k;
    if ((p.normal - q.normal).norm() > 1e-9) continue;
    ++same_normal;
    ASSERT_EQ(plain.size(), hull.size()) << k;
  }
  EXPECT_GT(same_normal, 1500);
}

// The depth of overlapping polyhedra is attained along a face normal or across two edges: all of them are
// tried.
TEST(CollideProperty, HullDepthIsTheBestOfAllAxes) {
  Dice dice(19);
  int overlaps = 0;
  for (int k = 0; k < 3000; ++k) {
    const Placed a{test::random_shape(test::hull, dice), {dice.vec(1), dice.turn()}};
    const Placed b = random_partner(a, test::hull, dice, 1);
    const auto points = contacts(a, b, 0);
    double best = -HUGE_VAL;
    const auto look = [&](const Vec3& n) { best = std::max(best, test::separation_along(a, b, n)); };
    std::array<std::vector<Vec3>, 2> edges;
    for (std::size_t side = 0; side < 2; ++side) {
      const Placed& s = side == 0 ? a : b;
      const Polyhedron& p = *std::get<Hull>(s.shape).body;
      for (std::size_t f = 0; f < p.faces(); ++f) {
        look(s.pose.turned(side == 0 ? p.normals[f] : Vec3(-p.normals[f])));
        for (std::size_t i = 0; i < p.face(f).size(); ++i) {
          const std::uint32_t from = p.face(f)[i], to = p.face(f)[(i + 1) % p.face(f).size()];
          if (from < to) edges[side].push_back(s.pose.turned(p.vertices[to] - p.vertices[from]).normalized());
        }
      }
    }
    for (const Vec3& e : edges[0])
      for (const Vec3& f : edges[1])
        if (const Vec3 n = e.cross(f); n.norm() > 1e-6) look(n.normalized()), look(-n.normalized());
    ASSERT_EQ(points.empty(), best > 0) << k;
    if (points.empty()) continue;
    ++overlaps;
    ASSERT_NEAR(deepest(points)->gap, best, 1e-12) << k;
  }
  EXPECT_GT(overlaps, 1000);
}

TEST(CollideProperty, TouchingExactly) {
  for_all_kinds([](Kinds kinds) {
    Dice dice(15, static_cast<std::uint64_t>(kinds.a * 10 + kinds.b));
    for (int k = 0; k < 50; ++k) {
      const Placed a{test::random_shape(kinds.a, dice), {dice.vec(1), dice.turn()}};
      Placed b = random_partner(a, kinds.b, dice);
      b.pose.x += 0.5 * (b.pose.x - a.pose.x);
      const auto first = contacts(a, b, 3);
      if (first.empty()) continue;
      const ContactPoint p = *deepest(first);
      for (const double gap : {1e-3, 1e-6, 1e-9, 1e-12, 0.0, -1e-12, -1e-9, -1e-6, -1e-3}) {
        const Placed moved{b.shape, {b.pose.x + (gap - p.gap) * p.normal, b.pose.q}};
        const auto points = contacts(a, moved, 1e-2);
        const char* where = test::name(kinds.a);
        ASSERT_FALSE(points.empty()) << where << test::name(kinds.b) << gap;
        expect_sound(points, 1e-2, 10, where);
        // Corner on corner, there is no way in: beyond the touch the gap may change either way.
        const double found = deepest(points)->gap;
        if (p.gap <= 0) continue;
        if (gap >= 0) {
          ASSERT_NEAR(found, gap, 1e-11) << where << " " << test::name(kinds.b) << " " << k;
        } else {
          ASSERT_LE(std::abs(found), -gap + 1e-11) << where << " " << test::name(kinds.b);
        }
      }
    }
  });
}

TEST(CollideProperty, IdenticalPoses) {
  for_all_kinds([](Kinds kinds) {
    Dice dice(16, static_cast<std::uint64_t>(kinds.a * 10 + kinds.b));
    for (int k = 0; k < 20; ++k) {
      const Pose pose{dice.vec(1), k % 2 ? dice.turn() : Quat::Identity()};
      const Placed a{test::random_shape(kinds.a, dice), pose};
      const Placed b{kinds.a == kinds.b && k % 3 == 0 ? a.shape : test::random_shape(kinds.b, dice), pose};
      const auto points = contacts(a, b, 0);
      ASSERT_FALSE(points.empty()) << test::name(kinds.a) << " " << test::name(kinds.b);
      expect_sound(points, 0, 10, test::name(kinds.a));
      const double found = test::search_separation(a, b, dice);
      ASSERT_GE(deepest(points)->gap, found - 4e-6)
          << test::name(kinds.a) << " " << test::name(kinds.b) << " " << k;
    }
  });
}

TEST(CollideProperty, ATinyShapeOnALargeOne) {
  for_all_kinds([](Kinds kinds) {
    Dice dice(17, static_cast<std::uint64_t>(kinds.a * 10 + kinds.b));
    for (int k = 0; k < 50; ++k) {
      const Placed a{test::random_shape(kinds.a, dice, 1e3), {dice.vec(1), dice.turn()}};
      const Shape small = test::random_shape(kinds.b, dice, 1e-3);
      // Somewhere on the surface of A, by its own distance to a small sphere far out.
      const Placed far{Sphere{1e-3}, {a.pose.x + 4e3 * dice.direction(), Quat::Identity()}};
      const auto line = contacts(a, far, 1e4);
      ASSERT_FALSE(line.empty());
      const Placed b{small, {deepest(line)->on_a + dice.vec(2e-3), dice.turn()}};
      const auto points = contacts(a, b, 1e-3);
      expect_sound(points, 1e-3, 1e3, test::name(kinds.a));
      if (points.empty()) continue;
      const ContactPoint& p = *deepest(points);
      ASSERT_NEAR(p.gap, test::separation_along(a, b, p.normal), 1e-9)
          << test::name(kinds.a) << test::name(kinds.b);
      ASSERT_LT(test::outside(a.shape, a.pose, p.on_a), 1e-8) << test::name(kinds.a) << test::name(kinds.b);
      ASSERT_LT(test::outside(b.shape, b.pose, p.on_b), 1e-8) << test::name(kinds.a) << test::name(kinds.b);
    }
  });
}

// Scales over many decades, aligned and not, needles and sheets: every answer is sound.
TEST(CollideProperty, ExtremeInputIsSound) {
  for_all_kinds([](Kinds kinds) {
    Dice dice(18, static_cast<std::uint64_t>(kinds.a * 10 + kinds.b));
    for (int k = 0; k < 400; ++k) {
      const auto scale = [&] { return std::pow(10.0, dice.in(-4, 4)); };
      const auto stretched = [&](int kind) -> Shape {
        switch (kind) {
          case test::box:
            return Box{{scale(), scale(), scale()}};
          case test::cylinder:
            return Cylinder{scale(), scale()};
          case test::capsule:
            return Capsule{scale(), scale()};
          case test::cone:
            return Cone{scale(), scale()};
          case test::ellipsoid:
            return Ellipsoid{{scale(), scale(), scale()}};
          case test::hull:
            return test::octahedron({scale(), scale(), scale()});
          default:
            return Sphere{scale()};
        }
      };
      const Placed a{stretched(kinds.a), {dice.vec(1), k % 2 ? dice.turn() : Quat::Identity()}};
      const Vec3 offset = k % 3 == 0 ? Vec3(0, 0, scale()) : Vec3(scale() * dice.direction());
      const Placed b{stretched(kinds.b), {a.pose.x + offset, k % 4 < 2 ? dice.turn() : Quat::Identity()}};
      expect_sound(contacts(a, b, 1e-2), 1e-2, 1e5, test::name(kinds.a));
    }
  });
}

}  // namespace
}  // namespace hardpan::geometry
