// Who is within a distance of whom, once, for places that do not move.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "hardpan/math/types.h"

namespace hardpan::meshfree {

struct Neighbours {
  std::vector<std::size_t> start;     // of the entries of each place, and the end
  std::vector<std::uint32_t> index;   // in order, the place itself among them
  std::vector<std::uint32_t> mirror;  // where the entry (j, i) is, for (i, j)
};

// Nearer than `distance`, by more than rounding.
Neighbours neighbours_within(std::span<const Vec3> places, double distance);
// Next to each other along x, y or z in a lattice of `counts` places, x by x, row by row.
Neighbours neighbours_in_lattice(const std::array<std::size_t, 3>& counts);

}  // namespace hardpan::meshfree
