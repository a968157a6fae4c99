// Solves the stored equations of a step again: by every solver, beside the direct one.
#include <chrono>
#include <cmath>
#include <fstream>

#include <fmt/core.h>

#include "hardpan/app/commands.h"
#include "hardpan/solve/solver.h"

namespace hardpan::app {
namespace {

struct Choice {
  const char* name;
  solve::SolverOptions options;
};
const Choice choices[] = {
    {"direct", {.kind = solve::SolverKind::direct}},
    {"newton", {.kind = solve::SolverKind::newton}},
    {"newton-cg", {.kind = solve::SolverKind::newton, .matrix_free = true}},
    {"pgs", {.kind = solve::SolverKind::pgs}},
    {"split", {.kind = solve::SolverKind::split}},
    {"apgd", {.kind = solve::SolverKind::apgd}},
};

struct Solution {
  solve::SolveReport report;
  std::vector<double> v, lambda;
  double seconds = 0;
};

Solution solved(const solve::Problem& problem, const solve::SolverOptions& options) {
  Solution s;
  s.v.assign(problem.velocities(), 0.0);
  s.lambda.assign(problem.rows(), 0.0);
  problem.start(s.lambda);
  const auto start = std::chrono::steady_clock::now();
  s.report = solve::make_solver(options)->solve(problem, s.v, s.lambda);
  s.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return s;
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

std::size_t bounded_rows(const solve::Problem& problem) {
  std::size_t count = 0;
  for (const solve::RowGroup* group : problem.groups())
    for (std::size_t i = 0; i < group->rows(); ++i)
      if (group->lower()[i] > -solve::unbounded || group->upper()[i] < solve::unbounded) ++count;
  return count;
}

}  // namespace

ExitCode replay_command(const std::string& file, const std::string& only) {
  bool known = only.empty();
  for (const Choice& choice : choices) known = known || only == choice.name;
  if (!known)
    throw InputError(
        fmt::format("no solver named '{}'; allowed: direct, newton, newton-cg, pgs, split, apgd", only));
  std::ifstream in(file);
  if (!in) throw IoError(fmt::format("{}: cannot be opened", file));
  const solve::StoredProblem stored = [&] {
    try {
      return solve::read_problem(in);
    } catch (const IoError& error) {
      throw IoError(fmt::format("{}: {}", file, error.what()));
    }
  }();
  const solve::Problem& problem = stored.problem;
  fmt::print("{} velocities in {} blocks, {} rows ({} with bounds)\n\n", problem.velocities(),
             problem.blocks().size(), problem.rows(), bounded_rows(problem));
  fmt::print("{:<10} {:>10} {:>8} {:>10} {:>12} {:>12} {:>12} {:>12}\n", "solver", "result", "solves",
             "time, ms", "momentum", "rows, m/s", "v - direct", "impulse -");
  const Solution direct = solved(problem, choices[0].options);
  bool fine = true;
  for (const Choice& choice : choices) {
    if (!only.empty() && only != choice.name) continue;
    const Solution s = solved(problem, choice.options);
    fine = fine && s.report.ok;
    if (!s.report.ok) {
      fmt::print("{:<10} {:>10}  {}\n", choice.name, "failed", s.report.reason);
      continue;
    }
    fmt::print("{:<10} {:>10} {:>8} {:>10.3f} {:>12.2e} {:>12.2e} {:>12.2e} {:>12.2e}\n", choice.name,
               s.report.converged ? "converged" : "stopped", s.report.iterations, 1e3 * s.seconds,
               s.report.residual.momentum, s.report.residual.velocity, largest_difference(s.v, direct.v),
               largest_difference(s.lambda, direct.lambda));
  }
  return fine ? ExitCode::done : ExitCode::diverged;
}

}  // namespace hardpan::app
