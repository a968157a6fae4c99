// The one problem as the minimum of a strictly convex function of v alone, by a semismooth Newton method:
//     f(v) = 1/2 v^T A v - p^T v + sum_i phi_i(G_i v),      phi_i' = -lambda_i,
//     s_i(v) = (q_i - G_i v) / Sigma_i,   lambda_i = clamp(s_i, lower_i, upper_i),
//     phi_i = lambda_i (q_i - G_i v) - Sigma_i lambda_i^2 / 2.
// f is quadratic in pieces and its gradient, A v - p - G^T lambda, continuous. A step minimises the piece at
// hand: Hessian A + G_f^T Sigma_f^-1 G_f over the rows f that are inside their bounds; then goes to the exact
// minimum along that direction (primal_path.h, ray_search.h). It ends after finitely many steps: Sun, "On
// piecewise quadratic Newton and trust region problems", Math. Programming 76 (1997) 451-467.
//
// Assembled, a step is solved in saddle form (saddle_factor.h): never through Sigma^-1, which would square
// the condition of stiff rows. It ends, as the direct solver does, with the exact solution of the right
// piece. Matrix-free, it is solved by conjugate gradients (primal_cg.h) and ends when the momentum residual,
// over the diagonal of A, is below the tolerance. Problems with soft rows, solids of particles, have a way of
// their own (soft_newton.h).
//
// With cones (friction.h): the convex law is the minimum of a function of this kind, too, whose pieces are
// not quadratic (cone_newton.h). The other laws are a sequence of such minima (radius_loop.h), each of which
// goes on from the one before.
#pragma once

#include "hardpan/solve/active_set.h"
#include "hardpan/solve/cone_newton.h"
#include "hardpan/solve/noise.h"
#include "hardpan/solve/pivoting.h"
#include "hardpan/solve/primal_cg.h"
#include "hardpan/solve/primal_path.h"
#include "hardpan/solve/radius_loop.h"
#include "hardpan/solve/row_table.h"
#include "hardpan/solve/soft_newton.h"
#include "hardpan/solve/solver.h"

namespace hardpan::solve {

class NewtonSolver final : public Solver {
 public:
  // max_iterations 0: 200 steps.
  explicit NewtonSolver(const SolverOptions& options = {.kind = SolverKind::newton});

  SolveReport solve(const Problem& problem, std::span<double> v, std::span<double> lambda) override;

 private:
  void matrix_free(const Problem& problem, std::span<double> v, std::span<double> lambda,
                   SolveReport& report);
  void cones(const Problem& problem, std::span<double> v, std::span<double> lambda, SolveReport& report);
  bool cg_step(const Problem& problem, SolveReport& report);

  SolverOptions options_;
  RowTable rows_;
  Noise noise_;
  Pivoting pivoting_;
  ActiveSet set_;
  PrimalCg cg_;
  PrimalPath path_;
  std::vector<double> d_;
  std::vector<RowState> states_;  // of the step before
  FrictionMap map_;
  ConeNewton cone_newton_;
  RadiusLoop loop_;
  SoftNewton soft_newton_;
};

// f(v) and its gradient.
double primal_objective(const Problem& problem, std::span<const double> v);
void primal_gradient(const Problem& problem, std::span<const double> v, std::span<double> gradient);

}  // namespace hardpan::solve
