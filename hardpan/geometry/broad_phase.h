// Which boxes overlap: the pairs that are worth a closer look.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "hardpan/geometry/box_tree.h"

namespace hardpan::geometry {

class BroadPhase {
 public:
  using Pair = std::array<std::uint32_t, 2>;  // first < second

  // All pairs of boxes that overlap or touch, sorted. The boxes include whatever margin is wanted. A box with
  // NaN or with low > high overlaps nothing and counts as ignored. Valid until the next call, which may use
  // the same memory; the result depends on the boxes alone, not on threads or on earlier calls.
  const std::vector<Pair>& pairs(std::span<const Aabb> boxes);
  std::size_t ignored() const { return ignored_; }

 private:
  void sort(std::size_t boxes);

  BoxTree tree_;
  BoxTree::Scratch scratch_;
  std::vector<std::uint32_t> leaves_;
  std::vector<std::vector<Pair>> found_;  // by each chunk of leaves
  std::vector<std::uint32_t> start_;
  std::vector<Pair> pairs_, other_;
  std::size_t ignored_ = 0;
};

}  // namespace hardpan::geometry
