// Which grains are in which cell of a regular grid, and the grains in the order of their cells.
//
// Cells are at least as wide as the reach of a contact, so that whatever touches is in the same or in a
// neighbouring cell. Grains far out are counted to the outermost cells; neighbours stay neighbours by that.
//
// Cells stand in blocks of at most 8 x 8 x 8, and within a block in the order of Morton (A Computer Oriented
// Geodetic Data Base, IBM, 1966): halves of halves. So what is near in space is near in memory, at every
// range of the caches.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "hardpan/grains/space.h"

namespace hardpan::grains {

class CellGrid {
 public:
  // Throws InputError if the space repeats itself within three cells.
  void build(const Columns& at, double width, const Space& space);

  // The grains, cell by cell: position k in this order is grain order()[k]. Grains of a cell keep theirs.
  std::span<const std::uint32_t> order() const { return order_; }

  // Calls visit(begin, end) for each stretch of order() that holds the neighbours of a place, itself
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
    std::vector<std::size_t> places{};  // what each adds to the number of a cell

    std::int32_t cell(double x) const;
  };

  double lay_lines(const Columns& at, double width, const Space& space);
  std::size_t number_cells();
  std::size_t index(std::int32_t i, std::int32_t j, std::int32_t k) const {
    return lines_[0].places[static_cast<std::size_t>(i)] + lines_[1].places[static_cast<std::size_t>(j)] +
           lines_[2].places[static_cast<std::size_t>(k)];
  }
  std::size_t cell_of(const Vec& at) const {
    return index(lines_[0].cell(at.x), lines_[1].cell(at.y), lines_[2].cell(at.z));
  }
  template <class Visit>
  void visit_cell(std::int32_t i, std::int32_t j, std::int32_t k, const Visit& visit) const {
    const std::size_t cell = index(i, j, k);
    if (start_[cell] < start_[cell + 1]) visit(start_[cell], start_[cell + 1]);
  }

  std::array<Line, 3> lines_;
  std::vector<std::uint32_t> start_;  // of each cell in order_, and the end
  std::vector<std::uint32_t> order_, cell_;
};

template <class Visit>
void CellGrid::neighbours(const Vec& at, const Visit& visit) const {
  // Cells before, at and after, without those beyond the border.
  const auto around = [](const Line& line, std::int32_t c, auto&& each) {
    for (std::int32_t d = -1; d <= 1; ++d) {
      const std::int32_t n = c + d;
      if (line.periodic)
        each((n + line.count) % line.count);
      else if (n >= 0 && n < line.count)
        each(n);
    }
  };
  const auto& [x, y, z] = lines_;
  const std::int32_t here_x = x.cell(at.x), here_y = y.cell(at.y);
  around(z, z.cell(at.z), [&](std::int32_t k) {
    around(y, here_y,
           [&](std::int32_t j) { around(x, here_x, [&](std::int32_t i) { visit_cell(i, j, k, visit); }); });
  });
}

template <class Visit>
void CellGrid::within(const Vec& low, const Vec& high, const Visit& visit) const {
  const auto first = [](const Line& line, double x) { return line.periodic ? 0 : line.cell(x); };
  const auto last = [](const Line& line, double x) { return line.periodic ? line.count - 1 : line.cell(x); };
  const auto& [x, y, z] = lines_;
  for (std::int32_t k = first(z, low.z); k <= last(z, high.z); ++k)
    for (std::int32_t j = first(y, low.y); j <= last(y, high.y); ++j)
      for (std::int32_t i = first(x, low.x); i <= last(x, high.x); ++i) visit_cell(i, j, k, visit);
}

}  // namespace hardpan::grains
