// Ellipsoids where the answer is known. With centre c, half axes e, rotation R and M = R diag(e^2) R^T,
//
//   h(n) = sqrt(n . M n),   x(n) = c + M n/h(n),   radii of curvature from e_min^2/e_max to e_max^2/e_min.
//
// Turns, n and g make a pair: c_B = c_A + M_A n/h_A + M_B n/h_B + g n. Apart, g is its distance, since the
// conditions of contact suffice for convex shapes. So it is in overlap while -g < r, the sum of the least
// radii of curvature: a ball of radius r rolls inside B - A (Blaschke), and no part of its surface is nearer.
// Half axes within 0.3 to 1 of the longest make r >= 0.09 of that, each.
//
// Along a rigid path, with v and w the velocity and the spin of B against A, and K the radii of curvature,
//
//   (K_A + K_B + g) n' = v(x_B) across n + K_B (w x n),   |g'| <= |v(x_B)|,   |x_A'| <= max K_A |n'|.
//
// HARDPAN_PAIRS: random pairs; says what it found.
#include <cstdio>
#include <cstdlib>
#include <numbers>
#include <optional>

#include <Eigen/LU>
#include <gtest/gtest.h>

#include "hardpan/geometry/collide_triangle.h"
#include "hardpan/geometry/test_grounds.h"
#include "hardpan/geometry/test_reference.h"

namespace hardpan::geometry {
namespace {

using test::Dice;
using test::Placed;

double log_uniform(Dice& dice, double low, double high) { return low * std::pow(high / low, dice.in(0, 1)); }

struct Body {
  Vec3 e;
  Pose pose;

  double size() const { return e.maxCoeff(); }
  double least_radius() const { return e.minCoeff() * e.minCoeff() / e.maxCoeff(); }
  double largest_radius() const { return e.maxCoeff() * e.maxCoeff() / e.minCoeff(); }
  Mat3 m() const {
    const Mat3 r = pose.q.toRotationMatrix();
    return r * e.cwiseAbs2().asDiagonal() * r.transpose();
  }
  // x(n) - c
  Vec3 arm(const Vec3& n) const {
    const Vec3 mn = m() * n;
    return mn / std::sqrt(n.dot(mn));
  }
  double off_surface(const Vec3& p) const {
    return std::abs(pose.local_point(p).cwiseQuotient(e).norm() - 1);
  }
  Vec3 normal_at(const Vec3& p) const {
    return pose.turned(pose.local_point(p).cwiseQuotient(e.cwiseAbs2())).normalized();
  }
};

Body random_body(Dice& dice, double size) {
  Vec3 e(size, size * dice.in(0.3, 1), size * dice.in(0.3, 1));
  std::swap(e[0], e[std::min(2, static_cast<int>(dice.in(0, 3)))]);
  return {e, {size * dice.vec(3), dice.turn()}};
}

// Two ellipsoids of unlike size, and what is known of them.
struct Known {
  Body a, b;
  Vec3 n;
  double g = 0;

  Known(Dice& dice, double size) : a(random_body(dice, size)), b(a), n(dice.direction()) {
    b = random_body(dice, size * log_uniform(dice, 0.25, 4));
  }
  double small() const { return std::min(a.size(), b.size()); }
  void place(double gap) {
    g = gap;
    b.pose.x = a.pose.x + a.arm(n) + b.arm(n) + g * n;
  }
};

std::vector<ContactPoint> contacts(const Body& a, const Body& b, double margin) {
  std::vector<ContactPoint> out;
  collide(Ellipsoid{a.e}, a.pose, Ellipsoid{b.e}, b.pose, margin, out);
  return out;
}

// The largest of each error, relative to the size of the smaller one.
struct Errors {
  double gap = 0;       // against the known one
  double surface = 0;   // |(x/e)| - 1 of both points
  double line = 0;      // |b - a - g n|
  double parallel = 0;  // n against the outward normals at both points
  double normal = 0;    // n against the known one
  double least = 0;     // depth against the least of the search
  int shorter = 0;      // the search found a way out that is shorter than the known one
  int miscounted = 0;   // not one point

