#include "hardpan/geometry/collide_convex.h"

#include <cmath>

#include "hardpan/geometry/blunt.h"
#include "hardpan/geometry/box_box.h"
#include "hardpan/geometry/capsule_capsule.h"
#include "hardpan/geometry/closest_point.h"
#include "hardpan/geometry/ellipsoid_ellipsoid.h"
#include "hardpan/geometry/gjk.h"
#include "hardpan/geometry/manifold.h"

namespace hardpan::geometry {
namespace {

void emit(const LocalPoints& points, const Pose& frame, bool swapped, std::vector<ContactPoint>& out) {
  const Mat3 turn = frame.q.toRotationMatrix();
  for (int k = 0; k < points.count; ++k) {
    const LocalPoint& p = points[k];
    const Vec3 normal = turn * p.normal, on_a = frame.x + turn * p.on_a, on_b = on_a + p.gap * normal;
    const std::uint64_t a = p.part_a, b = p.part_b;
    if (swapped)
      out.push_back({-normal, on_b, on_a, p.gap, b << 32 | a});
    else
      out.push_back({normal, on_a, on_b, p.gap, a << 32 | b});
  }
}

// The half-space z <= 0 as A: every corner of the feature that looks down, and the lowest point of a tilted
// disc.
void collide_plane(const Pose& plane, const Convex& b, const Pose& pose_b, double margin, LocalPoints& out) {
  constexpr int rim = 4;
  const Pose in_plane{plane.local_point(pose_b.x), plane.q.conjugate() * pose_b.q};
  const Mat3 turn = in_plane.q.toRotationMatrix();
  const Vec3 down = -turn.row(2).transpose();
  const auto add = [&](const Vec3& local, std::uint32_t part_b) {
    const Vec3 p = turn * local + in_plane.x;
    out.add({Vec3::UnitZ(), {p.x(), p.y(), 0}, p.z() - b.radius, part(PartKind::face, 0), part_b});
  };
  Feature f;
  feature(b, down, rim, f);
  for (int k = 0; k < f.count; ++k) {
    const auto i = static_cast<std::size_t>(k);
    add(f.points[i], part(PartKind::vertex, f.vertex[i]));
  }
  if (b.curved()) {
    const double least = out.least_gap();
    add(support(b, down), part(PartKind::surface, 0));
    if (least <= out[out.count - 1].gap + 1e-10 * extent(b)) --out.count;
  }
  int kept = 0;
  for (int k = 0; k < out.count; ++k)
    if (out[k].gap <= margin) out[kept++] = out[k];
  out.count = kept;
  reduce(out);
}

void collide_sphere(const Pair& pair, double margin, LocalPoints& out) {
  const SurfacePoint s = closest_point(pair.a, pair.t);
  const double gap = s.distance - pair.a.radius - pair.b.radius;
  if (gap <= margin)
    out.add({s.normal, s.point + pair.a.radius * s.normal, gap, part(PartKind::surface, 0),
             part(PartKind::surface, 0)});
}

void collide_by_search(const Pair& pair, double margin, LocalPoints& out) {
  const std::optional<Witness> witness = separation(pair, margin);
  if (!witness) return;
  const double clearance = manifold(pair, *witness, margin, out);
  const std::optional<double> blunt = bluntness(pair, witness->gap);
  if (!blunt || clearance > clear_of_tips * *blunt) return;
  const Vec3 normal = blunt_normal(pair, {witness->normal, witness->gap}, *blunt, [](const Pair& moved) {
    const std::optional<Witness> next = separation(moved, HUGE_VAL);
    return WayOut{next->normal, next->gap};
  });
  if (normal == witness->normal) return;
  out.count = 0;
  blunt_manifold(pair, normal, *blunt, margin, out);
}

}  // namespace

void collide_convex(const Convex& a, const Pose& pose_a, const Convex& b, const Pose& pose_b, double margin,
                    bool swapped, std::vector<ContactPoint>& out) {
  const Pair pair(a, pose_a, b, pose_b);
  LocalPoints points;
  if (b.core == Core::point && a.core != Core::hull && a.core != Core::triangle) {
    collide_sphere(pair, margin, points);
  } else if (a.core == Core::box && b.core == Core::box) {
    collide_boxes(pair, margin, points);
  } else if (a.core == Core::segment && b.core == Core::segment) {
    collide_capsules(pair, margin, points);
  } else if (a.core != Core::ellipsoid || b.core != Core::ellipsoid ||
             !collide_ellipsoids(pair, margin, points)) {
    collide_by_search(pair, margin, points);
  }
  emit(points, pose_a, swapped, out);
}

void collide_ordered(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, double margin,
                     bool swapped, std::vector<ContactPoint>& out) {
  const std::optional<Convex> second = convex(b);
  if (!second) return;
  if (std::holds_alternative<Plane>(a)) {
    LocalPoints points;
    collide_plane(pose_a, *second, pose_b, margin, points);
    return emit(points, pose_a, swapped, out);
  }
  if (const std::optional<Convex> first = convex(a))
    collide_convex(*first, pose_a, *second, pose_b, margin, swapped, out);
}

}  // namespace hardpan::geometry
