#include "hardpan/geometry/box_box.h"

#include <cmath>

#include "hardpan/geometry/blunt.h"
#include "hardpan/geometry/gjk.h"
#include "hardpan/geometry/manifold.h"

namespace hardpan::geometry {
namespace {

constexpr double preference = 1e-6;

// The best axis. `bias` is what a later one must gain. False as soon as one separates by more than the
// margin.
bool best_axis(const Pair& pair, double margin, double bias, WayOut& best) {
  const Vec3 &ha = pair.a.half, &hb = pair.b.half, &t = pair.t;
  const Mat3& r = pair.r;
  const Mat3 q = r.cwiseAbs();
  const auto consider = [&](double along, double reach, double gain) {
    const double separation = std::abs(along) - reach;
    if (separation <= best.separation + gain) return false;
    best.separation = separation;
    return true;
  };
  for (int i = 0; i < 3; ++i) {
    const double gain = i == 0 ? 0.0 : bias;
    if (consider(t[i], ha[i] + q.row(i).dot(hb), gain)) {
      best.normal = Vec3::Zero();
      best.normal[i] = t[i] < 0 ? -1 : 1;
      if (best.separation > margin) return false;
    }
  }
  for (int j = 0; j < 3; ++j) {
    const double along = t.dot(r.col(j));
    if (consider(along, q.col(j).dot(ha) + hb[j], bias)) {
      best.normal = along < 0 ? Vec3(-r.col(j)) : Vec3(r.col(j));
      if (best.separation > margin) return false;
    }
  }
  const double rounding = 1e-12 * pair.size;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      // e_i x r_j, whose length is the sine of the angle between the edges; parallel ones add no axis.
      const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
      const double long_along = t[i2] * r(i1, j) - t[i1] * r(i2, j);
      const double long_reach = ha[i1] * q(i2, j) + ha[i2] * q(i1, j) + hb[j1] * q(i, j2) + hb[j2] * q(i, j1);
      // Over a length of at most one, an overlap only grows.
      if (std::abs(long_along) - long_reach < std::min(0.0, best.separation + bias) - rounding) continue;
      const double length = std::hypot(r(i1, j), r(i2, j));
      if (length < 1e-8) continue;
      const double along = long_along / length, reach = long_reach / length;
      if (consider(along, reach, bias)) {
        Vec3 n = Vec3::Zero();
        n[i1] = -r(i2, j) / length;
        n[i2] = r(i1, j) / length;
        best.normal = along < 0 ? Vec3(-n) : n;
        if (best.separation > margin) return false;
      }
    }
  return true;
}

// False if a face is the normal.
bool collide_tips(const Pair& pair, double margin, const WayOut& shortest, double blunt, LocalPoints& out) {
  const Vec3 normal = blunt_normal(pair, shortest, blunt, [](const Pair& moved) {
    WayOut next;
    best_axis(moved, HUGE_VAL, 0, next);
    return next;
  });
  if (normal == shortest.normal) return false;
  out.count = 0;
  blunt_manifold(pair, normal, blunt, margin, out);
  return true;
}

}  // namespace

void collide_boxes(const Pair& pair, double margin, LocalPoints& out) {
  const double enough = 1e-12 * pair.small + 1e-15 * pair.size;
  WayOut axis;
  bool proven = false;
  // Where faces win by their preference alone, are perhaps apart or have tips near, only the closest axis
  // will do.
  for (const double bias : {preference * pair.small, 0.0}) {
    axis = {};
    if (!best_axis(pair, margin, bias, axis)) return;
    if (bias > 0 && axis.separation > -2 * bias) continue;
    const FacingFeatures features(pair, axis.normal);
    out.count = 0;
    features.intersect(out);
    proven = out.least_gap() <= axis.separation + enough;
    const std::optional<double> blunt = bluntness(pair, axis.separation);
    if (proven && (!blunt || features.clearance(out) > clear_of_tips * *blunt)) break;
    if (bias == 0 && blunt && collide_tips(pair, margin, axis, *blunt, out)) return;
  }
  if (!proven) {
    // Apart, and nearest in a corner: no axis of the fifteen is the normal.
    out.count = 0;
    const std::optional<Witness> witness = separation(pair, margin);
    if (witness) manifold(pair, *witness, margin, out);
    return;
  }
  int kept = 0;
  for (int k = 0; k < out.count; ++k) {
    out[k].gap = std::max(out[k].gap, axis.separation);  // less by rounding alone
    if (out[k].gap <= margin) out[kept++] = out[k];
  }
  out.count = kept;
}

}  // namespace hardpan::geometry
