// Planes, meshes and height fields against every convex kind, judged without trees, creases or searches of
// the engine: closed forms of the shapes (test_reference.h), and every triangle by itself.
//
//   apart        No triangle is nearer than the least gap g: for each one some direction separates it from
//                the shape by g. And points of ground and shape that are g apart prove that it is no more.
//   overlapping  From there, moved along the normal to a small depth. Ways out are normals n of the surface
//                at the point a that was nearest, n . (w - a) <= 0 for all w of its triangles; their length
//                is that of max { n . (a - x) : x in shape }. The one found must be true, and none shorter.
//
// HARDPAN_PAIRS: random poses per pair; says what it found.
#include <cstdio>
#include <cstdlib>

#include <gtest/gtest.h>

#include "hardpan/geometry/aabb.h"
#include "hardpan/geometry/test_grounds.h"
#include "hardpan/geometry/test_reference.h"

namespace hardpan::geometry {
namespace {

using namespace test;
using Triangle = std::array<Vec3, 3>;

// ---- every triangle by itself

Vec3 normal_of(const Triangle& t) { return (t[1] - t[0]).cross(t[2] - t[0]).normalized(); }

struct Ground {
  Shape shape;
  Pose pose;
  std::vector<Triangle> triangles;  // world

  explicit Ground(Shape its_shape) : shape(std::move(its_shape)), pose(origin_of(shape)) {
    const Mesh* mesh = std::get_if<Mesh>(&shape);
    const Surface surface = mesh ? Surface(*mesh->surface) : Surface(*std::get<HeightField>(shape).grid);
    constexpr std::uint32_t count = 2 * cells * cells;
    for (std::uint32_t t = 0; t < count; ++t) {
      Triangle& corners = triangles.emplace_back();
      for (std::size_t k = 0; k < 3; ++k) corners[k] = pose.point(surface.vertex(surface.corners(t)[k]));
    }
  }
  static constexpr std::uint32_t cells = 14;

  // Of the facet above or below a point.
  double height(const Vec3& at) const {
    for (const Triangle& t : triangles) {
      const Vec3 n = normal_of(t),
                 up(at.x(), at.y(),
                    t[0].z() - (n.x() * (at.x() - t[0].x()) + n.y() * (at.y() - t[0].y())) / n.z());
      if (distance_to_triangle(up, t) < 1e-12) return up.z();
    }
    return NAN;
  }
  double distance(const Vec3& p) const {
    double least = HUGE_VAL;
    for (const Triangle& t : triangles) least = std::min(least, distance_to_triangle(p, t));
    return least;
  }
};

const Vec3& farthest(const Triangle& t, const Vec3& n) {
  const double a = t[0].dot(n), b = t[1].dot(n), c = t[2].dot(n);
  return a >= b && a >= c ? t[0] : b >= c ? t[1] : t[2];
}

// By how much the direction separates the triangle from the shape.
double separation_along(const Triangle& t, const Placed& s, const Vec3& n) {
  return -farthest(t, n).dot(n) - support_value(s.shape, s.pose, -n);
}

// The point of the hull of a few points that is nearest to the origin (Wolfe 1976, by trying all choices):
// of those choices whose affine hull has it inside, the nearest. The others are dropped.
Vec3 nearest_to_origin(std::vector<Vec3>& points) {
  Vec3 best = points.back();
  std::vector<Vec3> kept{best};
  double least = HUGE_VAL;
  for (unsigned choice = 1; choice < 1u << points.size(); ++choice) {
    std::vector<Vec3> chosen;
    for (std::size_t k = 0; k < points.size(); ++k)
      if (choice >> k & 1) chosen.push_back(points[k]);
    const auto m = static_cast<Eigen::Index>(chosen.size());
    if (m > 4) continue;
    Eigen::MatrixXd edges(3, m - 1);
    for (Eigen::Index k = 1; k < m; ++k) edges.col(k - 1) = chosen[static_cast<std::size_t>(k)] - chosen[0];
    const Eigen::VectorXd share =
        m > 1 ? Eigen::VectorXd(edges.colPivHouseholderQr().solve(-chosen[0])) : Eigen::VectorXd(0);
    if (m > 1 && (share.minCoeff() < 0 || share.sum() > 1)) continue;
    const Vec3 at = chosen[0] + edges * share;
    if (at.norm() < least) least = at.norm(), best = at, kept = chosen;
  }
  points = kept;
  return best;
}

// The distance of a triangle from a shape lies between these; the lower bound is raised to `enough` at least
// if that can be.
struct Bounds {
  double low, high;
};
Bounds distance_between(const Triangle& t, const Placed& s, const Vec3& first_guess, double enough) {
  Bounds bounds{separation_along(t, s, first_guess), HUGE_VAL};
  std::vector<Vec3> points;
  Vec3 v = s.pose.x - (t[0] + t[1] + t[2]) / 3;
  for (int step = 0; step < 300 && bounds.low < enough && bounds.high - bounds.low > 1e-13; ++step) {
    const Vec3 n = v.normalized();
    const Vec3 w = support_point(s.shape, s.pose, -n) - farthest(t, n);
    bounds.low = std::max(bounds.low, separation_along(t, s, n));
    points.push_back(w);
    v = nearest_to_origin(points);
    if (v.norm() >= bounds.high) break;
    bounds.high = v.norm();
    if (bounds.high < 1e-14) break;
  }
  return bounds;
}

// ---- normals of the surface at a point

struct Normals {
  std::vector<Vec3> faces, edges;  // of the triangles there; from the point to their corners

