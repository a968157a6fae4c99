// Pairs of spheres that are near each other: a Verlet list with a skin.
//
//     |x_j - x_i| < r_i + r_j + skin,     i < j in the present order
//
// holds for every pair with a gap below `margin` for as long as no sphere has moved further than
// (skin - margin)/2 since the list was made (Verlet, Phys. Rev. 159 (1967) 98-103). Pairs stand in the order
// of i, then of j.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "hardpan/grains/cell_grid.h"
#include "hardpan/grains/state.h"

namespace hardpan::grains {

class PairList {
 public:
  // Spheres in the order of the grid. Those of one clump are no pairs; 0xffffffff stands for none, nothing
  // for none at all.
  struct Spheres {
    Columns at;
    std::vector<double> radius;
    std::vector<std::uint32_t> clump;
  };
  void build(const CellGrid& grid, const Spheres& spheres, const Space& space, double skin);
  // Sphere k has become sphere order[k].
  void renumber(std::span<const std::uint32_t> order);

  std::size_t size() const { return second_.size(); }
  // Those near sphere i that come after it.
  std::span<const std::uint32_t> after(std::size_t i) const {
    return std::span(second_).subspan(start_[i], start_[i + 1] - start_[i]);
  }

 private:
  std::vector<std::uint32_t> start_ = {0}, second_;
};

}  // namespace hardpan::grains
