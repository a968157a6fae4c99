// What every solver of the one problem (problem.h) has in common.
//
// How far from the exact solution (v*, lambda*) is a result with momentum residual r and row errors e?
// Whatever the solver, if lambda is within its bounds,
//     |v - v*|_A^2 + |lambda - lambda*|_Sigma^2  <=  r^T A^-1 r + sum_i e_i^2 / Sigma_i,  |x|_M^2 = x^T M x,
// because the result solves exactly the problem with p - r and q + e, and the problem is monotone. So a row
// error of 1e-10 m/s in a row of Sigma = 1e-8 m/s per N s may hide an impulse of 1e-2 N s.
//
//     direct   exact but for rounding; `tolerance` is not used. Not converged: its pivoting reached the
//     limit. newton   assembled: as direct. Matrix-free: every row error, and every momentum residual over
//     the
//              diagonal of A (the velocity it stands for), is at most `tolerance` or at rounding (noise.h).
//     pgs      the same test as newton matrix-free. Its momentum residual is always at rounding.
//     split    the same test.
//     apgd     the same test, and the momentum residual is always at rounding.
//     pgs, apgd with `impulse_tolerance`: the error of impulse_error.h is at most that, and nothing else.
//
// With cones, the test is the same for all, the row errors being those of the law (friction.h). The bound
// above holds for the convex law only: the others are not monotone.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "hardpan/solve/problem.h"

namespace hardpan::solve {

// Largest absolute residuals of the two block rows.
struct Residual {
  double momentum = 0;  // of A v - G^T lambda = p, in N s or N m s
  double velocity = 0;  // of the rows, as row_error() sees them, in m/s or rad/s
  double impulse = 0;   // of impulse_error.h, N s; where a tolerance asks for it

  // The larger ones.
  void include(const Residual& other) {
    momentum = momentum > other.momentum ? momentum : other.momentum;
    velocity = velocity > other.velocity ? velocity : other.velocity;
    impulse = impulse > other.impulse ? impulse : other.impulse;
  }
};

// What the rows of cones obey (friction.h).
enum class Friction { cone, box, convex };

struct [[nodiscard]] SolveReport {
  bool ok = true;
  std::string reason;        // why not
  bool converged = true;     // false: an iteration stopped at its limit, with the residual below
  int iterations = 0;        // solutions of a linear system (refinement not counted), or sweeps
  int inner_iterations = 0;  // newton, matrix-free: products of all its conjugate gradients
  int factorisations = 0;
  Residual residual;
  std::optional<Friction> friction;  // the law that was solved; none: the problem has no cones

  // Another solve of the same step, an impact.
  void include(const SolveReport& other) {
    converged = converged && other.converged;
    iterations += other.iterations;
    inner_iterations += other.inner_iterations;
    factorisations += other.factorisations;
    if (!friction) friction = other.friction;
    residual.include(other.residual);
  }

  static SolveReport failure(std::string why) {
    SolveReport report;
    report.ok = report.converged = false;
    report.reason = std::move(why);
    return report;
  }
};

class Solver {
 public:
  virtual ~Solver() = default;
  // lambda comes in as a guess, and so does v where there are soft rows. Never throws on numbers, whatever
  // they are, and always ends: what cannot be solved is reported.
  virtual SolveReport solve(const Problem& problem, std::span<double> v, std::span<double> lambda) = 0;
};

enum class SolverKind { direct, newton, pgs, split, apgd };

struct SolverOptions {
  SolverKind kind = SolverKind::direct;
  int refinement = 1;  // direct, newton: steps of iterative refinement per linear system
  // 0: the solver's own (direct 500, newton 200, pgs 2000, split 200, apgd 10,000)
  int max_iterations = 0;
  double tolerance = 1e-10;      // newton, pgs, split, apgd, and all with cones: of the rows, m/s or rad/s
  double impulse_tolerance = 0;  // pgs, apgd: above 0, of impulse_error.h instead, N s
  bool matrix_free = false;      // newton: conjugate gradients instead of a factorisation
  bool scaled = true;            // apgd: contacts in units of their own
  Friction friction = Friction::cone;
};

std::unique_ptr<Solver> make_solver(const SolverOptions& options);

}  // namespace hardpan::solve
