// An independent judge of contacts, which knows shapes by closed forms that the engine does not use:
//
//   h(n) = max { n . x : x in shape },   and whether a point is inside.
//
// With D(n) = -h_A(n) - h_B(-n), the signed distance is the largest D over all unit n. A claimed contact (n,
// a, b, g) is proven from both sides: D(n) = g says that it is not less; points a in A and b in B with |b -
// a| = g say that separated shapes are no farther apart; a search over all directions says that no other way
// out of an overlap is shorter.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numbers>

#include "hardpan/geometry/test_dice.h"
#include "hardpan/math/rotation.h"

namespace hardpan::geometry::test {

// How many random pairs: HARDPAN_PAIRS, or few. Who asks for many wants to see figures.
inline int pairs(int usual = 2000) {
  const char* text = std::getenv("HARDPAN_PAIRS");
  return text ? std::atoi(text) : usual;
}
inline bool shows_figures() { return std::getenv("HARDPAN_PAIRS") != nullptr; }

struct SupportValue {
  const Vec3& n;
  double across() const { return std::hypot(n.x(), n.y()); }
  double operator()(const Sphere& s) const { return s.radius * n.norm(); }
  double operator()(const Box& b) const { return 0.5 * b.size.dot(n.cwiseAbs()); }
  double operator()(const Cylinder& c) const {
    return c.radius * across() + 0.5 * c.length * std::abs(n.z());
  }
  double operator()(const Capsule& c) const { return c.radius * n.norm() + 0.5 * c.length * std::abs(n.z()); }
  double operator()(const Cone& c) const {
    return std::max(0.75 * c.height * n.z(), c.radius * across() - 0.25 * c.height * n.z());
  }
  double operator()(const Ellipsoid& e) const { return e.radii.cwiseProduct(n).norm(); }
  double operator()(const Hull& h) const {
    double most = -HUGE_VAL;
    for (const Vec3& v : h.body->vertices) most = std::max(most, v.dot(n));
    return most;
  }
  double operator()(const Plane&) const { return n.z() >= 1 - 1e-15 ? 0 : HUGE_VAL; }
  template <class Other>
  double operator()(const Other&) const {
    return HUGE_VAL;
  }
};

// A function that is <= 0 inside and near the surface within a constant factor of the distance.
struct Outside {
  const Vec3& p;
  double across() const { return std::hypot(p.x(), p.y()); }
  double operator()(const Sphere& s) const { return p.norm() - s.radius; }
  double operator()(const Box& b) const { return (p.cwiseAbs() - 0.5 * b.size).maxCoeff(); }
  double operator()(const Cylinder& c) const {
    return std::max(across() - c.radius, std::abs(p.z()) - 0.5 * c.length);
  }
  double operator()(const Capsule& c) const {
    const double z = std::clamp(p.z(), -0.5 * c.length, 0.5 * c.length);
    return (p - Vec3(0, 0, z)).norm() - c.radius;
  }
  double operator()(const Cone& c) const {
    const double radius = c.radius * (0.75 * c.height - p.z()) / c.height;
    return std::max(-0.25 * c.height - p.z(),
                    (across() - radius) * c.height / std::hypot(c.height, c.radius));
  }
  double operator()(const Ellipsoid& e) const {
    return (p.cwiseQuotient(e.radii).norm() - 1) * e.radii.minCoeff();
  }
  double operator()(const Hull& h) const {
    double most = -HUGE_VAL;
    for (std::size_t f = 0; f < h.body->faces(); ++f)
      most = std::max(most, h.body->normals[f].dot(p - h.body->vertices[h.body->face(f)[0]]));
    return most;
  }
  double operator()(const Plane&) const { return p.z(); }
  template <class Other>
  double operator()(const Other&) const {
    return HUGE_VAL;
  }
};

inline double support_value(const Shape& s, const Pose& pose, const Vec3& n) {
  const Vec3 local = pose.local_vector(n);
  return n.dot(pose.x) + std::visit(SupportValue{local}, s);
}

// A point of the shape where n . x = h(n).
struct SupportPoint {
  const Vec3& n;
  static double sign(double x) { return x < 0 ? -1 : 1; }
  Vec3 rim(double r, double z) const {
    const double rho = std::hypot(n.x(), n.y());
    return rho > 0 ? Vec3(r * n.x() / rho, r * n.y() / rho, z) : Vec3(r, 0, z);
  }
  Vec3 operator()(const Sphere& s) const { return s.radius * n.normalized(); }
  Vec3 operator()(const Box& b) const {
    return 0.5 * b.size.cwiseProduct(Vec3(sign(n.x()), sign(n.y()), sign(n.z())));
  }
  Vec3 operator()(const Cylinder& c) const { return rim(c.radius, 0.5 * c.length * sign(n.z())); }
  Vec3 operator()(const Capsule& c) const {
    return Vec3(0, 0, 0.5 * c.length * sign(n.z())) + c.radius * n.normalized();
  }
  Vec3 operator()(const Cone& c) const {
    const Vec3 tip(0, 0, 0.75 * c.height), base = rim(c.radius, -0.25 * c.height);
    return tip.dot(n) > base.dot(n) ? tip : base;
  }
  Vec3 operator()(const Ellipsoid& e) const {
    return e.radii.cwiseAbs2().cwiseProduct(n) / e.radii.cwiseProduct(n).norm();
  }
  Vec3 operator()(const Hull& h) const {
    return *std::ranges::max_element(h.body->vertices, {}, [&](const Vec3& v) { return v.dot(n); });
  }
  template <class Other>
  Vec3 operator()(const Other&) const {
    return Vec3::Constant(HUGE_VAL);
  }
};

inline Vec3 support_point(const Shape& s, const Pose& pose, const Vec3& n) {
  const Vec3 local = pose.local_vector(n);
  return pose.point(std::visit(SupportPoint{local}, s));
}

inline double outside(const Shape& s, const Pose& pose, const Vec3& p) {
  const Vec3 local = pose.local_point(p);
  return std::visit(Outside{local}, s);
}

struct Placed {
  Shape shape;
  Pose pose;
};

inline double separation_along(const Placed& a, const Placed& b, const Vec3& n) {
  return -support_value(a.shape, a.pose, n) - support_value(b.shape, b.pose, -n);
}

// The largest D over all directions: a grid of `grid` directions, then an evolution strategy, (1+1) with the
// 1/5 rule, from the best `starts` of them. Never more than the truth.
inline double search_separation(const Placed& a, const Placed& b, Dice& dice, int grid = 150,
                                int starts = 3) {
  struct Start {
    double value;
    Vec3 n;
  };
  std::vector<Start> all;
  for (int k = 0; k < grid; ++k) {
    const double z = 1 - (2 * k + 1.0) / grid, angle = k * std::numbers::pi * (3 - std::sqrt(5));
    const Vec3 n(std::sqrt(1 - z * z) * std::cos(angle), std::sqrt(1 - z * z) * std::sin(angle), z);
    all.push_back({separation_along(a, b, n), n});
  }
  std::sort(all.begin(), all.end(), [](const Start& x, const Start& y) { return x.value > y.value; });
  double best = -HUGE_VAL;
  for (int s = 0; s < starts; ++s) {
    Start now = all[static_cast<std::size_t>(s)];
    double reach = 2 / std::sqrt(grid);
    for (int step = 0; step < 400 && reach > 1e-10; ++step) {
      const Vec3 n = (now.n + reach * dice.vec(1)).normalized();
      const double value = separation_along(a, b, n);
      if (value > now.value)
        now = {value, n}, reach *= 1.8;
      else
        reach *= 0.86;
    }
    best = std::max(best, now.value);
  }
  return best;
}

// Where the surface has one point for a normal: that point; for vertices and the like nothing is claimed.
struct SmoothPoint {
  const Vec3& n;
  const Vec3& claimed;
  Vec3 rim(double r, double z) const {
    const double rho = std::hypot(n.x(), n.y());
    return {r * n.x() / rho, r * n.y() / rho, z};
  }
  Vec3 operator()(const Sphere& s) const { return s.radius * n; }
  Vec3 operator()(const Ellipsoid& e) const {
    return e.radii.cwiseAbs2().cwiseProduct(n) / e.radii.cwiseProduct(n).norm();
  }
  Vec3 operator()(const Cylinder& c) const {
    const bool inside_rim = std::abs(n.z()) > 1e-3 && std::abs(n.z()) < 0.999;
    return inside_rim ? rim(c.radius, std::copysign(0.5 * c.length, n.z())) : claimed;
  }
  template <class Other>
  Vec3 operator()(const Other&) const {
    return claimed;
  }
};

inline double off_smooth_point(const Placed& s, const Vec3& n, const Vec3& p) {
  const Vec3 local_n = s.pose.local_vector(n), local = s.pose.local_point(p);
  return (std::visit(SmoothPoint{local_n, local}, s.shape) - local).norm();
}

}  // namespace hardpan::geometry::test
