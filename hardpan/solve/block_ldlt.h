// Block-sparse LDL^T of a symmetric quasi-definite matrix, P A P^T = L D L^T with unit lower triangular L and
// diagonal D. The unknowns come in small dense blocks: the velocities of a body, the rows of a joint.
//
// Such a matrix has this factorisation for every symmetric permutation (Vanderbei 1995): no pivoting. Order
// and pattern of L follow from the graph of blocks, once (block_order.h). The columns of a panel s share
// their rows below and are stored densely. Right-looking, panel after panel in that order:
//     A_ss = L_ss D_s L_ss^T,   Y_s = A_bs L_ss^-T,   L_bs = Y_s D_s^-1,   A_bb -= L_bs Y_s^T
// where b are the rows below; the last product is subtracted straight from the panels where it belongs, whose
// places are known from the analysis. T. Davis, Direct Methods for Sparse Linear Systems, SIAM 2006, chapter
// 4; Ng & Peyton, Block sparse Cholesky algorithms, SIAM J. Sci. Comput. 14 (1993) 1034.
#pragma once

#include <span>
#include <vector>

#include "hardpan/solve/block_order.h"

namespace hardpan::solve {

class BlockLdlt {
 public:
  using Place = BlockPlace;

  // The pattern. sizes: unknowns of each block, numbered consecutively. places: blocks that may be nonzero,
  // in either triangle; repeated places, or a place and its transpose, add up. A diagonal block that is not
  // listed is zero before elimination. With velocity_blocks given, the first so many blocks are those of A
  // and the others rows: these then wait for their velocities, which keeps small Sigma accurate
  // (block_order.h).
  void analyse(std::span<const int> sizes, std::span<const Place> places, int velocity_blocks);
  void analyse(std::span<const int> sizes, std::span<const Place> places) {
    analyse(sizes, places, static_cast<int>(sizes.size()));
  }
  // For each place in order, its dense block, row-major, sizes[row] x sizes[column]; a diagonal block in
  // full. False when a pivot is zero or not finite. Never allocates, neither does solve.
  [[nodiscard]] bool factor(std::span<const double> values);
  void solve(std::span<double> x) const;  // x := A^-1 x

  int size() const { return size_; }
  // D of an unknown, in the caller's numbering: its sign tells definiteness.
  double pivot(int unknown) const {
    return pivot_[static_cast<std::size_t>(position_[static_cast<std::size_t>(unknown)])];
  }

  double factor_flops() const { return factor_flops_; }  // additions and multiplications of one factor()
  double solve_flops() const { return 4.0 * static_cast<double>(lower_.size()); }
  std::size_t factor_bytes() const { return sizeof(double) * lower_.size(); }

 private:
  struct Panel {
    int first;   // its first unknown, in the order of elimination
    int width;   // unknowns
    int rows;    // width, and those below
    int offset;  // of its entries in lower_, by columns
    int pieces;  // first and end in pieces_: the rows below, as runs of unknowns
    int pieces_end;
    int updates;  // first and end in updates_
    int updates_end;
  };
  // `length` consecutive rows of a panel, counted from the first below its triangle, and where they belong.
  struct Piece {
    int source;
    int target;
    int length;
  };
  // What a panel subtracts from some columns of a later one.
  struct Update {
    int source;  // rows below the triangle that become columns there
    int columns;
    int offset;  // in lower_, of the first of these columns
    int stride;
    int pieces;  // in pieces_: rows
    int pieces_end;
  };
  // Where an input block goes: to offset, with the stride of its panel.
  struct Input {
    int rows;
    int columns;
    int offset;
    int stride;
    bool transposed;
  };
  struct Layout;

  void lay_out(const Layout& layout);
  void plan_updates(const Layout& layout, int panel);
  void plan_update(const Layout& layout, std::span<const int> rows, std::size_t columns, int source);
  void add_piece(int first, const Piece& piece);
  void plan_input(const Layout& layout, std::span<const Place> places);
  void count_flops();
  void load(std::span<const double> values);
  bool factor_panel(const Panel& panel);
  void update_later(const Panel& panel);
  void forward(const Panel& panel) const;
  void backward(const Panel& panel) const;

  int size_ = 0;
  double factor_flops_ = 0;
  std::vector<int> position_;  // unknown -> place in the order of elimination
  std::vector<Panel> panels_;
  std::vector<Piece> pieces_;
  std::vector<Update> updates_;
  std::vector<Input> inputs_;
  std::vector<double> lower_;            // panels of L; above their diagonals undefined
  std::vector<double> pivot_, inverse_;  // D and 1/D
  std::vector<double> scaled_;           // L D of the present panel
  mutable std::vector<double> permuted_;
};

}  // namespace hardpan::solve
