// Which grains are in which cell of a regular grid, and the grains in the order of their cells.
//
// Cells are at least as wide as the reach of a contact, so that whatever touches is in the same or in a
// neighbouring cell. Cells of one row along x follow each other: three neighbours of a row are one stretch of
// grains. Grains far out are counted to the outermost cells; neighbours stay neighbours by that.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "hardpan/grains/space.h"

namespace hardpan::grains {

class CellGrid {
 public:
  // Returns the order of the grains, cell by cell: position k in it is grain order[k]. Grains of a cell keep
  // theirs. Throws InputError if the space repeats itself within three cells.
  std::vector<std::uint32_t> build(const Columns& at, double width, const Space& space);

  // Calls visit(begin, end) for each stretch of this order that holds the neighbours of a place, itself
  // included.
  template <class Visit>
  void neighbours(const Vec& at, const Visit& visit) const;
  // The same for a box; along a periodic axis for all of it.
  template <class Visit>
  void within(const Vec& low, const Vec& high, const Visit& visit) const;

 private:
  struct Line {
    double low = 0, over_width = 0;
    std::int32_t count = 1;
    bool periodic = false;

    std::int32_t cell(double x) const;
  };

  double lay_lines(const Columns& at, double width, const Space& space);
  // Row by row along x, eight rows side by side along y, then along z, then the next rows: so neighbours
  // along z are near in memory, too.
  std::size_t index(std::int32_t i, std::int32_t j, std::int32_t k) const {
    const auto x = static_cast<std::size_t>(i), y = static_cast<std::size_t>(j),
               z = static_cast<std::size_t>(k);
    const std::size_t strip = std::min<std::size_t>(8, static_cast<std::size_t>(lines_[1].count));
    return ((y / strip * static_cast<std::size_t>(lines_[2].count) + z) * strip + y % strip) *
               static_cast<std::size_t>(lines_[0].count) +
           x;
  }
  std::size_t cell_of(const Vec& at) const {
    return index(lines_[0].cell(at.x), lines_[1].cell(at.y), lines_[2].cell(at.z));
  }

  std::array<Line, 3> lines_;
  std::vector<std::uint32_t> start_;  // of each cell in the order, and the end
};

template <class Visit>
void CellGrid::neighbours(const Vec& at, const Visit& visit) const {
  // Cells before, at and after, without those beyond the border.
  const auto around = [](const Line& line, double x, auto&& each) {
    const std::int32_t c = line.cell(x);
    for (std::int32_t d = -1; d <= 1; ++d) {
      const std::int32_t n = c + d;
      if (line.periodic)
        each((n + line.count) % line.count);
      else if (n >= 0 && n < line.count)
        each(n);
    }
  };
  const Line& row = lines_[0];
  const std::int32_t i = row.cell(at.x);
  around(lines_[2], at.z, [&](std::int32_t k) {
    around(lines_[1], at.y, [&](std::int32_t j) {
      const auto stretch = [&](std::int32_t from, std::int32_t to) {
        visit(start_[index(from, j, k)], start_[index(to, j, k) + 1]);
      };
      stretch(i > 0 ? i - 1 : 0, i + 1 < row.count ? i + 1 : i);
      if (row.periodic && i == 0) stretch(row.count - 1, row.count - 1);
      if (row.periodic && i + 1 == row.count) stretch(0, 0);
    });
  });
}

template <class Visit>
void CellGrid::within(const Vec& low, const Vec& high, const Visit& visit) const {
  const auto first = [](const Line& line, double x) { return line.periodic ? 0 : line.cell(x); };
  const auto last = [](const Line& line, double x) { return line.periodic ? line.count - 1 : line.cell(x); };
  const auto& [x, y, z] = lines_;
  for (std::int32_t k = first(z, low.z); k <= last(z, high.z); ++k)
    for (std::int32_t j = first(y, low.y); j <= last(y, high.y); ++j)
      visit(start_[index(first(x, low.x), j, k)], start_[index(last(x, high.x), j, k) + 1]);
}

}  // namespace hardpan::grains
