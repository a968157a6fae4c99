// The direct solver: sparse LDL^T of the symmetric form
//     [ A   G^T   ] [ v       ]   [ p ]
//     [ G  -Sigma ] [ -lambda ] = [ q ]
// followed by steps of iterative refinement, which matter when Sigma is very small. It is the accuracy
// reference.
#pragma once

#include "hardpan/solve/solver.h"
#include "hardpan/solve/sparse_ldlt.h"

namespace hardpan::solve {

class DirectSolver final : public Solver {
 public:
  explicit DirectSolver(int refinement_steps = 1) : refinement_steps_(refinement_steps) {}

  SolveReport solve(const Problem& problem, std::span<double> v, std::span<double> lambda) override;

 private:
  class Collector;
  [[nodiscard]] SolveReport factor(const Problem& problem);

  int refinement_steps_;
  bool analysed_ = false;
  SparseLdlt ldlt_;
  std::vector<SparseLdlt::Place> places_, known_places_;
  std::vector<double> values_, unknowns_, residual_;
};

}  // namespace hardpan::solve
