// Sparse LDL^T of a symmetric quasi-definite matrix, P A P^T = L D L^T with unit lower triangular L and
// diagonal D.
//
// Such a matrix has this factorisation for every symmetric permutation (Vanderbei 1995), so the order is
// chosen once to keep L sparse (approximate minimum degree) and no numerical pivoting is needed. The pattern
// is analysed once and kept while it lasts. Up-looking factorisation along the elimination tree: T. Davis,
// Direct Methods for Sparse Linear Systems, SIAM 2006, chapter 4.
#pragma once

#include <span>
#include <vector>

namespace hardpan::solve {

class SparseLdlt {
 public:
  struct Place {
    int row;
    int column;
  };

  // The pattern: each place of the upper triangle (row <= column) that may be nonzero; repeated places add
  // up.
  void analyse(int size, std::span<const Place> places);
  // One value per place, in the same order. False when a pivot is zero or not finite.
  [[nodiscard]] bool factor(std::span<const double> values);
  void solve(std::span<double> x) const;  // x := A^-1 x

  int size() const { return size_; }
  // Pivot of unknown i, in the caller's numbering: its sign tells definiteness.
  double pivot(int i) const {
    return pivot_[static_cast<std::size_t>(position_[static_cast<std::size_t>(i)])];
  }

 private:
  using Ints = std::vector<int>;
  void order(std::span<const Place> places);
  void compress(std::span<const Place> places);
  void plan_factor();

  int size_ = 0;
  Ints position_;                      // unknown -> place in the elimination order
  Ints column_start_, row_index_;      // permuted upper triangle, by columns
  Ints slot_;                          // input place -> entry of the permuted triangle
  std::vector<double> upper_;          // its values
  Ints parent_;                        // elimination tree
  Ints start_, filled_, row_;          // L by columns
  std::vector<double> lower_, pivot_;  // values of L and D
  std::vector<double> work_;
  Ints mark_, path_;
  mutable std::vector<double> permuted_;
};

}  // namespace hardpan::solve
