// The direct solver, the reference for accuracy: block principal pivoting over sets of held rows, each with
// an exact solution of its linear system, and a descent that always ends where pivoting would cycle
// (pivoting.h). Without bounds it is one factorisation.
//
// With cones (friction.h): the radii of friction are iterated (radius_loop.h). For boxes they are bounds like
// any other. For Coulomb's cone the rows of a contact that slides are turned along its sliding, with the
// radius for a bound, and across it with the compliance of turning on the rim (a piece of friction_map.h):
// pivoting solves that, and gives the next directions. The convex law is refused: it is newton's.
#pragma once

#include "hardpan/solve/cone_newton.h"
#include "hardpan/solve/friction_map.h"
#include "hardpan/solve/pivoting.h"
#include "hardpan/solve/radius_loop.h"
#include "hardpan/solve/row_table.h"
#include "hardpan/solve/solver.h"

namespace hardpan::solve {

class DirectSolver final : public Solver {
 public:
  // max_iterations 0: 500 sets (for each round of radii).
  explicit DirectSolver(const SolverOptions& options = {});

  SolveReport solve(const Problem& problem, std::span<double> v, std::span<double> lambda) override;

 private:
  void cones(const Problem& problem, std::span<double> v, std::span<double> lambda, SolveReport& report);
  void boxes(const Problem& problem, std::span<double> v, std::span<double> lambda, SolveReport& report);
  void turned(const Problem& problem, std::span<double> v, std::span<double> lambda, SolveReport& report);

  SolverOptions options_;
  RowTable rows_;
  Pivoting pivoting_;
  ConeNewton convex_;  // where the law has no solution that can be found
  FrictionMap map_;
  RadiusLoop loop_;
  Problem piece_;
  RowTable table_;
  std::vector<double> s_, w_, r_, piece_lambda_;
};

}  // namespace hardpan::solve
