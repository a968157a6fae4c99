#include "hardpan/geometry/broad_phase.h"

#include <algorithm>

#include "hardpan/core/parallel.h"

namespace hardpan::geometry {
namespace {

constexpr std::size_t leaves_per_chunk = 64;

// Pairs of the boxes of one leaf with each other and with those of later leaves.
void pairs_of_leaf(const BoxTree& tree, std::uint32_t leaf, std::vector<BroadPhase::Pair>& out) {
  const auto order = tree.order();
  const auto boxes = tree.boxes();
  const BoxTree::Node& mine = tree.nodes()[leaf];
  tree.walk(leaf, mine.box, [&](const BoxTree::Node& other) {
    for (std::uint32_t a = mine.begin; a < mine.end; ++a) {
      const Aabb& box = boxes[a];
      if (!box.overlaps(other.box)) continue;
      for (std::uint32_t b = std::max(other.begin, a + 1); b < other.end; ++b)
        if (box.overlaps(boxes[b]))
          out.push_back({std::min(order[a], order[b]), std::max(order[a], order[b])});
    }
  });
}

}  // namespace

const std::vector<BroadPhase::Pair>& BroadPhase::pairs(std::span<const Aabb> boxes) {
  tree_.build(boxes, scratch_);
  ignored_ = boxes.size() - tree_.order().size();
  leaves_.clear();
  for (std::uint32_t k = 0; k < tree_.nodes().size(); ++k)
    if (tree_.is_leaf(k)) leaves_.push_back(k);

  const std::size_t chunks = (leaves_.size() + leaves_per_chunk - 1) / leaves_per_chunk;
  if (found_.size() < chunks) found_.resize(chunks);
  parallel_for(
      leaves_.size(),
      [&](std::size_t begin, std::size_t end) {
        auto& found = found_[begin / leaves_per_chunk];
        found.clear();
        for (std::size_t k = begin; k < end; ++k) pairs_of_leaf(tree_, leaves_[k], found);
      },
      leaves_per_chunk);
  pairs_.clear();
  for (std::size_t c = 0; c < chunks; ++c) pairs_.insert(pairs_.end(), found_[c].begin(), found_[c].end());
  sort(boxes.size());
  return pairs_;
}

// Two stable counting sorts, by the second index and then by the first: linear in boxes and pairs.
void BroadPhase::sort(std::size_t boxes) {
  other_.resize(pairs_.size());
  for (const std::size_t digit : {1u, 0u}) {
    start_.assign(boxes + 1, 0);
    for (const Pair& pair : pairs_) ++start_[pair[digit] + 1];
    for (std::size_t i = 0; i < boxes; ++i) start_[i + 1] += start_[i];
    for (const Pair& pair : pairs_) other_[start_[pair[digit]]++] = pair;
    pairs_.swap(other_);
  }
}

}  // namespace hardpan::geometry
