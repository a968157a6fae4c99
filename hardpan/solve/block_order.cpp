#include "hardpan/solve/block_order.h"

#include <algorithm>
#include <numeric>

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>

#include "hardpan/core/error.h"

namespace hardpan::solve {
namespace {

using Ints = std::vector<int>;
constexpr int none = -1;
constexpr std::size_t at(int i) { return static_cast<std::size_t>(i); }

struct Tree {
  Ints parent;
  std::vector<Ints> rows;  // pattern of each column of L below the diagonal, ascending
};

using Graph = std::vector<Ints>;  // neighbours of each block

Graph neighbours(int blocks, std::span<const BlockPlace> places) {
  Graph graph(at(blocks));
  for (const BlockPlace& p : places)
    if (p.row != p.column) {
      graph[at(p.row)].push_back(p.column);
      graph[at(p.column)].push_back(p.row);
    }
  for (Ints& list : graph) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
  return graph;
}

// Gives each row block a velocity block whose freedom suffices for it and for the other rows given to it. A
// row that has one choice left takes it first (Karp & Sipser 1981), which is exact for trees and single
// loops.
class Matching {
 public:
  Matching(std::span<const int> sizes, int velocities, const Graph& graph)
      : graph_(graph),
        sizes_(sizes),
        freedom_(sizes.begin(), sizes.begin() + velocities),
        choices_(sizes.size(), 0) {
    leader.assign(sizes.size(), none);
    const int blocks = static_cast<int>(sizes.size());
    for (int row = velocities; row < blocks; ++row)
      for (int v : graph[at(row)]) choices_[at(row)] += can(row, v);
    for (int row = velocities; row < blocks; ++row)
      if (choices_[at(row)] == 1) forced_.push_back(row);
    settle_forced();
    for (int row = velocities; row < blocks; ++row) {
      settle(row);
      settle_forced();
    }
  }

  Ints leader;  // the velocity block given to a row block, or none

 private:
  bool can(int row, int v) const {
    return v < static_cast<int>(freedom_.size()) && freedom_[at(v)] >= sizes_[at(row)];
  }
  void settle_forced() {
    while (!forced_.empty()) {
      const int row = forced_.back();
      forced_.pop_back();
      settle(row);
    }
  }
  void settle(int row) {
    if (leader[at(row)] != none) return;
    int best = none;
    for (int v : graph_[at(row)])
      if (can(row, v) && (best == none || freedom_[at(v)] > freedom_[at(best)])) best = v;
    if (best == none) return;
    leader[at(row)] = best;
    const int before = freedom_[at(best)], after = before - sizes_[at(row)];
    freedom_[at(best)] = after;
    for (int other : graph_[at(best)])
      if (leader[at(other)] == none && sizes_[at(other)] <= before && sizes_[at(other)] > after)
        if (--choices_[at(other)] == 1) forced_.push_back(other);
  }