  Normals(const Ground& ground, const Vec3& a, double near) {
    for (const Triangle& t : ground.triangles) {
      if (distance_to_triangle(a, t) > near) continue;
      faces.push_back(normal_of(t));
      for (const Vec3& w : t)
        if ((w - a).norm() > near) edges.push_back((w - a).normalized());
    }
  }
  double excess(const Vec3& n) const {
    double most = -1;
    for (const Vec3& e : edges) most = std::max(most, n.dot(e));
    return most;
  }
  bool hold(const Vec3& n) const { return excess(n) <= 1e-12; }

  // The best of faces, of arcs between two of them, and of what an evolution strategy, (1+1) with the 1/5
  // rule, finds in between.
  double shortest_way_out(const Placed& s, const Vec3& a, const Vec3& start, Dice& dice) const {
    const auto way = [&](const Vec3& n) { return -a.dot(n) - support_value(s.shape, s.pose, -n); };
    double best = way(start);
    for (std::size_t p = 0; p < faces.size(); ++p)
      for (std::size_t q = 0; q <= p; ++q) best = std::max(best, best_of_arc(faces[p], faces[q], way));
    Vec3 now = start;
    double value = best, reach = 0.3;
    for (int step = 0; faces.size() > 2 && step < 400 && reach > 1e-12; ++step) {
      const Vec3 n = (now + reach * dice.vec(1)).normalized();
      if (hold(n) && way(n) > value)
        now = n, value = way(n), reach *= 1.8;
      else
        reach *= 0.86;
    }
    return value;
  }

