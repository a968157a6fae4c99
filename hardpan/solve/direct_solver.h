// The direct solver, the reference for accuracy: block principal pivoting over sets of held rows, each with
// an exact solution of its linear system, and a descent that always ends where pivoting would cycle
// (pivoting.h). Without bounds it is one factorisation.
#pragma once

#include "hardpan/solve/pivoting.h"
#include "hardpan/solve/row_table.h"
#include "hardpan/solve/solver.h"

namespace hardpan::solve {

class DirectSolver final : public Solver {
 public:
  // max_iterations 0: 500 sets.
  explicit DirectSolver(int refinement_steps = 1, int max_iterations = 0);

  SolveReport solve(const Problem& problem, std::span<double> v, std::span<double> lambda) override;

 private:
  int max_iterations_;
  RowTable rows_;
  Pivoting pivoting_;
};

}  // namespace hardpan::solve
