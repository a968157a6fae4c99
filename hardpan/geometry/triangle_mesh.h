// A triangle mesh: vertices, triangles counterclockwise seen from outside, and who lies across each edge.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "hardpan/geometry/box_tree.h"
#include "hardpan/math/types.h"

namespace hardpan::geometry {

struct Polyhedron;

struct TriangleMesh {
  static constexpr std::uint32_t none = 0xffffffff;

  std::vector<Vec3> vertices;
  std::vector<std::array<std::uint32_t, 3>> triangles;
  std::vector<std::array<std::uint32_t, 3>> across;  // edge k: from corner k to corner k + 1; none: a border
  bool closed = false;
  BoxTree tree;  // over the triangles
  // The same solid, if it is convex and has few triangles; else nothing.
  std::shared_ptr<const Polyhedron> hull;
};

// What a message calls triangle i.
using TriangleName = std::function<std::string(std::size_t)>;

// Finds the neighbours and leaves out vertices that no triangle uses. InputError for corners that are not
// there, triangles without area, an edge of three triangles, neighbours that face different sides, and closed
// meshes that are inside out or enclose nothing.
TriangleMesh make_mesh(const std::vector<Vec3>& vertices,
                       const std::vector<std::array<std::uint32_t, 3>>& triangles,
                       const TriangleName& name = {});

}  // namespace hardpan::geometry
