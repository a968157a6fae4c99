// A triangle mesh: vertices, triangles counterclockwise seen from outside, and who lies across each edge.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "hardpan/math/types.h"

namespace hardpan::geometry {

struct TriangleMesh {
  static constexpr std::uint32_t none = 0xffffffff;

  std::vector<Vec3> vertices;
  std::vector<std::array<std::uint32_t, 3>> triangles;
  std::vector<std::array<std::uint32_t, 3>> across;  // edge k: from corner k to corner k + 1; none: a border
  bool closed = false;
};

}  // namespace hardpan::geometry
