#include "hardpan/geometry/capsule_capsule.h"

#include <cmath>

#include "hardpan/math/rotation.h"

namespace hardpan::geometry {
namespace {

struct Axes {
  double ha, hb, radii;
  Vec3 along_b, t;
  Vec3 crossing;  // normal where the axes meet

  Vec3 on_a(double s) const { return {0, 0, s}; }
  Vec3 on_b(double u) const { return t + u * along_b; }
};

struct Candidate {
  double s, u, distance;
  std::uint32_t part_a, part_b;
};

LocalPoint point(const Axes& axes, const Candidate& c, double radius_a) {
  const Vec3 a = axes.on_a(c.s), way = axes.on_b(c.u) - a;
  const bool meet = c.distance <= 1e-9 * (axes.ha + axes.hb);
  const Vec3 normal = meet || c.distance == 0 ? axes.crossing : Vec3(way / c.distance);
  return {normal, a + radius_a * normal, normal.dot(way) - axes.radii, c.part_a, c.part_b};
}

}  // namespace

void collide_capsules(const Pair& pair, double margin, LocalPoints& out) {
  Axes axes{pair.a.half.z(), pair.b.half.z(), pair.a.radius + pair.b.radius, pair.r.col(2), pair.t, {}};
  const Vec3& e = axes.along_b;
  const double sine = std::hypot(e.x(), e.y());
  Vec3 other;
  if (sine > 1e-9)
    axes.crossing = Vec3(-e.y() / sine, e.x() / sine, 0);
  else
    tangents(Vec3::UnitZ(), axes.crossing, other);
  if (axes.crossing.dot(axes.t) < 0) axes.crossing = -axes.crossing;

  const auto distance = [&](double s, double u) { return (axes.on_b(u) - axes.on_a(s)).norm(); };
  const std::uint32_t edge = part(PartKind::edge, 0);
  std::array<Candidate, 5> all;
  std::array<bool, 5> over_inside{};
  std::size_t count = 0;
  for (std::size_t end = 0; end < 2; ++end) {
    const double side = end == 0 ? -1 : 1, u = side * axes.hb, s = axes.on_b(u).z();
    const double s_in = std::clamp(s, -axes.ha, axes.ha);
    over_inside[count] = s == s_in;
    all[count++] = {s_in, u, distance(s_in, u), s == s_in ? edge : part(PartKind::vertex, s > 0 ? 1 : 0),
                    part(PartKind::vertex, end)};
  }
  for (std::size_t end = 0; end < 2; ++end) {
    const double side = end == 0 ? -1 : 1, s = side * axes.ha, u = e.dot(axes.on_a(s) - axes.t);
    const double u_in = std::clamp(u, -axes.hb, axes.hb);
    over_inside[count] = u == u_in;
    all[count++] = {s, u_in, distance(s, u_in), part(PartKind::vertex, end),
                    u == u_in ? edge : part(PartKind::vertex, u > 0 ? 1 : 0)};
  }
  if (sine > 1e-9) {
    // d/ds = d/du = 0 of |t + u e - s z|^2.
    const double u = (e.z() * axes.t.z() - e.dot(axes.t)) / (sine * sine), s = axes.t.z() + u * e.z();
    if (std::abs(s) < axes.ha && std::abs(u) < axes.hb) all[count++] = {s, u, distance(s, u), edge, edge};
  }

  std::size_t best = 0;
  for (std::size_t k = 1; k < count; ++k)
    if (all[k].distance < all[best].distance) best = k;
  const double apart = 1e-6 * pair.size;
  for (std::size_t round = 0; round <= count; ++round) {  // the closest first
    const std::size_t k = round == 0 ? best : round - 1;
    if (round > 0 && (k == best || !over_inside[k])) continue;
    if (all[k].distance - axes.radii > margin) continue;
    const LocalPoint p = point(axes, all[k], pair.a.radius);
    bool alone = true;
    for (int j = 0; j < out.count; ++j) alone = alone && (out[j].on_a - p.on_a).norm() > apart;
    if (alone) out.add(p);
  }
}

}  // namespace hardpan::geometry
