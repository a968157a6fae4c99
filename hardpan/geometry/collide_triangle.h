// A convex shape against one bare triangle: what contact with meshes and height fields is made of.
#pragma once

#include <array>
#include <vector>

#include "hardpan/geometry/collide.h"
#include "hardpan/geometry/support.h"

namespace hardpan::geometry {

// Appends the contact points with a gap of at most `margin`. The triangle is A, the convex shape is B: the
// normal points from the triangle towards the convex shape, `on_a` lies on the triangle.
//
// The triangle has two sides and no inside: a shape that it cuts is pushed out the shortest way, be it
// through the back or past an edge. Who knows of neighbours and of an inside must judge the normal.
//
// Nothing for planes, meshes and height fields.
void collide_triangle(const Shape& convex, const Pose& pose, const std::array<Vec3, 3>& triangle_in_world,
                      double margin, std::vector<ContactPoint>& out);

// Where on the triangle the point lies, from its `feature`: its face, edge k (corner k to k + 1) or corner k.
struct TrianglePart {
  PartKind kind;  // face, edge or vertex
  std::uint32_t k;
};
inline TrianglePart triangle_part(std::uint64_t feature) {
  const auto p = static_cast<std::uint32_t>(feature >> 32);
  return {kind_of_part(p), index_of_part(p)};
}

}  // namespace hardpan::geometry
