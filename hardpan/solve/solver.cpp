#include "hardpan/solve/solver.h"

#include "hardpan/core/error.h"
#include "hardpan/solve/direct_solver.h"

namespace hardpan::solve {

std::unique_ptr<Solver> make_solver(const SolverOptions& options) {
  HARDPAN_CHECK(options.kind == SolverKind::direct, "no such solver yet");
  return std::make_unique<DirectSolver>(options.refinement);
}

}  // namespace hardpan::solve
