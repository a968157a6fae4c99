// Heights over a regular grid of nx by ny points, the first at the origin. Each cell is split along the
// diagonal from its low corner (i, j) to (i + 1, j + 1).
#pragma once

#include <cstddef>
#include <vector>

#include "hardpan/math/types.h"

namespace hardpan::geometry {

struct HeightGrid {
  std::size_t nx = 0, ny = 0;  // points along x and y, at least 2
  double dx = 1, dy = 1;       // > 0, m
  std::vector<double> z;       // nx * ny, point (i, j) at [j * nx + i], m

  Vec3 point(std::size_t i, std::size_t j) const {
    return {static_cast<double>(i) * dx, static_cast<double>(j) * dy, z[j * nx + i]};
  }
};

}  // namespace hardpan::geometry
