#include "hardpan/geometry/gjk.h"

#include <cmath>

#include "hardpan/geometry/epa.h"
#include "hardpan/geometry/polish.h"
#include "hardpan/geometry/simplex.h"

namespace hardpan::geometry {
namespace {

// Errors of the distance, relative to the size. Flat shapes end exactly, whatever the bound; curved ones are
// polished.
constexpr double rough_error = 1e-7, fine_error = 1e-14;

enum class Outcome { far, apart, overlap };

// Gilbert, Johnson and Keerthi 1988. v is the point of a growing simplex in B - A nearest to the origin, w
// the extreme point against v; |v| - v.w/|v| bounds the error of the distance.
Outcome gjk(const Pair& pair, double limit, double tolerance, Simplex& simplex, Vec3& v) {
  v = pair.t;
  if (v.squaredNorm() == 0) v = Vec3::UnitX();
  double length = HUGE_VAL;
  const double fine = 0.1 * fine_error * pair.size;
  for (int step = 0; step < 200; ++step) {
    const double norm = v.norm();
    const Vec3 a = pair.support_a(v), b = pair.support_b(-v), w = b - a;
    const double below = v.dot(w) / norm;
    if (below > limit) return Outcome::far;
    // The normal is off by the root of twice the relative error: keep that small, too, when the gap is.
    if (step > 0 && norm - below <= std::max(std::min(tolerance, 1e-6 * norm), fine)) return Outcome::apart;
    for (int k = 0; k < simplex.count; ++k)
      if (simplex.w(k) == w) return Outcome::apart;
    const Simplex before = simplex;
    simplex.points[static_cast<std::size_t>(simplex.count++)] = {w, a, b};
    if (!nearest_of_simplex(simplex)) return Outcome::overlap;
    const Vec3 next = simplex.nearest;
    const double next_length = next.norm();
    if (next_length <= 1e-12 * pair.size) return Outcome::overlap;
    if (next_length >= length) return simplex = before, Outcome::apart;
    v = next;
    length = next_length;
  }
  return Outcome::apart;
}

}  // namespace

std::optional<Witness> separation(const Pair& pair, double margin) {
  const double size = pair.size + pair.t.norm(), limit = margin + pair.a.radius + pair.b.radius;
  const auto search = [&](double tolerance) -> std::optional<Witness> {
    Simplex simplex;
    Vec3 v;
    const Outcome outcome = gjk(pair, limit, tolerance, simplex, v);
    if (outcome == Outcome::far) return std::nullopt;
    if (outcome == Outcome::overlap) return way_out(pair, simplex, tolerance);
    const double gap = v.norm();
    return Witness{v / gap, simplex.blend(&DifferencePoint::a), simplex.blend(&DifferencePoint::b), gap};
  };
  const bool curved = pair.a.curved() || pair.b.curved();
  if (curved) {
    std::optional<Witness> rough = search(rough_error * size);
    if (!rough || polish(pair, *rough)) return rough;
  }
  std::optional<Witness> fine = search(fine_error * size);
  // Corners, edges and faces well apart need no polish: the last simplex holds the very points.
  if (fine && (curved || fine->gap < 1e-6 * pair.size)) polish(pair, *fine);
  return fine;
}

}  // namespace hardpan::geometry
