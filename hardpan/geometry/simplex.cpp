#include "hardpan/geometry/simplex.h"

#include <algorithm>
#include <cmath>

namespace hardpan::geometry {
namespace {

struct Nearest {
  double squared = HUGE_VAL;
  int count = 0;
  std::array<int, 4> of{};
  std::array<double, 4> weight{};
  Vec3 point = Vec3::Zero();

  void offer(const Nearest& other) {
    if (other.squared < squared) *this = other;
  }
};

Nearest on_edge(const Simplex& s, int i, int j) {
  const Vec3 &p = s.w(i), &q = s.w(j), way = q - p;
  const double length = way.squaredNorm(), along = -p.dot(way);
  if (along <= 0 || length == 0) return {p.squaredNorm(), 1, {i}, {1}, p};
  if (along >= length) return {q.squaredNorm(), 1, {j}, {1}, q};
  const double f = along / length;
  Vec3 point = p + f * way;
  point -= way * (point.dot(way) / length);
  return {point.squaredNorm(), 2, {i, j}, {1 - f, f}, point};
}

Nearest on_triangle(const Simplex& s, int i, int j, int k) {
  const Vec3 &a = s.w(i), &b = s.w(j), &c = s.w(k), ab = b - a, bc = c - b, ca = a - c;
  // The product of the two shorter edges keeps the digits of a sliver.
  const double lab = ab.squaredNorm(), lbc = bc.squaredNorm(), lca = ca.squaredNorm();
  const Vec3 normal = lab >= lbc && lab >= lca ? bc.cross(ca) : lbc >= lca ? ca.cross(ab) : ab.cross(bc);
  const double area = normal.squaredNorm();
  if (area > 1e-28 * std::max({lab * lbc, lbc * lca, lca * lab})) {
    const double u = normal.dot(b.cross(c)) / area, v = normal.dot(c.cross(a)) / area, w = 1 - u - v;
    if (u > 0 && v > 0 && w > 0) {
      const double la = a.squaredNorm(), lb = b.squaredNorm(), lc = c.squaredNorm();
      const double height = normal.dot(la <= lb && la <= lc ? a : lb <= lc ? b : c);
      return {height * height / area, 3, {i, j, k}, {u, v, w}, normal * (height / area)};
    }
  }
  Nearest best = on_edge(s, i, j);
  best.offer(on_edge(s, j, k));
  best.offer(on_edge(s, k, i));
  return best;
}

void keep(Simplex& s, const Nearest& nearest) {
  Simplex cut;
  cut.count = nearest.count;
  cut.nearest = nearest.point;
  for (std::size_t k = 0; k < static_cast<std::size_t>(nearest.count); ++k) {
    cut.points[k] = s.points[static_cast<std::size_t>(nearest.of[k])];
    cut.weight[k] = nearest.weight[k];
  }
  s = cut;
}

}  // namespace

bool nearest_of_simplex(Simplex& s) {
  if (s.count == 1) return s.weight[0] = 1, s.nearest = s.w(0), true;
  if (s.count == 2) return keep(s, on_edge(s, 0, 1)), true;
  if (s.count == 3) return keep(s, on_triangle(s, 0, 1, 2)), true;
  constexpr int faces[4][4] = {{0, 1, 2, 3}, {0, 1, 3, 2}, {0, 2, 3, 1}, {1, 2, 3, 0}};
  Nearest best;
  for (const auto& f : faces) {
    const Vec3 &a = s.w(f[0]), normal = (s.w(f[1]) - a).cross(s.w(f[2]) - a);
    const double top = normal.dot(s.w(f[3]) - a), here = -normal.dot(a);
    const bool flat = std::abs(top) <= 1e-14 * normal.norm() * (s.w(f[3]) - a).norm();
    if (flat || here * top <= 0) best.offer(on_triangle(s, f[0], f[1], f[2]));
  }
  if (best.count == 0) return false;
  return keep(s, best), true;
}

}  // namespace hardpan::geometry
