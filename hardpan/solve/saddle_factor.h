// Solves the linear system of a given set of held rows,
//     [ A   G_f^T   ] [ v         ]   [ p + G_h^T lambda_h ]
//     [ G_f -Sigma_f] [ -lambda_f ] = [ q_f                ]        f: free rows, h: held rows, lambda_h
//     given
// by LDL^T of this symmetric quasi-definite matrix and iterative refinement (Golub & Van Loan, Matrix
// Computations, section 3.5). Held rows stay in the pattern, with G = 0 and -1 on the diagonal, so that the
// symbolic factorisation lasts as long as the pattern of the whole problem.
//
// This is the only place that knows which factorisation is used.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "hardpan/solve/active_set.h"
#include "hardpan/solve/block_ldlt.h"
#include "hardpan/solve/row_table.h"

namespace hardpan::solve {

class SaddleFactor {
 public:
  explicit SaddleFactor(int refinement = 1) : refinement_(refinement) {}

  // Takes over pattern and numbers of a problem; analyses only a pattern it did not see last time.
  void assemble(const Problem& problem, const RowTable& rows);
  // Numbers that have not changed keep their factors. False when a pivot is zero or not finite.
  [[nodiscard]] bool factor(std::span<const RowState> states);
  // lambda of held rows comes in, everything else goes out. Refines further than asked for while that pays
  // and the residual is not yet at rounding. Returns the largest residual, relative to the sum of the
  // absolute values that it is the difference of.
  [[nodiscard]] double solve(const Problem& problem, const RowTable& rows, std::span<const RowState> states,
                             std::span<double> v, std::span<double> lambda);
  // x := what velocities answer to the momenta x, without q and with the impulses of held rows zero.
  void precondition(std::span<double> x);
  // Of the last solution: p - (A v - G^T lambda), and w = G v + Sigma lambda - q.
  std::span<const double> momentum_residual() const { return std::span(residual_).first(velocities_); }
  std::span<const double> row_residual() const { return std::span(residual_).subspan(velocities_); }

 private:
  void add_rows(const RowTable& rows, std::size_t first, std::size_t count);
  void residual(const Problem& problem, std::span<const double> v, std::span<const double> lambda);
  double relative_residual(const Problem& problem, const RowTable& rows, std::span<const RowState> states,
                           std::span<const double> v, std::span<const double> lambda);
  void correct(std::span<const RowState> states, std::span<double> v, std::span<double> lambda);

  // Consecutive rows over the same velocity blocks form one block of unknowns.
  struct RowBlock {
    std::size_t first;   // row
    std::size_t count;   // of rows
    std::size_t values;  // where its part of values_ begins: G of each term, then the diagonal
  };

  int refinement_;
  bool analysed_ = false;
  std::size_t velocities_ = 0, total_ = 0;
  BlockLdlt ldlt_;
  std::vector<int> sizes_, known_sizes_;
  std::vector<BlockLdlt::Place> places_, known_places_;
  std::vector<RowBlock> row_blocks_;
  std::vector<double> values_, factored_;  // without and with held rows
  std::vector<double> last_;               // factored before that
  bool has_factor_ = false;
  std::vector<double> residual_, correction_, scale_;
};

}  // namespace hardpan::solve
