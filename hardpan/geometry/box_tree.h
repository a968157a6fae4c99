// A bounding volume tree over boxes: who overlaps a given box, in O(log n + answers).
//
// Nodes lie in preorder: the first child follows its parent, and `skip` names the node after the whole
// subtree. One loop without a stack walks the tree, and a walk that starts at a leaf sees every pair of that
// leaf with itself or a later leaf once (Smits, "Efficiency issues for ray tracing", 1998, for the layout).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "hardpan/geometry/aabb.h"

namespace hardpan::geometry {

class BoxTree {
 public:
  struct Node {
    Aabb box;
    std::uint32_t begin, end;  // of order()
    std::uint32_t skip;        // a leaf: its own index + 1
  };
  static constexpr std::uint32_t leaf_size = 8;

  // Boxes without a point (low > high) and boxes with NaN overlap nothing and are left out; infinite ones are
  // welcome. The result depends on the boxes alone; memory is kept from call to call.
  class Scratch;
  void build(std::span<const Aabb> boxes, Scratch& scratch);

  std::span<const Node> nodes() const { return nodes_; }
  std::span<const std::uint32_t> order() const { return order_; }  // indices of the boxes, leaf by leaf
  std::span<const Aabb> boxes() const { return boxes_; }           // in that order

  bool is_leaf(std::uint32_t node) const { return nodes_[node].skip == node + 1; }

  // visit(index) for every box that overlaps `box`, in an order that depends on the tree alone.
  template <class Visit>
  void query(const Aabb& box, Visit&& visit) const {
    walk(0, box, [&](const Node& leaf) {
      for (std::uint32_t k = leaf.begin; k < leaf.end; ++k)
        if (boxes_[k].overlaps(box)) visit(order_[k]);
    });
  }

  // visit_leaf(node) for every leaf from node `start` on whose box overlaps `box`.
  template <class VisitLeaf>
  void walk(std::uint32_t start, const Aabb& box, VisitLeaf&& visit_leaf) const {
    for (std::uint32_t k = start; k < nodes_.size();) {
      const Node& node = nodes_[k];
      if (!node.box.overlaps(box)) {
        k = node.skip;
        continue;
      }
      if (node.skip == ++k) visit_leaf(node);
    }
  }

 private:
  void build_node(std::span<const Aabb> boxes, Scratch& scratch, std::uint32_t begin, std::uint32_t end);

  std::vector<Node> nodes_;
  std::vector<std::uint32_t> order_;
  std::vector<Aabb> boxes_;
};

class BoxTree::Scratch {
  friend class BoxTree;
  struct Item {
    Vec3 centre;
    int size_class;
    std::uint32_t index;
  };
  std::vector<Item> items;
};

}  // namespace hardpan::geometry
