#include "hardpan/solve/pair_order.h"

#include <numeric>

namespace hardpan::solve {
namespace {
constexpr std::uint32_t many = 64;  // pairs of a block that does not lead on
}

std::span<const std::uint32_t> PairOrder::find(std::span<const Pair> pairs, std::size_t blocks) {
  start_.assign(blocks + 2, 0);
  for (const Pair& pair : pairs)
    for (const std::uint32_t block : pair)
      if (block < blocks) ++start_[block + 2];
  std::partial_sum(start_.begin(), start_.end(), start_.begin());  // one ahead, until filled
  pairs_of_.resize(start_.back());
  for (std::uint32_t p = 0; p < pairs.size(); ++p)
    for (const std::uint32_t block : pairs[p])
      if (block < blocks) pairs_of_[start_[block + 1]++] = p;
  queue_.clear();
  walk(pairs, blocks, 0);
  walk(pairs, blocks, queue_.empty() ? 0 : queue_.back());
  return order_;
}

// Begins at `from`; what cannot be reached follows, by numbers.
void PairOrder::walk(std::span<const Pair> pairs, std::size_t blocks, std::uint32_t from) {
  order_.clear();
  queue_.clear();
  block_met_.assign(blocks, 0);
  pair_met_.assign(pairs.size(), 0);
  const auto meet = [&](std::uint32_t block) {
    if (block >= blocks || block_met_[block] || start_[block + 1] - start_[block] > many) return;
    block_met_[block] = 1;
    queue_.push_back(block);
  };
  std::size_t head = 0;
  const auto go_on = [&] {
    for (; head < queue_.size(); ++head) {
      const std::uint32_t block = queue_[head];
      for (std::uint32_t k = start_[block]; k < start_[block + 1]; ++k) {
        const std::uint32_t p = pairs_of_[k];
        if (pair_met_[p]) continue;
        pair_met_[p] = 1;
        order_.push_back(p);
        for (const std::uint32_t other : pairs[p]) meet(other);
      }
    }
  };
  for (std::uint32_t k = 0; k < blocks; ++k) {
    meet((from + k) % static_cast<std::uint32_t>(blocks));
    go_on();
  }
  for (std::uint32_t p = 0; p < pairs.size(); ++p)
    if (!pair_met_[p]) order_.push_back(p);
}

}  // namespace hardpan::solve
