#include "hardpan/solve/pair_order.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "hardpan/core/random.h"

namespace hardpan::solve {
namespace {

using Pair = PairOrder::Pair;

void expect_each_once(std::span<const std::uint32_t> order, std::size_t count) {
  std::vector<std::uint32_t> sorted(order.begin(), order.end());
  std::ranges::sort(sorted);
  ASSERT_EQ(sorted.size(), count);
  for (std::uint32_t p = 0; p < count; ++p) EXPECT_EQ(sorted[p], p);
}

// The most pairs between the first and the last of one block; `except` does not count.
std::size_t widest(std::span<const std::uint32_t> order, std::span<const Pair> pairs, std::size_t blocks,
                   std::uint32_t except) {
  std::vector<std::size_t> first(blocks, order.size());
  std::size_t most = 0;
  for (std::size_t k = 0; k < order.size(); ++k)
    for (const std::uint32_t block : pairs[order[k]])
      if (block < blocks && block != except) {
        first[block] = std::min(first[block], k);
        most = std::max(most, k - first[block]);
      }
  return most;
}

// A long bed of grains with shuffled numbers, and a wheel that touches every tenth of them: pairs of a grain
// stay within two layers, wheel or no wheel.
TEST(PairOrder, PairsOfABlockStayTogether) {
  constexpr std::uint32_t length = 100, across = 12, grains = length * across, wheel = grains;
  const CounterRandom random(2);
  std::vector<std::uint32_t> name(grains);
  for (std::uint32_t k = 0; k < grains; ++k) name[k] = k;
  for (std::uint32_t k = grains - 1; k > 0; --k)
    std::swap(name[k], name[static_cast<std::uint32_t>(random.uniform(k, 0, k + 1))]);
  std::vector<Pair> pairs;
  for (std::uint32_t k = 0; k < grains; ++k) {
    if (k % across != across - 1) pairs.push_back({name[k], name[k + 1]});
    if (k + across < grains) pairs.push_back({name[k], name[k + across]});
    if (k % 10 == 0) pairs.push_back({name[k], wheel});
    if (k % 7 == 0) pairs.push_back({name[k], grains + 1});  // the ground
  }
  PairOrder order;
  const auto found = order.find(pairs, grains + 1);
  expect_each_once(found, pairs.size());
  EXPECT_LE(widest(found, pairs, grains + 1, wheel), 4 * across * 9 / 4);
}

TEST(PairOrder, NothingAndPiecesApart) {
  PairOrder order;
  EXPECT_TRUE(order.find({}, 0).empty());
  EXPECT_TRUE(order.find({}, 5).empty());
  const std::vector<Pair> pairs = {{0, 1}, {5, 6}, {6, 7}, {3, 9}, {8, 9}, {1, 2}};  // 8 and 9 are none
  expect_each_once(order.find(pairs, 8), pairs.size());
}

}  // namespace
}  // namespace hardpan::solve
