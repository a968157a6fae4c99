#include "hardpan/geometry/box_tree.h"

#include <algorithm>
#include <cmath>

namespace hardpan::geometry {
namespace {

// Infinity ends here, so that centres and sizes are numbers.
constexpr double far_away = 1e150;

}  // namespace

void BoxTree::build(std::span<const Aabb> boxes, Scratch& scratch) {
  auto& items = scratch.items;
  items.clear();
  for (std::uint32_t i = 0; i < boxes.size(); ++i) {
    const Aabb& box = boxes[i];
    if (!(box.low.array() <= box.high.array()).all()) continue;
    const Vec3 low = box.low.cwiseMax(-far_away).cwiseMin(far_away);
    const Vec3 high = box.high.cwiseMax(-far_away).cwiseMin(far_away);
    // Powers of 16 in size.
    const double size = (high - low).maxCoeff();
    const int size_class = size > 0 ? (std::ilogb(size) + 1100) / 4 : 0;
    items.push_back({0.5 * (low + high), size_class, i});
  }
  const auto n = static_cast<std::uint32_t>(items.size());
  nodes_.clear();
  if (n > 0) build_node(boxes, scratch, 0, n);
  order_.resize(n);
  boxes_.resize(n);
  for (std::uint32_t k = 0; k < n; ++k) {
    order_[k] = items[k].index;
    boxes_[k] = boxes[items[k].index];
  }
}

// Boxes of unlike size are parted first: a ground among wheels would otherwise make every box above it huge.
// Boxes of a class are halved at the median of their centres along the longest side, which no outlier spoils.
void BoxTree::build_node(std::span<const Aabb> boxes, Scratch& scratch, std::uint32_t begin,
                         std::uint32_t end) {
  auto& items = scratch.items;
  const auto node = static_cast<std::uint32_t>(nodes_.size());
  Aabb all, centres;
  int smallest = items[begin].size_class, largest = smallest;
  for (std::uint32_t k = begin; k < end; ++k) {
    all = all.merged(boxes[items[k].index]);
    centres = centres.merged(items[k].centre);
    smallest = std::min(smallest, items[k].size_class);
    largest = std::max(largest, items[k].size_class);
  }
  nodes_.push_back({all, begin, end, 0});
  if (end - begin > leaf_size) {
    const auto first = items.begin() + begin, last = items.begin() + end;
    auto middle = first + (end - begin) / 2;
    if (smallest < largest) {
      middle =
          std::partition(first, last, [&](const Scratch::Item& item) { return item.size_class == smallest; });
    } else {
      Eigen::Index axis;
      (centres.high - centres.low).maxCoeff(&axis);
      std::nth_element(first, middle, last, [&](const Scratch::Item& a, const Scratch::Item& b) {
        return a.centre[axis] < b.centre[axis];
      });
    }
    const auto split = static_cast<std::uint32_t>(middle - items.begin());
    build_node(boxes, scratch, begin, split);
    build_node(boxes, scratch, split, end);
  }
  nodes_[node].skip = static_cast<std::uint32_t>(nodes_.size());
}

}  // namespace hardpan::geometry
