#include "hardpan/solve/direct_solver.h"

namespace hardpan::solve {
namespace {

constexpr int default_sets = 500;
constexpr int patience = 3;

}  // namespace

DirectSolver::DirectSolver(int refinement_steps, int max_iterations)
    : max_iterations_(max_iterations > 0 ? max_iterations : default_sets),
      pivoting_(refinement_steps, patience) {}

SolveReport DirectSolver::solve(const Problem& problem, std::span<double> v, std::span<double> lambda) {
  if (std::string fault = rows_.gather(problem); !fault.empty())
    return SolveReport::failure(std::move(fault));
  SolveReport report;
  pivoting_.solve(problem, rows_, max_iterations_, v, lambda, report);
  if (report.ok) rows_.judge(problem, Friction::cone, v, lambda, report);
  return report;
}

}  // namespace hardpan::solve
