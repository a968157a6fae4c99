// A convex polyhedron: planar faces, counterclockwise seen from outside.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "hardpan/math/types.h"

namespace hardpan::geometry {

struct Polyhedron {
  std::vector<Vec3> vertices;
  std::vector<std::uint32_t> corners;     // of all faces, one after the other
  std::vector<std::uint32_t> face_start;  // faces + 1: face f has corners [face_start[f], face_start[f + 1])
  std::vector<Vec3> normals;              // of the faces, outward, unit

  std::size_t faces() const { return normals.size(); }
  std::span<const std::uint32_t> face(std::size_t f) const {
    return std::span(corners).subspan(face_start[f], face_start[f + 1] - face_start[f]);
  }
};

// The smallest one that holds the points. Points inside it are left out; those of one plane, up to rounding,
// make one face. InputError for fewer than four points, points that are not finite or lie in one plane.
Polyhedron convex_hull(std::span<const Vec3> points);

}  // namespace hardpan::geometry
