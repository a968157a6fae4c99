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

  // Some of this order, one after the other.
  struct Stretch {
    std::uint32_t begin, end;
  };
  struct Stretches {
    std::array<Stretch, 18> all;  // rows around a cell, two of each at the border of a periodic axis
    std::size_t count = 0;

    Stretch* begin() { return all.data(); }
    Stretch* end() { return all.data() + count; }
  };
  // Of a cell and those around it, row by row.
  Stretches around(std::size_t cell) const;
  // Calls act(grains, around) for each cell that holds some of the grains from `begin` to `end` of this
  // order: those of them that it holds, and the stretches around it.
  template <class Act>
  void each_cell(std::uint32_t begin, std::uint32_t end, const Act& act) const;

  // Calls visit(begin, end) for each stretch of this order that holds the neighbours of a place, itself
  // included.
  template <class Visit>
  void neighbours(const Vec& at, const Visit& visit) const {
    for (const auto& [begin, end] : around(cell_of(at))) visit(begin, end);
  }
  // The same for a box, all of it along a periodic axis.
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
  // Row by row along x, eight rows side by side along y, or all if they are few, then along z, then the next
  // rows: so neighbours along z are near in memory, too.
  std::size_t index(std::int32_t i, std::int32_t j, std::int32_t k) const {
    const auto x = static_cast<std::size_t>(i), y = static_cast<std::size_t>(j),
               z = static_cast<std::size_t>(k);
    return ((y / strip() * static_cast<std::size_t>(lines_[2].count) + z) * strip() + y % strip()) *
               static_cast<std::size_t>(lines_[0].count) +
           x;
  }
  std::size_t strip() const { return static_cast<std::size_t>(lines_[1].count <= 16 ? lines_[1].count : 8); }
  std::size_t cell_of(const Vec& at) const {
    return index(lines_[0].cell(at.x), lines_[1].cell(at.y), lines_[2].cell(at.z));
  }

  std::array<Line, 3> lines_;
  std::vector<std::uint32_t> start_;  // of each cell in the order, and the end
};

template <class Act>
[[gnu::always_inline]] inline void CellGrid::each_cell(std::uint32_t begin, std::uint32_t end,
                                                       const Act& act) const {
  if (begin >= end) return;
  auto next = std::ranges::upper_bound(start_, begin);  // behind the cell that holds it
  for (std::uint32_t from = begin; from < end; from = *next, ++next) {
    while (*next <= from) ++next;  // nobody is there
    act(Stretch{from, std::min(end, *next)}, around(static_cast<std::size_t>(next - start_.begin()) - 1));
  }
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