  void judge(const Known& k, const std::vector<ContactPoint>& points) {
    if (points.size() != 1) {
      ++miscounted;
      return;
    }
    const ContactPoint& p = points[0];
    const double size = k.small();
    gap = std::max(gap, std::abs(p.gap - k.g) / size);
    surface = std::max({surface, k.a.off_surface(p.on_a), k.b.off_surface(p.on_b)});
    line = std::max(line, (p.on_b - p.on_a - p.gap * p.normal).norm() / size);
    parallel = std::max(
        {parallel, (k.a.normal_at(p.on_a) - p.normal).norm(), (k.b.normal_at(p.on_b) + p.normal).norm()});
    normal = std::max(normal, (p.normal - k.n).norm());
  }
  void tell(const char* what, int count) const {
    if (test::shows_figures())
      std::printf("%s, %d pairs: gap %.1e surface %.1e line %.1e parallel %.1e normal %.1e search %.1e\n",
                  what, count, gap, surface, line, parallel, normal, least);
  }
  void expect_small() const {
    EXPECT_EQ(miscounted, 0);
    EXPECT_LT(gap, 1e-10);
    EXPECT_LT(surface, 1e-10);
    EXPECT_LT(line, 1e-10);
    EXPECT_LT(parallel, 1e-10);
    EXPECT_LT(normal, 1e-10);
  }
};

// Sizes of 1 mm to 1 km; gaps of 1e-6 to 1 of the smaller.
TEST(EllipsoidContact, ApartTheConditionsHold) {
  Dice dice(31);
  Errors errors;
  int found_too_far = 0;
  for (int i = 0; i < test::pairs(); ++i) {
    Known k(dice, log_uniform(dice, 1e-3, 1e3));
    k.place(k.small() * log_uniform(dice, 1e-6, 1));
    errors.judge(k, contacts(k.a, k.b, 1.01 * k.g));
    found_too_far += static_cast<int>(contacts(k.a, k.b, 0.99 * k.g).size());
  }
  errors.tell("apart", test::pairs());
  errors.expect_small();
  EXPECT_EQ(found_too_far, 0);
}

// min over unit d of h_A(d) + h_B(d) - d . (c_B - c_A): Newton's method on the sphere from 200 directions. In
// the plane across d the function has the gradient U^T g and the curvature U^T H U - f.
double least_overlap(const Body& a, const Body& b) {
  constexpr int starts = 200;
  const Mat3 ma = a.m(), mb = b.m();
  const Vec3 c = b.pose.x - a.pose.x;
  const auto value = [&](const Vec3& d) {
    return std::sqrt(d.dot(ma * d)) + std::sqrt(d.dot(mb * d)) - d.dot(c);
  };
  double best = HUGE_VAL;
  for (int k = 0; k < starts; ++k) {
    const double z = 1 - (2 * k + 1.0) / starts, angle = k * std::numbers::pi * (3 - std::sqrt(5));
    Vec3 d(std::sqrt(1 - z * z) * std::cos(angle), std::sqrt(1 - z * z) * std::sin(angle), z);
    double f = value(d);
    for (int step = 0; step < 60; ++step) {
      const Vec3 pa = ma * d, pb = mb * d;
      const double ha = std::sqrt(d.dot(pa)), hb = std::sqrt(d.dot(pb));
      const Vec3 xa = pa / ha, xb = pb / hb;
      const Mat3 h = (ma - xa * xa.transpose()) / ha + (mb - xb * xb.transpose()) / hb;
      Eigen::Matrix<double, 3, 2> u;
      Vec3 t1, t2;
      tangents(d, t1, t2);
      u << t1, t2;
      const Eigen::Vector2d slope = u.transpose() * (xa + xb - c);
      if (slope.norm() < 1e-10 * (ha + hb)) break;
      Eigen::Matrix2d curvature = u.transpose() * h * u;
      const double largest = curvature.trace();  // at least
      curvature.diagonal().array() -= f;
      const double mean = 0.5 * curvature.trace(),
                   spread = std::hypot(0.5 * (curvature(0, 0) - curvature(1, 1)), curvature(0, 1));
      curvature.diagonal().array() += std::max(0.0, 1e-3 * largest - (mean - spread));
      Eigen::Vector2d way = -curvature.inverse() * slope;
      if (way.norm() > 0.5) way *= 0.5 / way.norm();
      double share = 1, next = HUGE_VAL;
      Vec3 there = d;
      for (; share > 1e-6; share *= 0.5) {
        there = (d + u * (share * way)).normalized();
        next = value(there);
        if (next <= f + 1e-4 * share * slope.dot(way)) break;
      }
      if (!(next < f)) break;
      d = there;
      f = next;
    }
    best = std::min(best, f);
  }
  return best;
}

// Overlaps of 1e-6 to 0.1 of the smaller.
TEST(EllipsoidContact, TheDepthIsTheLeastOverlap) {
  Dice dice(32);
  Errors errors;
  for (int i = 0; i < test::pairs(); ++i) {
    Known k(dice, log_uniform(dice, 1e-3, 1e3));
    k.place(-k.small() * log_uniform(dice, 1e-6, 0.1));
    const auto points = contacts(k.a, k.b, 0);
    errors.judge(k, points);
    const double least = least_overlap(k.a, k.b);
    if (least < -k.g - 1e-9 * k.small()) ++errors.shorter;
    if (!points.empty()) errors.least = std::max(errors.least, std::abs(points[0].gap + least) / k.small());
  }
  errors.tell("overlapping", test::pairs());
  errors.expect_small();
  EXPECT_LT(errors.least, 1e-9);
  EXPECT_EQ(errors.shorter, 0);
}

// ---- along paths

struct Jumps {
  double gap = 0, normal = 0, on_a = 0, on_b = 0;

