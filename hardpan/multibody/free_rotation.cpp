#include "hardpan/multibody/free_rotation.h"

#include <limits>

#include <Eigen/LU>

#include "hardpan/math/rotation.h"

namespace hardpan::multibody {

FreeRotation free_rotation(const Mat3& inertia_inverse, const Quat& q, const Vec3& L_W, double h) {
  const Vec3 start = rotate(q.conjugate(), L_W);
  const double tolerance = 4 * std::numeric_limits<double>::epsilon() * start.norm();
  Vec3 mid = start;
  // Newton on F(m) = m - Pi - (h/2) m x I^-1 m; it needs 2 to 4 steps when h |omega| is small. For slender
  // bodies I^-1 m carries a rounding error of cond(I) epsilon, and the steps stop shrinking above the
  // tolerance: that, too, is as near as the numbers allow.
  constexpr int max_steps = 20;
  const double nearly = 1e-6 * start.norm();
  double last = std::numeric_limits<double>::infinity();
  bool converged = false;
  for (int step = 0; step < max_steps && !converged; ++step) {
    const Vec3 omega = inertia_inverse * mid;
    const Vec3 residual = mid - start - 0.5 * h * cross(mid, omega);
    const Mat3 slope = Mat3::Identity() - 0.5 * h * (skew(mid) * inertia_inverse - skew(omega));
    const Vec3 change = slope.inverse() * residual;
    mid -= change;
    const double size = change.norm();
    converged = size <= tolerance || (size <= nearly && size >= 0.5 * last);
    last = size;
  }
  // Beyond a turn of about one radian per step the wrong root may be found; the map is then meaningless.
  const Vec3 omega = inertia_inverse * mid;
  return {rotate(q, omega), converged && std::abs(h) * omega.norm() < 2.0};
}

}  // namespace hardpan::multibody
