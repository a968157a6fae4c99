// An order of pairs of blocks in which pairs that share a block follow soon: breadth first through the graph,
// from a block that is far from others. In a bed of grains it goes from one end to the other, and between the
// first and the last pair of a grain there are those of two layers across (Cuthill & McKee, ACM 1969).
// Blocks of very many pairs, a wheel or a plate, do not lead on: they are next to everything.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace hardpan::solve {

class PairOrder {
 public:
  using Pair = std::array<std::uint32_t, 2>;  // blocks; from `blocks` on: none

  // Indices of pairs, each once.
  std::span<const std::uint32_t> find(std::span<const Pair> pairs, std::size_t blocks);

 private:
  void walk(std::span<const Pair> pairs, std::size_t blocks, std::uint32_t from);

  std::vector<std::uint32_t> start_, pairs_of_;  // of each block
  std::vector<std::uint32_t> queue_, order_;
  std::vector<char> block_met_, pair_met_;
};

}  // namespace hardpan::solve
