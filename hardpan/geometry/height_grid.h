// Heights over a regular grid of nx by ny points, the first at the origin. Each cell is split along the
// diagonal from its low corner (i, j) to (i + 1, j + 1).
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
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

// Row j holds the heights at y = j dy, from x = 0 on. InputError unless there are at least 2 by 2, as many in
// each row.
HeightGrid make_height_grid(const std::vector<std::vector<double>>& rows, double dx, double dy);

// A text of numbers, a line per row; '#' begins a comment. Or an ESRI ASCII grid (.asc), which brings its
// spacing along: its rows run from north to south, so the last one is at y = 0; where on Earth it lies
// (xllcorner, yllcorner) is not read.
struct HeightText {
  std::vector<std::vector<double>> rows;  // the first at y = 0
  double cell_size = 0;                   // m; 0: not said
};
HeightText parse_heights(std::string_view text, const std::string& name);
HeightText read_heights(const std::filesystem::path& path);

}  // namespace hardpan::geometry
