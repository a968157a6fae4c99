// The order in which the blocks of a symmetric matrix are eliminated, and what the factor L then looks like.
//
// Approximate minimum degree on the graph of blocks, then the elimination tree in postorder. Column j of L
// has the pattern
//     L_j = A_j + union of L_c \ {j} over the children c of j,     parent(j) = min L_j
// (T. Davis, Direct Methods for Sparse Linear Systems, SIAM 2006, chapter 4). Neighbouring columns of nearly
// equal pattern become one panel, a supernode: Ng & Peyton, SIAM J. Sci. Comput. 14 (1993) 1034; joining with
// some explicit zeros: Ashcraft & Grimes, ACM Trans. Math. Softw. 15 (1989) 291.
//
// In [A G^T; G -Sigma] a row block eliminated before its velocities has the pivots -Sigma and leaves
// G^T Sigma^-1 G, in which a small Sigma drowns A. After a velocity block with enough freedom left, its
// pivots are those of -Sigma - G A^-1 G^T. So each row block is matched with such a velocity block and both
// are ordered as one: Duff & Pralet, SIAM J. Matrix Anal. Appl. 27 (2005) 313.
#pragma once

#include <span>
#include <vector>

namespace hardpan::solve {

struct BlockPlace {  // in either order
  int row;
  int column;
};

struct BlockOrder {
  std::vector<int> position;     // block -> its place in the order
  std::vector<int> panel_start;  // first place of each panel, and the number of blocks
  std::vector<int> row_start;    // of each panel in `rows`, and their number
  std::vector<int> rows;         // places below a panel that it is coupled with, ascending
};

// The first `velocities` blocks are velocities, the others rows.
BlockOrder order_blocks(std::span<const int> sizes, std::span<const BlockPlace> places, int velocities);

}  // namespace hardpan::solve
