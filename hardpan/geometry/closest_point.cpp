#include "hardpan/geometry/closest_point.h"

#include <algorithm>
#include <cmath>

namespace hardpan::geometry {
namespace {

// A point outside, given the nearest point; `fallback` is the normal where they coincide.
SurfacePoint outside(const Vec3& p, const Vec3& nearest, const Vec3& fallback) {
  const Vec3 way = p - nearest;
  const double distance = way.stableNorm();
  return {nearest, distance > 0 ? Vec3(way / distance) : fallback, distance};
}

SurfacePoint of_box(const Vec3& h, const Vec3& p) {
  const Vec3 nearest = p.cwiseMax(-h).cwiseMin(h);
  Eigen::Index axis;
  const double depth = (h - p.cwiseAbs()).minCoeff(&axis);
  Vec3 normal = Vec3::Zero();
  normal[axis] = p[axis] >= 0 ? 1 : -1;
  if (depth < 0) return outside(p, nearest, normal);
  Vec3 wall = p;
  wall[axis] = normal[axis] * h[axis];
  return {wall, normal, -depth};
}

// Shapes of revolution in their half-plane (distance from the axis, z).
struct Meridian {
  Vec3 u;  // unit, away from the axis
  double rho, z;
  explicit Meridian(const Vec3& p) : rho(std::hypot(p.x(), p.y())), z(p.z()) {
    u = rho > 0 ? Vec3(p.x() / rho, p.y() / rho, 0) : Vec3(Vec3::UnitX());
  }
  Vec3 lift(double along_u, double along_z) const { return along_u * u + along_z * Vec3::UnitZ(); }
};

SurfacePoint of_cylinder(double r, double half, const Vec3& p) {
  const Meridian m(p);
  const double side = m.rho - r, cap = std::abs(m.z) - half, up = m.z >= 0 ? 1 : -1;
  if (side > 0 && cap > 0) return outside(p, m.lift(r, up * half), m.u);
  if (side > cap) return {m.lift(r, m.z), m.u, side};
  return {m.lift(m.rho, up * half), Vec3(0, 0, up), cap};
}

SurfacePoint of_cone(double r, double h, const Vec3& p) {
  const Meridian m(p);
  const double slant = std::hypot(r, h), low = -0.25 * h;
  // Side: from the rim (r, low) along (-r, h)/slant; outward (h, r)/slant.
  const double along = (-(m.rho - r) * r + (m.z - low) * h) / slant;
  const double side = ((m.rho - r) * h + (m.z - low) * r) / slant;
  const double base = low - m.z;
  const Vec3 side_normal = m.lift(h / slant, r / slant), down(0, 0, -1);
  const double s = std::clamp(along / slant, 0.0, 1.0);
  if (side <= 0 && base <= 0)
    return side >= base ? SurfacePoint{m.lift(r * (1 - s), low + h * s), side_normal, side}
                        : SurfacePoint{m.lift(m.rho, low), down, base};
  if (base > 0 && m.rho <= r) return {m.lift(m.rho, low), down, base};
  if (along > 0 && along < slant) return {m.lift(r * (1 - s), low + h * s), side_normal, side};
  return outside(p, m.lift(r * (1 - s), low + h * s), side_normal);
}

// The nearest point of sum (x_i/e_i)^2 = 1 is x_i = e_i^2 p_i/(t + e_i^2) with the largest root t of
// sum (e_i p_i/(t + e_i^2))^2 = 1 (Eberly, "Distance from a point to an ellipsoid", 2013). In terms of
// s = 1 + t/e_min^2 > 0 and k_i = (e_i/e_min)^2 the function
//
//   g(s) = sum (k_i z_i/(s + k_i - 1))^2 - 1,   z_i = |p_i|/e_i,
//
// is convex and falls; Newton's method from below, s = z_min, climbs to the root without overshooting.
SurfacePoint of_ellipsoid(const Vec3& e, const Vec3& p) {
  Eigen::Index least;
  const double e_min = e.minCoeff(&least);
  const Vec3 k = (e / e_min).cwiseAbs2(), z = p.cwiseAbs().cwiseQuotient(e);
  Vec3 ratio;  // x_i/e_i
  const auto residual = [&](double s, double& slope) {
    double g = -1;
    slope = 0;
    for (int i = 0; i < 3; ++i) {
      const double below = s + (k[i] - 1);
      ratio[i] = z[i] == 0 ? 0 : k[i] * z[i] / below;
      g += ratio[i] * ratio[i];
      if (z[i] != 0) slope -= 2 * ratio[i] * ratio[i] / below;
    }
    return g;
  };
  double slope, s = 0;
  for (int i = 0; i < 3; ++i)
    if (k[i] == 1) s = std::max(s, z[i]);
  if (s == 0 && residual(0, slope) <= 0) {
    // On the middle plane, nearer to the flat side than to the rim: any sign would do.
    ratio[least] = std::sqrt(std::max(0.0, 1 - ratio.squaredNorm()));
  } else {
    for (int step = 0; step < 200; ++step) {
      const double g = residual(s, slope);
      if (!(slope < 0)) break;
      const double next = s - g / slope;
      if (!(next > s) || next - s < 1e-16 * s) break;
      s = next;
    }
    residual(s, slope);
    ratio /= std::max(ratio.norm(), 1e-300);
  }
  for (int i = 0; i < 3; ++i)
    if (p[i] < 0) ratio[i] = -ratio[i];
  const Vec3 x = e.cwiseProduct(ratio), normal = ratio.cwiseQuotient(e).normalized();
  return {x, normal, normal.dot(p - x)};
}

}  // namespace

SurfacePoint closest_point(const Convex& c, const Vec3& p) {
  switch (c.core) {
    case Core::segment:
      return outside(p, {0, 0, std::clamp(p.z(), -c.half.z(), c.half.z())}, Vec3::UnitX());
    case Core::box:
      return of_box(c.half, p);
    case Core::cylinder:
      return of_cylinder(c.half.x(), c.half.z(), p);
    case Core::cone:
      return of_cone(c.half.x(), c.half.z(), p);
    case Core::ellipsoid:
      return of_ellipsoid(c.half, p);
    case Core::point:
    case Core::triangle:
    case Core::hull:
      break;
  }
  return outside(p, Vec3::Zero(), Vec3::UnitZ());
}

}  // namespace hardpan::geometry
