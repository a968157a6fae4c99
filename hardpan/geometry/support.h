// Convex shapes as the narrow phase sees them: a core, swept by a ball of some radius.
//
//   support:  s(d) = argmax { d . x : x in core }, exact for every core
//   feature:  the vertex, edge or face of the core that looks in a direction, as a polygon for manifolds
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "hardpan/geometry/shape.h"

namespace hardpan::geometry {

enum class Core : std::uint8_t { point, segment, triangle, box, hull, cylinder, cone, ellipsoid };

struct Convex {
  Core core = Core::point;
  double radius = 0;              // of the ball around the core, m
  Vec3 half = Vec3::Zero();       // half extents; cylinder (r, r, l/2); cone (r, r, height); ellipsoid: radii
  std::array<Vec3, 3> corners{};  // of a triangle
  const Polyhedron* hull = nullptr;

  bool curved() const { return core >= Core::cylinder; }
};

// Nothing for planes, meshes and height fields. A hull is borrowed from the shape.
std::optional<Convex> convex(const Shape& shape);

Vec3 support(const Convex& c, const Vec3& direction);

// Largest distance of the core from its origin: the length that tolerances are relative to.
double extent(const Convex& c);

// What of a shape takes part in a contact: a kind in the two highest bits of 32 and an index below.
enum class PartKind : std::uint32_t { surface = 0, vertex = 1, edge = 2, face = 3 };
constexpr std::uint32_t part(PartKind kind, std::size_t index) {
  return static_cast<std::uint32_t>(kind) << 30 | (static_cast<std::uint32_t>(index) & 0x3fffffffu);
}
constexpr PartKind kind_of_part(std::uint32_t p) { return static_cast<PartKind>(p >> 30); }
constexpr std::uint32_t index_of_part(std::uint32_t p) { return p & 0x3fffffffu; }

// One, two or more corners in order around the outline. Edge k runs from corner k to the next.
struct Feature {
  static constexpr int most = 32;  // a hull face with more corners is thinned evenly

  int count = 0;
  bool round = false;  // a disc, of which the corners are samples
  std::array<Vec3, most> points;
  std::array<std::uint32_t, most> vertex, edge;  // indices of parts
  std::uint32_t face = 0;                        // index, where there are three corners or more
  std::array<double, 2> bend{};                  // of a line on a curved side: radius of curvature across it

  void add(const Vec3& p, std::size_t vertex_index, std::size_t edge_index) {
    const auto k = static_cast<std::size_t>(count++);
    points[k] = p;
    vertex[k] = static_cast<std::uint32_t>(vertex_index);
    edge[k] = static_cast<std::uint32_t>(edge_index);
  }
};

// The feature that contains the support point in this direction (unit) and faces it best. A disc becomes a
// regular polygon of `rim` points, fixed in the body; the deepest point of a tilted disc is none of them.
void feature(const Convex& c, const Vec3& direction, int rim, Feature& out);

// The edge of a box or hull at its farthest corner that lies flattest to the direction (unit).
void edge_feature(const Convex& c, const Vec3& direction, Feature& out);

}  // namespace hardpan::geometry
