#include "hardpan/geometry/nearest_surface.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "hardpan/core/error.h"
#include "hardpan/geometry/triangle_mesh.h"

namespace hardpan::geometry {
namespace {

double solid_angle(const Vec3& a, const Vec3& b, const Vec3& c) {
  const double x = a.norm(), y = b.norm(), z = c.norm();
  return 2 * std::atan2(a.dot(b.cross(c)), x * y * z + a.dot(b) * z + b.dot(c) * x + c.dot(a) * y);
}

SurfacePoint nearest_of_mesh(const TriangleMesh& mesh, const Vec3& p) {
  double angle = 0, least = std::numeric_limits<double>::infinity();
  SurfacePoint best{};
  for (const auto& corners : mesh.triangles) {
    const Vec3 &a = mesh.vertices[corners[0]], &b = mesh.vertices[corners[1]], &c = mesh.vertices[corners[2]];
    angle += solid_angle(a - p, b - p, c - p);
    const Vec3 q = nearest_on_triangle(p, a, b, c);
    if (const double square = (p - q).squaredNorm(); square < least) {
      least = square;
      best.point = q;
      best.normal = (b - a).cross(c - a).normalized();
    }
  }
  const bool inside = std::abs(angle) > 2 * std::numbers::pi;
  best.distance = (inside ? -1 : 1) * std::sqrt(least);
  if (least > 0) best.normal = (p - best.point) / best.distance;
  return best;
}

}  // namespace

// By the region in which it projects to (Ericson, Real-Time Collision Detection, 2005, section 5.1.5).
Vec3 nearest_on_triangle(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 ab = b - a, ac = c - a;
  const double d1 = ab.dot(p - a), d2 = ac.dot(p - a), d3 = ab.dot(p - b), d4 = ac.dot(p - b);
  const double d5 = ab.dot(p - c), d6 = ac.dot(p - c);
  if (d1 <= 0 && d2 <= 0) return a;
  if (d3 >= 0 && d4 <= d3) return b;
  if (d6 >= 0 && d5 <= d6) return c;
  const double vc = d1 * d4 - d3 * d2, vb = d5 * d2 - d1 * d6, va = d3 * d6 - d5 * d4;
  if (vc <= 0 && d1 >= 0 && d3 <= 0) return a + d1 / (d1 - d3) * ab;
  if (vb <= 0 && d2 >= 0 && d6 <= 0) return a + d2 / (d2 - d6) * ac;
  if (va <= 0 && d4 >= d3 && d5 >= d6) return b + (d4 - d3) / ((d4 - d3) + (d5 - d6)) * (c - b);
  const double sum = va + vb + vc;
  return a + vb / sum * ab + vc / sum * ac;
}

bool has_nearest_surface(const Shape& shape) {
  if (const auto* mesh = std::get_if<Mesh>(&shape)) return mesh->surface->closed;
  return is_solid(shape) && !std::holds_alternative<Hull>(shape);
}

SurfacePoint nearest_surface(const Shape& shape, const Vec3& p) {
  HARDPAN_CHECK(has_nearest_surface(shape), "a shape without nearest points");
  if (const auto* mesh = std::get_if<Mesh>(&shape)) return nearest_of_mesh(*mesh->surface, p);
  const Convex core = *convex(shape);
  SurfacePoint nearest = closest_point(core, p);
  nearest.point += core.radius * nearest.normal;
  nearest.distance -= core.radius;
  return nearest;
}

}  // namespace hardpan::geometry
