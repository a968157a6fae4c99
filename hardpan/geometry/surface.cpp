#include "hardpan/geometry/surface.h"

namespace hardpan::geometry {

Surface::Corners Surface::corners(std::uint32_t t) const {
  if (mesh_) return mesh_->triangles[t];
  const auto nx = static_cast<std::uint32_t>(grid_->nx);
  const std::uint32_t low = t / 2 / (nx - 1) * nx + t / 2 % (nx - 1), high = low + nx + 1;
  return t % 2 == 0 ? Corners{low, low + 1, high} : Corners{low, high, high - 1};
}

std::uint32_t Surface::across(std::uint32_t t, std::uint32_t k) const {
  if (mesh_) return mesh_->across[t][k];
  const auto columns = static_cast<std::uint32_t>(grid_->nx - 1),
             rows = static_cast<std::uint32_t>(grid_->ny - 1);
  const std::uint32_t cell = t / 2, i = cell % columns, j = cell / columns;
  if (t % 2 == 0) {
    if (k == 0) return j > 0 ? 2 * (cell - columns) + 1 : none;
    if (k == 1) return i + 1 < columns ? 2 * (cell + 1) + 1 : none;
    return t + 1;
  }
  if (k == 0) return t - 1;
  if (k == 1) return j + 1 < rows ? 2 * (cell + columns) : none;
  return i > 0 ? 2 * (cell - 1) : none;
}

}  // namespace hardpan::geometry
