// The direct solver: sparse LDL^T of the symmetric form
//     [ A   G^T   ] [ v       ]   [ p ]
//     [ G  -Sigma ] [ -lambda ] = [ q ]
// followed by steps of iterative refinement, which matter when Sigma is very small. It is the accuracy
// reference.
#pragma once

#include <string>

#include "hardpan/solve/problem.h"
#include "hardpan/solve/sparse_ldlt.h"

namespace hardpan::solve {

// Largest absolute residuals of the two block rows.
struct Residual {
  double momentum = 0;  // N s, N m s
  double velocity = 0;  // m/s, rad/s
};

struct SolveReport {
  bool ok = true;
  std::string reason;  // why not
  int iterations = 0;
  Residual residual;
};

class DirectSolver {
 public:
  explicit DirectSolver(int refinement_steps = 1) : refinement_steps_(refinement_steps) {}

  [[nodiscard]] SolveReport solve(const Problem& problem, std::span<double> v, std::span<double> lambda);

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
