#include "hardpan/geometry/ellipsoid_ellipsoid.h"

#include <cmath>

namespace hardpan::geometry {
namespace {

constexpr double deepest = 0.02;  // of the smaller of the shortest half axes
constexpr double longest = 0.5;   // step of the normal

// s at a normal, and where it comes from.
struct Look {
  Vec3 n, a, b;  // points from the two centres
  double size_a, size_b, s;

  Look(const Vec3& normal, const Vec3& half_a, const Mat3& square_b, const Vec3& t) : n(normal) {
    a = half_a.cwiseAbs2().cwiseProduct(n);
    b = square_b * n;
    size_a = std::sqrt(n.dot(a));
    size_b = std::sqrt(n.dot(b));
    a /= size_a;
    b /= size_b;
    s = n.dot(t) - size_a - size_b;
  }
};

}  // namespace

bool collide_ellipsoids(const Pair& pair, double margin, LocalPoints& out) {
  const Vec3 &half_a = pair.a.half, &half_b = pair.b.half, &t = pair.t;
  const Mat3 square_b = pair.r * half_b.cwiseAbs2().asDiagonal() * pair.r.transpose();
  // As if they were alike and of one orientation.
  Vec3 start = (half_a.cwiseAbs2().asDiagonal().toDenseMatrix() + square_b).inverse() * t;
  const double length = start.norm();
  if (!(length > 0)) return false;
  Look now(start / length, half_a, square_b, t);
  for (int step = 0; step < 12; ++step) {
    if (now.s > margin) return true;  // far apart
    const Vec3 u = now.n.unitOrthogonal(), v = now.n.cross(u);
    const Vec3 rest = t - now.a - now.b;
    const auto curvature = [&](const Vec3& x, const Vec3& y) {
      const double in_a = half_a.cwiseAbs2().cwiseProduct(x).dot(y) - now.a.dot(x) * now.a.dot(y);
      const double in_b = x.dot(square_b * y) - now.b.dot(x) * now.b.dot(y);
      return in_a / now.size_a + in_b / now.size_b;
    };
    const double uu = curvature(u, u) + now.s, vv = curvature(v, v) + now.s, uv = curvature(u, v);
    const double det = uu * vv - uv * uv, ru = u.dot(rest), rv = v.dot(rest);
    if (!(uu > 0 && det > 0)) return false;  // no maximum near
    Vec3 way = ((vv * ru - uv * rv) * u + (uu * rv - uv * ru) * v) / det;
    const double reach = way.norm();
    if (reach < 1e-7) {  // the next error is its square
      const Look end((now.n + way).normalized(), half_a, square_b, t);
      if (end.s < -deepest * std::min(half_a.minCoeff(), half_b.minCoeff())) return false;
      if (end.s <= margin)
        out.add({end.n, end.a, end.s, part(PartKind::surface, 0), part(PartKind::surface, 0)});
      return true;
    }
    if (reach > longest) way *= longest / reach;
    Look next((now.n + way).normalized(), half_a, square_b, t);
    for (int tries = 0; next.s < now.s && tries < 8; ++tries) {
      way *= 0.5;
      next = Look((now.n + way).normalized(), half_a, square_b, t);
    }
    if (next.s < now.s && reach > 1e-5) return false;
    now = next;
  }
  return false;
}

}  // namespace hardpan::geometry