 private:
  template <class Way>
  double best_of_arc(const Vec3& p, const Vec3& q, const Way& way) const {
    constexpr int samples = 32;
    constexpr double golden = 0.6180339887498949;
    const auto value = [&](double x) {
      const Vec3 n = ((1 - x) * p + x * q).normalized();
      return hold(n) ? way(n) : -HUGE_VAL;
    };
    double best = value(0);
    if (&p == &q) return best;
    for (int k = 1; k <= samples; ++k) best = std::max(best, value(1.0 * k / samples));
    const double high_ones = 1.2 * best;  // less than this: the golden section around it
    for (int k = 0; k <= samples; ++k) {
      if (value(1.0 * k / samples) < high_ones) continue;
      double low = std::max(0.0, (k - 1.0) / samples), high = std::min(1.0, (k + 1.0) / samples);
      for (int step = 0; step < 50; ++step) {
        const double x = high - golden * (high - low), y = low + golden * (high - low);
        if (value(x) > value(y))
          high = y;
        else
          low = x;
      }
      best = std::max(best, value(0.5 * (low + high)));
    }
    return best;
  }
};

// ---- the judge

struct Errors {
  double gap = 0;     // apart: the least gap exceeds what some triangle allows
  double points = 0;  // off the ground, outside of the shape, not g apart along the normal
  double depth = 0;   // overlapping a face, against the least
  // On edges and tips of the ground: depth and points again, where they are beyond 1e-8 m, as a share of the
  // depth, and how often.
  double share = 0;
  int beyond = 0;
  int apart = 0, overlapping = 0, on_edges = 0, unclear = 0, lost = 0;

  static const ContactPoint& deepest(const std::vector<ContactPoint>& all) {
    return *std::min_element(all.begin(), all.end(),
                             [](const auto& x, const auto& y) { return x.gap < y.gap; });
  }
  static double error_of_points(const Ground& ground, const Placed& s, const ContactPoint& p) {
    return std::max({ground.distance(p.on_a), outside(s.shape, s.pose, p.on_b),
                     (p.on_b - p.on_a - p.gap * p.normal).norm()});
  }

  void judge(const Ground& ground, Placed s, double margin, double depth_wanted, Dice& dice) {
    std::vector<ContactPoint> found;
    collide(ground.shape, ground.pose, s.shape, s.pose, margin, found);
    const double g = least_gap(found, margin);
    if (g <= 0) return;
    ++apart;
    const Vec3 guess = found.empty() ? Vec3(Vec3::UnitZ()) : deepest(found).normal;
    const Vec3 a = found.empty() ? Vec3(Vec3::Constant(HUGE_VAL)) : deepest(found).on_a;
    if (!found.empty()) points = std::max(points, error_of_points(ground, s, deepest(found)));
    const double reach = bounds(s.shape, {Vec3::Zero(), s.pose.q}).high.norm() * 3, near = 1e-9;
    bool alone = true;
    for (const Triangle& t : ground.triangles) {
      const double away = distance_to_triangle(s.pose.x, t);
      if (away > reach + g + 3 * depth_wanted) continue;
      const bool mine = distance_to_triangle(a, t) <= near;
      const double enough = mine ? g - 1e-12 : g + 3 * depth_wanted;
      const Bounds distance = distance_between(t, s, guess, enough);
      gap = std::max(gap, g - std::max(distance.low, std::min(distance.high, g)));
      gap = std::max(gap, distance.low < g - 1e-8 ? g - distance.low : 0.0);
      alone = alone && distance.low >= enough;
    }
    if (found.empty()) return;
    if (!alone) {
      ++unclear;
      return;
    }
    s.pose.x -= (g + depth_wanted) * guess;
    judge_overlap(ground, s, a, guess, dice);
  }

