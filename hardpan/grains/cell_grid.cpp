#include "hardpan/grains/cell_grid.h"

#include <algorithm>

#include <fmt/core.h>

#include "hardpan/core/error.h"

namespace hardpan::grains {
std::int32_t CellGrid::Line::cell(double x) const {
  const double c = std::floor((x - low) * over_width);
  return static_cast<std::int32_t>(std::clamp(c, 0.0, static_cast<double>(count - 1)));
}

// Returns the number of cells.
double CellGrid::lay_lines(const Columns& at, double width, const Space& space) {
  const std::array<const std::vector<double>*, 3> columns = {&at.x, &at.y, &at.z};
  double cells = 1;
  for (std::size_t a = 0; a < 3; ++a) {
    const Axis& axis = space.axes[a];
    double low = axis.low, length = axis.length;
    if (!axis.periodic && at.size() > 0) {
      const auto [least, most] = std::ranges::minmax_element(*columns[a]);
      low = *least;
      length = *most - *least;
    }
    const double count = std::max(1.0, std::floor(length / width));
    if (axis.periodic && count < 3)
      throw InputError(fmt::format(
          "a periodic length of {} m is less than three times the reach of a contact, {} m", length, width));
    const double cell = axis.periodic ? length / count : width;
    lines_[a] = {low, 1 / cell, static_cast<std::int32_t>(std::min(count, 1e9)), axis.periodic};
    cells *= count;
  }
  return cells;
}

// Returns the number of cells, those beyond the lines included that fill up the last columns.
std::size_t CellGrid::lay_columns() {
  const auto& [x, y, z] = lines_;
  width_x_ = width_of(x, 12);
  width_y_ = width_of(y, 8);
  const auto wide = static_cast<std::size_t>(width_x_), deep = static_cast<std::size_t>(width_y_);
  along_x_.resize(static_cast<std::size_t>(x.count));
  along_y_.resize(static_cast<std::size_t>(y.count));
  along_z_.resize(static_cast<std::size_t>(z.count));
  slabs_ = {(along_x_.size() + wide - 1) / wide};
  columns_ = {(along_y_.size() + deep - 1) / deep};
  layers_ = {along_z_.size()};
  Turned& outermost = slabs_.count > 1 ? slabs_ : columns_.count > 1 ? columns_ : layers_;
  outermost.first = (outermost.count + 1) / 2;
  const std::size_t layer = wide * deep, column = layers_.count * layer, slab = columns_.count * column;
  for (std::size_t i = 0; i < along_x_.size(); ++i) along_x_[i] = slabs_.place(i / wide) * slab + i % wide;
  for (std::size_t j = 0; j < along_y_.size(); ++j)
    along_y_[j] = columns_.place(j / deep) * column + j % deep * wide;
  for (std::size_t k = 0; k < along_z_.size(); ++k) along_z_[k] = layers_.place(k) * layer;
  return slabs_.count * slab;
}

std::vector<std::uint32_t> CellGrid::build(const Columns& at, double width, const Space& space) {
  // Few grains far apart: wider cells, for one lost grain must not ask for all memory.
  const double enough = 64 + 8 * static_cast<double>(at.size());
  while (lay_lines(at, width, space) > enough) width *= 1.5;
  const std::size_t cells = lay_columns();
  start_.assign(cells + 1, 0);
  std::vector<std::uint32_t> order(at.size()), cell(at.size());
  for (std::size_t i = 0; i < at.size(); ++i) {
    cell[i] = static_cast<std::uint32_t>(cell_of(at[i]));
    ++start_[cell[i] + 1];
  }
  for (std::size_t c = 0; c < cells; ++c) start_[c + 1] += start_[c];
  for (std::size_t i = 0; i < at.size(); ++i) order[start_[cell[i]]++] = static_cast<std::uint32_t>(i);
  for (std::size_t c = cells; c > 0; --c) start_[c] = start_[c - 1];
  start_[0] = 0;
  return order;
}

CellGrid::Stretches CellGrid::around(std::size_t cell) const {
  const auto& [x, y, z] = lines_;
  const auto wide = static_cast<std::size_t>(width_x_), deep = static_cast<std::size_t>(width_y_);
  const std::size_t row = cell / wide, layer = row / deep, column = layer / layers_.count;
  const auto i = static_cast<std::int32_t>(slabs_.at(column / columns_.count) * wide + cell % wide),
             j = static_cast<std::int32_t>(columns_.at(column % columns_.count) * deep + row % deep),
             k = static_cast<std::int32_t>(layers_.at(layer % layers_.count));
  // The cell at, before or after, or none.
  const auto at = [](const Line& line, std::int32_t n) {
    if (line.periodic) return (n + line.count) % line.count;
    return n < line.count ? n : -1;
  };
  const std::array<std::int32_t, 3> around_x{at(x, i - 1), i, at(x, i + 1)};
  Stretches found;
  for (std::int32_t dk = -1; dk <= 1; ++dk)
    for (std::int32_t dj = -1; dj <= 1; ++dj) {
      const std::int32_t kk = at(z, k + dk), jj = at(y, j + dj);
      if (kk < 0 || jj < 0) continue;
      std::size_t last = 0;  // cell
      bool any = false;
      for (const std::int32_t ii : around_x) {
        if (ii < 0) continue;
        const std::size_t next = index(ii, jj, kk);
        if (any && next == last + 1)
          found.all[found.count - 1].end = start_[next + 1];
        else
          found.all[found.count++] = {start_[next], start_[next + 1]};
        last = next;
        any = true;
      }
    }
  return found;
}

}  // namespace hardpan::grains
