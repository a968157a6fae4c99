// The split solver of MESHFREE 4.2.1, for machines on ground: in turn
//   (a) everything but friction, normals and their bounds included, directly (pivoting.h), friction being
//   given; (b) friction by sweeps of projected Gauss-Seidel, normals being given: lambda_t - w_t/rho brought
//   back to the disc
//       of radius mu lambda_n, or to the box (pgs_cells.h),
// until the errors of the law are within the tolerance, or for max_iterations rounds. Stiff chains cost no
// sweeps, as they do with pgs, and friction no factorisations, as it does with direct. But the two talk only
// by turns: where friction carries normals (wedges, grips, arches) rounds are many, and may not lead anywhere
// (the paper: further iterations do not necessarily reduce the errors). It keeps its best: the last round is
// what is returned.
#pragma once

#include "hardpan/solve/friction_map.h"
#include "hardpan/solve/noise.h"
#include "hardpan/solve/pivoting.h"
#include "hardpan/solve/row_table.h"
#include "hardpan/solve/solver.h"

namespace hardpan::solve {

class SplitSolver final : public Solver {
 public:
  // max_iterations 0: 200 rounds.
  explicit SplitSolver(const SolverOptions& options = {.kind = SolverKind::split});

  SolveReport solve(const Problem& problem, std::span<double> v, std::span<double> lambda) override;

 private:
  void prepare(const Problem& problem);
  void round(const Problem& problem, std::span<double> v, std::span<double> lambda, SolveReport& report);
  double sweep(std::span<double> v, std::span<double> lambda) const;
  double relax(const Disc& disc, double rho, std::span<double> v, std::span<double> lambda) const;

  SolverOptions options_;
  RowTable rows_;
  Noise noise_;
  Pivoting pivoting_;
  FrictionMap map_;
  std::vector<double> response_;  // A^-1 G^T of rows of friction, laid out as G
  std::vector<double> rho_;       // by discs
};

}  // namespace hardpan::solve
