#include "hardpan/geometry/collide.h"

#include <cmath>

#include "hardpan/geometry/collide_convex.h"
#include "hardpan/geometry/collide_ground.h"

namespace hardpan::geometry {
namespace {

// Antisymmetric under exchange, the same after a common motion: which of two equal shapes comes first. That
// must hang on the relative pose; the odd weights keep symmetric arrangements away from the tie.
double lead(const Pose& from, const Pose& to) {
  return from.local_vector(to.x - from.x).dot(Vec3(1, 1.6180339887, 2.7182818285));
}

bool in_order(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b) {
  if (a.index() != b.index()) return a.index() > b.index();
  const std::optional<Convex> first = convex(a), second = convex(b);
  if (!first || !second) return true;
  const double size_a = extent(*first) + first->radius, size_b = extent(*second) + second->radius;
  if (size_a != size_b) return size_a > size_b;
  const double forth = lead(pose_a, pose_b), back = lead(pose_b, pose_a);
  if (forth != back) return forth > back;
  for (int k = 0; k < 3; ++k)
    if (pose_a.x[k] != pose_b.x[k]) return pose_a.x[k] < pose_b.x[k];
  for (int k = 0; k < 4; ++k)
    if (pose_a.q.coeffs()[k] != pose_b.q.coeffs()[k]) return pose_a.q.coeffs()[k] < pose_b.q.coeffs()[k];
  return true;
}

}  // namespace

void collide(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, double margin,
             std::vector<ContactPoint>& out) {
  if (is_ground(a) || is_ground(b)) return collide_ground(a, pose_a, b, pose_b, margin, out);
  if (in_order(a, pose_a, b, pose_b)) return collide_ordered(a, pose_a, b, pose_b, margin, false, out);
  collide_ordered(b, pose_b, a, pose_a, margin, true, out);
}

}  // namespace hardpan::geometry
