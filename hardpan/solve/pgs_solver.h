// Projected Gauss-Seidel: row after row, forwards and backwards in turn,
//     lambda_i := clamp(lambda_i - w_i / D_i),   D_i = Sigma_i + G_i A^-1 G_i^T,   v += A^-1 G_i^T d
//     lambda_i,
// with w_i = G_i v + Sigma_i lambda_i - q_i of the present v. Coordinate descent on the dual quadratic
// 1/2 lambda^T (G A^-1 G^T + Sigma) lambda - ... over the box; it converges for every start since the matrix
// is positive definite (Cryer, "The solution of a quadratic programming problem using systematic
// overrelaxation", SIAM J. Control 9 (1971) 385-392), at a rate that stiff rows and mass ratios spoil: errors
// travel one row per sweep. Cheap, needs no factorisation, always returns impulses within their bounds.
#pragma once

#include "hardpan/solve/noise.h"
#include "hardpan/solve/row_table.h"
#include "hardpan/solve/solver.h"

namespace hardpan::solve {

class PgsSolver final : public Solver {
 public:
  // max_iterations 0: 2000 sweeps.
  explicit PgsSolver(const SolverOptions& options = {.kind = SolverKind::pgs});

  SolveReport solve(const Problem& problem, std::span<double> v, std::span<double> lambda) override;

 private:
  void prepare(const Problem& problem);
  void velocities(const Problem& problem, std::span<double> v, std::span<const double> lambda);
  double relax(std::size_t row, std::span<double> v, std::span<double> lambda) const;
  double sweep(bool forward, std::span<double> v, std::span<double> lambda) const;

  SolverOptions options_;
  RowTable rows_;
  Noise noise_;
  std::vector<double> response_;  // A^-1 G_i^T, laid out as G
  std::vector<double> diagonal_;  // D
};

}  // namespace hardpan::solve