  const Graph& graph_;
  std::span<const int> sizes_;
  Ints freedom_, choices_, forced_;
};

// Approximate minimum degree of the graph in which each row is one with its leader or, without one, with the
// velocity block that is likeliest to be the last of its own: that of most neighbours. Gives the sequence of
// the other blocks.
Ints minimum_degree(const Graph& graph, Ints leader, int velocities) {
  const int blocks = static_cast<int>(graph.size());
  for (int row = velocities; row < blocks; ++row) {
    if (leader[at(row)] != none) continue;
    std::size_t most = 0;
    for (int v : graph[at(row)])
      if (v < velocities && graph[at(v)].size() > most) {
        leader[at(row)] = v;
        most = graph[at(v)].size();
      }
  }
  const auto node = [&](int b) { return leader[at(b)] == none ? b : leader[at(b)]; };
  std::vector<Eigen::Triplet<double, int>> pattern;
  for (int b = 0; b < blocks; ++b) {
    pattern.emplace_back(b, b, 1.0);
    for (int other : graph[at(b)]) pattern.emplace_back(node(b), node(other), 1.0);
  }
  Eigen::SparseMatrix<double> symmetric(blocks, blocks);
  symmetric.setFromTriplets(pattern.begin(), pattern.end());
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> permutation(blocks);
  if (blocks > 0) Eigen::AMDOrdering<int>()(symmetric, permutation);
  // Eigen's AMD returns, at each place of the order, the node that stands there.
  Ints sequence;
  for (int k = 0; k < blocks; ++k)
    if (const int b = permutation.indices()[k]; leader[at(b)] == none) sequence.push_back(b);
  return sequence;
}

// Place of each block: a row follows its leader at once, or, without one, the last of its velocity blocks.
Ints sequence_blocks(const Graph& graph, const Ints& leader, int velocities) {
  Ints waits(graph.size(), 0), position(graph.size(), none);
  const int blocks = static_cast<int>(graph.size());
  for (int b = velocities; b < blocks; ++b)
    for (int other : graph[at(b)]) waits[at(b)] += other < velocities;
  int next = 0;
  const auto put = [&](int b) {
    position[at(b)] = next++;
    if (b >= velocities) return;
    for (int row : graph[at(b)]) {
      if (row < velocities || position[at(row)] != none) continue;
      --waits[at(row)];
      if (leader[at(row)] == b || (leader[at(row)] == none && waits[at(row)] == 0))
        position[at(row)] = next++;
    }
  };
  for (int b : minimum_degree(graph, leader, velocities)) put(b);
  HARDPAN_CHECK(next == blocks, "a block has no place in the order");
  return position;
}

Tree eliminate(const Ints& position, std::span<const BlockPlace> places) {
  Tree tree{Ints(position.size(), none), std::vector<Ints>(position.size())};
  for (const BlockPlace& p : places) {
    const int a = position[at(p.row)], b = position[at(p.column)];
    if (a != b) tree.rows[at(std::min(a, b))].push_back(std::max(a, b));
  }
  for (std::size_t j = 0; j < position.size(); ++j) {
    Ints& rows = tree.rows[j];
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    if (rows.empty()) continue;
    tree.parent[j] = rows.front();
    Ints& above = tree.rows[at(rows.front())];
    above.insert(above.end(), rows.begin() + 1, rows.end());
  }
  return tree;
}

// Among the children of a column, the one with the longest pattern comes last: it is the likeliest to join
// it.
Ints postorder(const Tree& tree) {
  const std::size_t n = tree.parent.size();
  Ints longest_first(n), first_child(n, none), sibling(n, none), place(n, none), path;
  std::iota(longest_first.begin(), longest_first.end(), 0);
  std::stable_sort(longest_first.begin(), longest_first.end(),
                   [&](int a, int b) { return tree.rows[at(a)].size() > tree.rows[at(b)].size(); });
  for (int j : longest_first)
    if (const int parent = tree.parent[at(j)]; parent != none) {
      sibling[at(j)] = first_child[at(parent)];
      first_child[at(parent)] = j;
    }
  int next = 0;
  for (std::size_t root = 0; root < n; ++root) {
    if (tree.parent[root] != none) continue;
    path.push_back(static_cast<int>(root));
    while (!path.empty()) {
      const int j = path.back(), child = first_child[at(j)];
      if (child != none) {
        first_child[at(j)] = sibling[at(child)];
        path.push_back(child);
      } else {
        place[at(j)] = next++;
        path.pop_back();
      }
    }
  }
  return place;
}

// A pattern lists ancestors of its column only, and a postorder keeps their sequence: it stays ascending.
Tree renumber(Tree tree, const Ints& place) {
  Tree moved{Ints(place.size()), std::vector<Ints>(place.size())};
  for (std::size_t j = 0; j < place.size(); ++j) {
    const int parent = tree.parent[j];
    for (int& row : tree.rows[j]) row = place[at(row)];
    moved.parent[at(place[j])] = parent == none ? none : place[at(parent)];
    moved.rows[at(place[j])] = std::move(tree.rows[j]);
  }
  return moved;
}

// Numbers that a panel stores: all of its triangle and of the rows below, zeros included.
struct PanelCells {
  double width = 0;
  double nonzero = 0;

  // Whether to add a column of `size` unknowns with `below` of them under it. A few zeros cost less than
  // another pass over a panel.
  bool accepts(int size, int below) const {
    const double wide = width + size, cells = wide * (wide + 1) / 2 + wide * below;
    const double zeros = cells - nonzero - column(size, below);
    return zeros == 0 || (wide <= 24 && zeros <= 0.1 * cells);
  }
  void add(int size, int below) {
    width += size;
    nonzero += column(size, below);
  }
  static double column(double size, double below) { return size * (size + 1) / 2 + size * below; }
};

void join_panels(const Tree& tree, const Ints& sizes, BlockOrder& order) {
  PanelCells panel;
  const auto close = [&](int end) {
    if (end > 0)
      order.rows.insert(order.rows.end(), tree.rows[at(end - 1)].begin(), tree.rows[at(end - 1)].end());
    order.panel_start.push_back(end);
    order.row_start.push_back(static_cast<int>(order.rows.size()));
  };
  const int blocks = static_cast<int>(sizes.size());
  for (int j = 0; j < blocks; ++j) {
    int below = 0;
    for (int i : tree.rows[at(j)]) below += sizes[at(i)];
    const bool joins = j > 0 && tree.parent[at(j - 1)] == j && panel.accepts(sizes[at(j)], below);
    if (!joins) {
      close(j);
      panel = {};
    }
    panel.add(sizes[at(j)], below);
  }
  if (blocks > 0) close(blocks);
}

}  // namespace

BlockOrder order_blocks(std::span<const int> sizes, std::span<const BlockPlace> places, int velocities) {
  BlockOrder order;
  const Graph graph = neighbours(static_cast<int>(sizes.size()), places);
  const Matching matching(sizes, velocities, graph);
  order.position = sequence_blocks(graph, matching.leader, velocities);
  Tree tree = eliminate(order.position, places);
  const Ints place = postorder(tree);
  tree = renumber(std::move(tree), place);
  Ints moved_sizes(sizes.size());
  for (std::size_t b = 0; b < sizes.size(); ++b) {
    order.position[b] = place[at(order.position[b])];
    moved_sizes[at(order.position[b])] = sizes[b];
  }
  join_panels(tree, moved_sizes, order);
  return order;
}

}  // namespace hardpan::solve