  void add(const ContactPoint& p, const ContactPoint& q) {
    gap = std::max(gap, std::abs(p.gap - q.gap));
    normal = std::max(normal, (p.normal - q.normal).norm());
    on_a = std::max(on_a, (p.on_a - q.on_a).norm());
    on_b = std::max(on_b, (p.on_b - q.on_b).norm());
  }
  std::array<double, 4> all() const { return {gap, normal, on_a, on_b}; }
};

struct Range {
  double low = HUGE_VAL, high = -HUGE_VAL;
  void add(double x) { low = std::min(low, x), high = std::max(high, x); }
};

// The largest jumps of the path at(s), s from 0 to 1, and the gaps that it runs through.
template <class At>
Jumps jumps(const At& at, int steps, Range& gaps) {
  Jumps out;
  std::optional<ContactPoint> last;
  for (int i = 0; i <= steps; ++i) {
    const Known k = at(static_cast<double>(i) / steps);
    const auto points = contacts(k.a, k.b, k.small());
    EXPECT_EQ(points.size(), 1u);
    if (points.empty()) continue;
    gaps.add(points[0].gap / k.small());
    if (last) out.add(*last, points[0]);
    last = points[0];
  }
  return out;
}

// Jumps as shares of the bound per unit of s, and how much smaller ten times the steps make them.
template <class At>
void walk(const At& at, const Jumps& bound, Range& shrinks, Range& gaps, Range& shares) {
  constexpr int steps = 100;
  Range own;
  const std::array coarse = jumps(at, steps, own).all(), fine = jumps(at, 10 * steps, own).all(),
                   most = bound.all();
  EXPECT_GT(own.high, 0.049);
  EXPECT_LT(own.low, -0.049);
  gaps.add(own.low), gaps.add(own.high);
  for (std::size_t k = 0; k < most.size(); ++k) {
    shares.add(std::max(coarse[k] * steps, fine[k] * 10 * steps) / most[k]);
    shrinks.add(coarse[k] / fine[k]);
  }
}

void expect_small_jumps(const char* what, const Range& shrinks, const Range& gaps, const Range& shares) {
  if (test::shows_figures())
    std::printf("%s: gaps %.3f to %.3f, jumps up to %.9f of the bound, ten times the steps: %.2f to %.2f\n",
                what, gaps.low, gaps.high, shares.high, shrinks.low, shrinks.high);
  EXPECT_LT(shares.high, 1 + 1e-9);
  EXPECT_GT(shrinks.low, 8);
  EXPECT_LT(shrinks.high, 12.5);
}

int paths() { return std::max(1, test::pairs() / 50); }

// B rolls around A: n turns by two radians, B about an axis of its own, while it sinks from 5 % to -5 %.
TEST(EllipsoidContact, RollingOverEachOtherIsContinuous) {
  Dice dice(33);
  Range shrinks, gaps, shares;
  for (int path = 0; path < paths(); ++path) {
    const Known start(dice, 1);
    const Vec3 axis = dice.direction(), spin = 4 * dice.vec(1);
    const auto at = [&](double s) {
      Known k = start;
      k.n = Eigen::AngleAxisd(2 * s, axis) * start.n;
      k.b.pose.q = Quat(Eigen::AngleAxisd(s * spin.norm(), spin.normalized())) * start.b.pose.q;
      k.place(k.small() * (0.05 - 0.1 * s));
      return k;
    };
    const double small = start.small(), turn = 2 * axis.cross(start.n).norm();
    const double on_a = start.a.largest_radius() * turn;
    walk(at, {0.1 * small, turn, on_a, on_a + 0.1 * small + 0.05 * small * turn}, shrinks, gaps, shares);
  }
  expect_small_jumps("rolling", shrinks, gaps, shares);
}

// B passes through touching with a constant velocity and spin.
TEST(EllipsoidContact, PassingThroughTouchIsContinuous) {
  Dice dice(34);
  Range shrinks, gaps, shares;
  for (int path = 0; path < paths(); ++path) {
    Known touch(dice, 1);
    touch.place(0);
    const double small = touch.small();
    const Vec3 across = dice.direction().cross(touch.n), spin = 0.1 * dice.vec(1);
    const Vec3 velocity = small * (0.1 * across - 0.12 * touch.n);
    const Vec3 on_b = touch.a.pose.x + touch.a.arm(touch.n);  // B turns about it
    const auto at = [&](double s) {
      Known k = touch;
      const Quat turn(Eigen::AngleAxisd((s - 0.5) * spin.norm(), spin.normalized()));
      k.b.pose.q = turn * touch.b.pose.q;
      k.b.pose.x = on_b + turn * (touch.b.pose.x - on_b) + (s - 0.5) * velocity;
      return k;
    };
    Range deepest;
    jumps(at, 100, deepest);
    // No point of B is farther from where it turns about.
    const double speed = velocity.norm() + spin.norm() * 2 * touch.b.size();
    const double radius = touch.a.least_radius() + touch.b.least_radius() + (deepest.low - 1e-3) * small;
    const double turn = (speed + touch.b.largest_radius() * spin.norm()) / radius;
    const double on_a = touch.a.largest_radius() * turn;
    const double farthest = std::max(-deepest.low, deepest.high) * small;
    walk(at, {speed, turn, on_a, on_a + speed + farthest * turn}, shrinks, gaps, shares);
  }
  expect_small_jumps("passing", shrinks, gaps, shares);
}

// ---- the limit of spheres

struct Limit {
  double gap = 0, normal = 0, points = 0;  // relative to the radius
  int compared = 0, overlaps = 0, uneven = 0;

