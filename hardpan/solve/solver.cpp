#include "hardpan/solve/solver.h"

#include "hardpan/core/error.h"
#include "hardpan/solve/apgd_solver.h"
#include "hardpan/solve/direct_solver.h"
#include "hardpan/solve/newton_solver.h"
#include "hardpan/solve/pgs_solver.h"
#include "hardpan/solve/split_solver.h"

namespace hardpan::solve {

std::unique_ptr<Solver> make_solver(const SolverOptions& options) {
  switch (options.kind) {
    case SolverKind::direct:
      return std::make_unique<DirectSolver>(options);
    case SolverKind::newton:
      return std::make_unique<NewtonSolver>(options);
    case SolverKind::pgs:
      return std::make_unique<PgsSolver>(options);
    case SolverKind::split:
      return std::make_unique<SplitSolver>(options);
    case SolverKind::apgd:
      return std::make_unique<ApgdSolver>(options);
  }
  HARDPAN_CHECK(false, "no such solver");
  return nullptr;
}

}  // namespace hardpan::solve
