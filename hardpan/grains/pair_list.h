// Pairs of spheres that are near each other: a Verlet list with a skin.
//
//     |x_j - x_i| < r_i + s_i + r_j + s_j,     i < j in the present order
//
// holds for every pair with a gap below m_i + m_j for as long as no sphere i has moved further than s_i - m_i
// since the list was made (Verlet, Phys. Rev. 159 (1967) 98-103; there, all skins s are one). Pairs stand in
// the order of i, then of j.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "hardpan/grains/cell_grid.h"
#include "hardpan/grains/state.h"

namespace hardpan::grains {

class PairList {
 public:
  // Spheres in the order of the grid, whose cells are as wide as two of them reach. Those of one clump are no
  // pairs; 0xffffffff stands for none, nothing for none at all.
  struct Spheres {
    Columns at;
    std::vector<double> reach;  // r + s
    std::vector<std::uint32_t> clump;
  };
  void build(const CellGrid& grid, const Spheres& spheres, const Space& space);
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