  void judge_overlap(const Ground& ground, const Placed& s, const Vec3& a, const Vec3& start, Dice& dice) {
    ++overlapping;
    std::vector<ContactPoint> found;
    collide(ground.shape, ground.pose, s.shape, s.pose, 0, found);
    if (found.empty()) {
      ++lost;
      return;
    }
    const ContactPoint& p = deepest(found);
    const Normals normals(ground, a, 1e-9);
    const double wanted = normals.shortest_way_out(s, a, start, dice), error = std::abs(p.gap - wanted),
                 off = error_of_points(ground, s, p);
    if (normals.faces.size() == 1) {
      depth = std::max(depth, error);
      points = std::max(points, off);
    } else {
      ++on_edges;
      if (error <= 1e-8 && off <= 1e-8) return;
      ++beyond;
      share = std::max(share, std::max(error, off) / -wanted);
    }
  }
};

const char* ground_name(int parameter) { return parameter < kinds ? "mesh" : "field"; }

class CollideGroundReference : public ::testing::TestWithParam<int> {};

TEST_P(CollideGroundReference, LeastGapIsProven) {
  const int kind = GetParam() % kinds;
  Dice dice(31, static_cast<std::uint64_t>(GetParam()));
  const Ground ground(GetParam() >= kinds ? Shape(height_field(Ground::cells, hills))
                                          : Shape(irregular_mesh(Ground::cells, 4, hills)));
  Errors errors;
  for (int i = 0; i < test::pairs(400); ++i) {
    const double scale = std::pow(10, dice.in(-1.5, 0));
    Placed s{random_shape(kind, dice, scale), {{dice.in(-2, 2), dice.in(-2, 2), 0}, dice.turn()}};
    const Aabb box = bounds(s.shape, s.pose);
    const double size = (box.high - box.low).maxCoeff(), margin = 0.2 * size;
    const double under = ground.height(s.pose.x);
    s.pose.x.z() = under - box.low.z() + dice.in(-0.05, 0.3) * size;
    if (s.pose.x.z() > under) errors.judge(ground, s, margin, size * std::pow(10, dice.in(-7, -4)), dice);
  }
  if (test::shows_figures())
    std::printf(
        "%-6s %-9s apart %d overlapping %d (on edges %d), unclear %d: gap %.1e points %.1e depth %.1e m; "
        "on edges %d by up to %.1e of the depth\n",
        ground_name(GetParam()), name(kind), errors.apart, errors.overlapping, errors.on_edges,
        errors.unclear, errors.gap, errors.points, errors.depth, errors.beyond, errors.share);
  EXPECT_LT(errors.gap, 1e-8);
  EXPECT_LT(errors.points, 1e-8);
  EXPECT_LT(errors.depth, 1e-8);
  EXPECT_EQ(errors.lost, 0);
  // Where a corner of the shape is within a depth of a ridge (geometry/README.md).
  EXPECT_LE(errors.beyond, 3 + errors.on_edges / 20);
  EXPECT_LT(errors.share, 1);
  EXPECT_GT(errors.overlapping, test::pairs(400) / 4);
}

// A half-space: the height of the lowest point, at any depth.
TEST_P(CollideGroundReference, PlaneIsMetByTheLowestPoint) {
  const int kind = GetParam();
  if (kind >= kinds) return;
  Dice dice(32, static_cast<std::uint64_t>(GetParam()));
  double gap = 0, points = 0;
  for (int i = 0; i < test::pairs(400); ++i) {
    const Pose place{dice.vec(3), dice.turn()};
    const Placed s{random_shape(kind, dice), {place.x + dice.vec(1), dice.turn()}};
    const Vec3 n = place.q * Vec3::UnitZ();
    std::vector<ContactPoint> found;
    collide(Plane{}, place, s.shape, s.pose, 0.3, found);
    const double wanted = -support_value(s.shape, s.pose, -n) - n.dot(place.x);
    gap = std::max(gap, std::abs(least_gap(found, 0.3) - std::min(wanted, 0.3)));
    for (const ContactPoint& p : found)
      points = std::max({points, std::abs(n.dot(p.on_a - place.x)), outside(s.shape, s.pose, p.on_b),
                         (p.on_b - p.on_a - p.gap * n).norm(), (p.normal - n).norm()});
  }
  if (test::shows_figures()) std::printf("plane  %-9s gap %.1e points %.1e m\n", name(kind), gap, points);
  EXPECT_LT(gap, 1e-8);
  EXPECT_LT(points, 1e-8);
}

INSTANTIATE_TEST_SUITE_P(Pairs, CollideGroundReference, ::testing::Range(0, 2 * kinds),
                         [](const auto& instance) {
                           return std::string(ground_name(instance.param)) + "_" +
                                  name(instance.param % kinds);
                         });

}  // namespace
}  // namespace hardpan::geometry
