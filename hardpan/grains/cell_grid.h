// Which grains are in which cell of a regular grid, and the grains in the order of their cells.
//
// Cells are at least as wide as the reach of a contact, so that whatever touches is in the same or in a
// neighbouring cell. Grains far out are counted to the outermost cells; neighbours stay neighbours by that.
//
// Cells stand in columns along z, some cells wide, one column after the other; in a column layer by layer, in
// a layer row by row along x. So three neighbours along x are one stretch of grains, or two where columns
// meet, and some hundreds of grains that follow each other are a block with few neighbours outside.
//
// Columns of one x are a slab. The order begins in the middle: with the slabs of the upper half, then come
// those of the lower; where there is one slab only, so do its columns, or the layers of its only column. Of
// two threads, each with one half, the first begins where both meet, and the second ends there: what one
// needs of the other is long done.
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
    std::array<Stretch, 27> all;  // rows around a cell, in pieces where columns meet
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

  // Things in a row, the first of which has place `first`.
  struct Turned {
    std::size_t count = 1, first = 0;

    std::size_t place(std::size_t n) const { return (n + first) % count; }
    std::size_t at(std::size_t place) const { return (place + count - first) % count; }
  };

  double lay_lines(const Columns& at, double width, const Space& space);
  // How many cells a column is wide: all of a line if they are few.
  static std::int32_t width_of(const Line& line, std::int32_t wanted) {
    return line.count <= 16 ? line.count : wanted;
  }
  std::size_t lay_columns();
  std::size_t index(std::int32_t i, std::int32_t j, std::int32_t k) const {
    return along_x_[static_cast<std::size_t>(i)] + along_y_[static_cast<std::size_t>(j)] +
           along_z_[static_cast<std::size_t>(k)];
  }
  // The first of those after cell i, in the same row, that stands in another column.
  std::int32_t end_of_row(std::int32_t i) const {
    return std::min(lines_[0].count, (i / width_x_ + 1) * width_x_);
  }
  std::size_t cell_of(const Vec& at) const {
    return index(lines_[0].cell(at.x), lines_[1].cell(at.y), lines_[2].cell(at.z));
  }

  std::array<Line, 3> lines_;
  std::int32_t width_x_ = 1, width_y_ = 1;  // of a column, cells
  Turned slabs_, columns_, layers_;         // along x, along y within a slab, along z within a column
  std::vector<std::size_t> along_x_, along_y_, along_z_;  // what each adds to the number of a cell
  std::vector<std::uint32_t> start_;                      // of each cell in the order, and the end
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
      for (std::int32_t i = first(x, low.x), end = 0; i <= last(x, high.x); i = end) {
        end = std::min(end_of_row(i), last(x, high.x) + 1);
        visit(start_[index(i, j, k)], start_[index(end - 1, j, k) + 1]);
      }
}

}  // namespace hardpan::grains
