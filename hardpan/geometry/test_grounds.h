// Grounds for tests, and their distance to a point by looking at every triangle.
#pragma once

#include <cmath>
#include <memory>

#include "hardpan/geometry/collide.h"
#include "hardpan/geometry/surface.h"
#include "hardpan/geometry/test_dice.h"

namespace hardpan::geometry::test {

inline constexpr double half_side = 5;

// [-5, 5]^2 in n by n cells of irregular corners, each split along one of its diagonals by chance.
template <class Height>
Mesh irregular_mesh(std::uint32_t n, std::uint64_t seed, const Height& height) {
  Dice dice(seed);
  std::vector<Vec3> vertices;
  std::vector<std::array<std::uint32_t, 3>> triangles;
  const double cell = 2 * half_side / n;
  for (std::uint32_t j = 0; j <= n; ++j)
    for (std::uint32_t i = 0; i <= n; ++i) {
      const double x = i * cell - half_side + 0.2 * cell * dice.in(-1, 1);
      const double y = j * cell - half_side + 0.2 * cell * dice.in(-1, 1);
      vertices.emplace_back(x, y, height(x, y));
    }
  for (std::uint32_t j = 0; j < n; ++j)
    for (std::uint32_t i = 0; i < n; ++i) {
      const std::uint32_t a = j * (n + 1) + i, b = a + 1, d = a + n + 1, c = d + 1;
      if (dice.in(0, 1) < 0.5)
        triangles.insert(triangles.end(), {{a, b, c}, {a, c, d}});
      else
        triangles.insert(triangles.end(), {{a, b, d}, {b, c, d}});
    }
  return {std::make_shared<const TriangleMesh>(make_mesh(vertices, triangles))};
}

// The same region as a height field, whose origin is its low corner.
template <class Height>
HeightField height_field(std::size_t n, const Height& height) {
  const double cell = 2 * half_side / static_cast<double>(n);
  auto grid = std::make_shared<HeightGrid>(HeightGrid{n + 1, n + 1, cell, cell, {}});
  for (std::size_t j = 0; j <= n; ++j)
    for (std::size_t i = 0; i <= n; ++i)
      grid->z.push_back(
          height(static_cast<double>(i) * cell - half_side, static_cast<double>(j) * cell - half_side));
  return {grid};
}

inline Pose origin_of(const Shape& ground) {
  return std::holds_alternative<HeightField>(ground) ? Pose{{-half_side, -half_side, 0}, Quat::Identity()}
                                                     : Pose{};
}

inline double hills(double x, double y) {
  return 0.4 * std::sin(1.3 * x + 0.2) * std::cos(1.1 * y) + 0.15 * std::sin(2.9 * x - 1.7 * y);
}

inline double distance_to_segment(const Vec3& p, const Vec3& a, const Vec3& b) {
  const double s = std::clamp((p - a).dot(b - a) / (b - a).squaredNorm(), 0.0, 1.0);
  return (p - a - s * (b - a)).norm();
}

inline double distance_to_triangle(const Vec3& p, const std::array<Vec3, 3>& t) {
  const Vec3 n = (t[1] - t[0]).cross(t[2] - t[0]).normalized();
  double least = HUGE_VAL;
  bool over = true;
  for (std::size_t k = 0; k < 3; ++k) {
    const Vec3 &a = t[k], &b = t[(k + 1) % 3];
    least = std::min(least, distance_to_segment(p, a, b));
    over = over && (b - a).cross(p - a).dot(n) >= 0;
  }
  return over ? std::abs(n.dot(p - t[0])) : least;
}

inline double distance_to_surface(const Surface& surface, std::uint32_t triangles, const Vec3& p) {
  double least = HUGE_VAL;
  for (std::uint32_t t = 0; t < triangles; ++t) {
    const Surface::Corners c = surface.corners(t);
    least = std::min(
        least, distance_to_triangle(p, {surface.vertex(c[0]), surface.vertex(c[1]), surface.vertex(c[2])}));
  }
  return least;
}

// Of the triangle above or below (x, y).
inline double height_of(const Surface& surface, std::uint32_t triangles, double x, double y) {
  for (std::uint32_t t = 0; t < triangles; ++t) {
    const Surface::Corners c = surface.corners(t);
    const Vec3 a = surface.vertex(c[0]), u = surface.vertex(c[1]) - a, v = surface.vertex(c[2]) - a;
    const double area = u.x() * v.y() - u.y() * v.x(), dx = x - a.x(), dy = y - a.y();
    const double s = (dx * v.y() - dy * v.x()) / area, r = (u.x() * dy - u.y() * dx) / area;
    if (s >= 0 && r >= 0 && s + r <= 1) return a.z() + s * u.z() + r * v.z();
  }
  return NAN;
}

inline double least_gap(const std::vector<ContactPoint>& points, double otherwise) {
  for (const ContactPoint& p : points) otherwise = std::min(otherwise, p.gap);
  return otherwise;
}

}  // namespace hardpan::geometry::test
