// Conjugate gradients on the primal Hessian of a set of free rows,
//     (A + G_f^T Sigma_f^-1 G_f) d = r,
// with products through the groups' own apply() and apply_transpose(), preconditioned by the diagonal blocks
// of that matrix (block Jacobi). Hestenes & Stiefel 1952; Saad, Iterative Methods for Sparse Linear Systems,
// section 9.2. Every iterate, from zero, is a direction of descent.
#pragma once

#include <span>
#include <vector>

#include "hardpan/solve/active_set.h"
#include "hardpan/solve/row_table.h"

namespace hardpan::solve {

class PrimalCg {
 public:
  // Factors the diagonal blocks for a set of free rows. False if they are not positive definite.
  [[nodiscard]] bool prepare(const Problem& problem, const RowTable& rows, std::span<const RowState> states);
  // Until the residual's norm in the preconditioner has fallen by `reduction`, at most `cap` products.
  // Returns their number.
  int solve(const Problem& problem, const RowTable& rows, std::span<const RowState> states,
            std::span<const double> r, std::span<double> d, double reduction, int cap);

 private:
  void multiply(const Problem& problem, const RowTable& rows, std::span<const RowState> states,
                std::span<const double> x, std::span<double> out);
  void precondition(const Problem& problem);

  std::vector<double> blocks_;  // Cholesky factors, as laid out in A
  std::vector<double> residual_, preconditioned_, direction_, product_, on_rows_;
};

}  // namespace hardpan::solve
