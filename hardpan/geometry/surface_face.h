// A triangle of a surface with what its neighbours make of it.
#pragma once

#include "hardpan/geometry/surface.h"

namespace hardpan::geometry {

enum class Crease : std::uint8_t { flat, convex, concave, border };

// Sine of the angle between neighbours up to which they count as flat.
constexpr double flat_angle = 1e-7;

struct SurfaceFace {
  std::uint32_t t;
  Surface::Corners v;
  std::array<Vec3, 3> p;
  Vec3 n;
  std::array<std::uint32_t, 3> across;
  std::array<Crease, 3> crease;
  double lowest = 0;     // gap of the whole shape along n
  bool near = false;     // does the shape come within the margin of the plane?
  bool reached = false;  // and is what lies behind it the inside?

  SurfaceFace(const Surface& surface, std::uint32_t triangle) : t(triangle), v(surface.corners(triangle)) {
    for (std::size_t k = 0; k < 3; ++k) p[k] = surface.vertex(v[k]);
    n = (p[1] - p[0]).cross(p[2] - p[0]).normalized();
    for (std::uint32_t k = 0; k < 3; ++k) {
      across[k] = surface.across(t, k);
      crease[k] = crease_of(surface, k);
    }
  }

  double height(const Vec3& x) const { return n.dot(x - p[0]); }
  Vec3 edge(std::size_t k) const { return p[(k + 1) % 3] - p[k]; }
  // How far x is beyond edge k, along the plane.
  double beyond(std::size_t k, const Vec3& x) const { return edge(k).cross(n).normalized().dot(x - p[k]); }

 private:
  Crease crease_of(const Surface& surface, std::uint32_t k) const {
    if (across[k] == Surface::none) return Crease::border;
    for (const std::uint32_t w : surface.corners(across[k])) {
      if (w == v[k] || w == v[(k + 1) % 3]) continue;
      const Vec3 away = surface.vertex(w) - p[k];
      // Distance of w from the edge times the sine is its height.
      const double rise = n.dot(away), reach = away.cross(edge(k).normalized()).norm();
      if (std::abs(rise) <= flat_angle * reach && height_order(surface.corners(across[k]), surface))
        return Crease::flat;
      return rise > 0 ? Crease::concave : Crease::convex;
    }
    return Crease::flat;
  }
  // False where the neighbour is folded back onto this triangle.
  bool height_order(const Surface::Corners& c, const Surface& surface) const {
    const Vec3 a = surface.vertex(c[0]);
    return (surface.vertex(c[1]) - a).cross(surface.vertex(c[2]) - a).dot(n) > 0;
  }
};

}  // namespace hardpan::geometry
