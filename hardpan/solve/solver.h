// What every solver of the one problem (problem.h) has in common.
#pragma once

#include <memory>
#include <string>

#include "hardpan/solve/problem.h"

namespace hardpan::solve {

// Largest absolute residuals of the two block rows.
struct Residual {
  double momentum = 0;  // of A v - G^T lambda = p, in N s or N m s
  double velocity = 0;  // of the rows, as row_error() sees them, in m/s or rad/s
};

struct [[nodiscard]] SolveReport {
  bool ok = true;
  std::string reason;     // why not
  bool converged = true;  // false: an iteration stopped at its limit, with the residual below
  int iterations = 0;     // solutions of a linear system, or sweeps
  int factorisations = 0;
  Residual residual;

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
  // lambda comes in as a guess. Never throws on numbers, whatever they are, and always ends: what cannot be
  // solved is reported.
  virtual SolveReport solve(const Problem& problem, std::span<double> v, std::span<double> lambda) = 0;
};

enum class SolverKind { direct, newton, pgs };

struct SolverOptions {
  SolverKind kind = SolverKind::direct;
  int refinement = 1;        // direct, newton: steps of iterative refinement per linear system
  int max_iterations = 0;    // 0: the solver's own
  double tolerance = 1e-10;  // newton, pgs: of the rows, m/s or rad/s
  bool matrix_free = false;  // newton: conjugate gradients instead of a factorisation
};

std::unique_ptr<Solver> make_solver(const SolverOptions& options);

}  // namespace hardpan::solve