  // Up to half of the radius deep, where the nearest point is one.
  void compare(double radius, const std::vector<ContactPoint>& ball, const std::vector<ContactPoint>& egg) {
    if ((ball.empty() && egg.empty()) || test::least_gap(ball, HUGE_VAL) < -0.5 * radius) return;
    ++compared;
    if (test::least_gap(ball, HUGE_VAL) < 0) ++overlaps;
    if (ball.size() != egg.size()) {
      ++uneven;
      return;
    }
    for (const ContactPoint& p : ball) {
      const auto apart = [&](const ContactPoint& q) {
        return (p.on_b - q.on_b).norm() + (p.on_a - q.on_a).norm();
      };
      const ContactPoint& q = *std::ranges::min_element(egg, {}, apart);
      gap = std::max(gap, std::abs(p.gap - q.gap) / radius);
      normal = std::max(normal, (p.normal - q.normal).norm());
      points = std::max(points, apart(q) / radius);
    }
  }
};

// `off`: by what share the half axes differ from the radius.
void check_limit(const char* name, double off, const Limit& limit, int count) {
  if (test::shows_figures())
    std::printf("off by %.0e %-9s %d compared, %d overlaps, %d uneven: gap %.1e normal %.1e points %.1e\n",
                off, name, limit.compared, limit.overlaps, limit.uneven, limit.gap, limit.normal,
                limit.points);
  constexpr double rounding = 1e-12;
  EXPECT_LT(limit.gap, off + rounding) << name;
  EXPECT_LT(limit.normal, 6 * off + rounding) << name;
  EXPECT_LT(limit.points, 12 * off + rounding) << name;
  EXPECT_EQ(limit.uneven, 0) << name;
  EXPECT_GT(limit.compared, count / 20) << name;
  EXPECT_GT(limit.overlaps, count / 50) << name;
}

Ellipsoid nearly_a_sphere(double radius, double off, Dice& dice) {
  return {radius * (Vec3::Ones() + off * dice.vec(1))};
}

TEST(EllipsoidContact, EqualAxesAreASphere) {
  for (const double off : {0.0, 1e-9})
    for (int kind = 0; kind <= test::kinds; ++kind) {
      const bool plane = kind == test::kinds;
      Dice dice(35, static_cast<std::uint64_t>(kind));
      Limit limit;
      for (int i = 0; i < test::pairs(); ++i) {
        const Placed other{plane ? Plane{} : test::random_shape(kind, dice), {dice.vec(1), dice.turn()}};
        const double radius = dice.in(0.3, 1.5);
        const Pose pose{other.pose.x + dice.direction() * dice.in(0.5, 2.5), dice.turn()};
        std::vector<ContactPoint> ball, egg;
        collide(other.shape, other.pose, Sphere{radius}, pose, 0.3, ball);
        collide(other.shape, other.pose, nearly_a_sphere(radius, off, dice), pose, 0.3, egg);
        limit.compare(radius, ball, egg);
      }
      check_limit(plane ? "plane" : test::name(kind), off, limit, test::pairs());
    }
}

TEST(EllipsoidContact, EqualAxesAreASphereOnATriangle) {
  for (const double off : {0.0, 1e-9}) {
    Dice dice(36);
    Limit limit;
    for (int i = 0; i < test::pairs(); ++i) {
      const std::array<Vec3, 3> t{dice.vec(1.5), dice.vec(1.5), dice.vec(1.5)};
      if ((t[1] - t[0]).cross(t[2] - t[0]).norm() < 1e-2) continue;
      const double radius = dice.in(0.3, 1.5);
      const Pose pose{dice.vec(1.5), dice.turn()};
      std::vector<ContactPoint> ball, egg;
      collide_triangle(Sphere{radius}, pose, t, 0.2, ball);
      collide_triangle(nearly_a_sphere(radius, off, dice), pose, t, 0.2, egg);
      limit.compare(radius, ball, egg);
    }
    check_limit("triangle", off, limit, test::pairs());
  }
}

// All points of it, up to 1 % deep. Deeper in a valley, a ball is held by the face below its centre and an
// ellipsoid by both.
TEST(EllipsoidContact, EqualAxesAreASphereOnMeshesAndFields) {
  const Shape mesh = test::irregular_mesh(14, 5, test::hills), field = test::height_field(14, test::hills);
  const int count = std::max(100, test::pairs() / 10);
  for (const double off : {0.0, 1e-9})
    for (const Shape* ground : {&mesh, &field}) {
      const Pose at = test::origin_of(*ground);
      Dice dice(37);
      Limit limit;
      for (int i = 0; i < count; ++i) {
        const double radius = dice.in(0.1, 1), share = log_uniform(dice, 1e-6, 1e-2);
        Pose pose{{dice.in(-3, 3), dice.in(-3, 3), 0.7 + radius}, dice.turn()};
        std::vector<ContactPoint> ball, egg;
        collide(*ground, at, Sphere{radius}, pose, 1.5, ball);
        ASSERT_FALSE(ball.empty());
        const ContactPoint nearest = *std::ranges::min_element(ball, {}, &ContactPoint::gap);
        pose.x -= (nearest.gap - (i % 3 == 0 ? share : -share) * radius) * nearest.normal;
        ball.clear();
        collide(*ground, at, Sphere{radius}, pose, 0.02 * radius, ball);
        collide(*ground, at, nearly_a_sphere(radius, off, dice), pose, 0.02 * radius, egg);
        limit.compare(radius, ball, egg);
      }
      check_limit(ground == &mesh ? "mesh" : "field", off, limit, count);
    }
}

}  // namespace
}  // namespace hardpan::geometry
