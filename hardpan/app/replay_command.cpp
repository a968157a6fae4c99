// Solves the stored equations of a step again by every solver, each beside the first that converged.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fstream>

#include <fmt/core.h>

#include "hardpan/app/commands.h"
#include "hardpan/solve/solver.h"

namespace hardpan::app {
namespace {

struct Choice {
  std::string_view name;
  solve::SolverOptions options;
  bool knows_convex;
};
const Choice choices[] = {
    {"direct", {.kind = solve::SolverKind::direct}, false},
    {"newton", {.kind = solve::SolverKind::newton}, true},
    {"newton-cg", {.kind = solve::SolverKind::newton, .matrix_free = true}, true},
    {"pgs", {.kind = solve::SolverKind::pgs}, true},
    {"split", {.kind = solve::SolverKind::split}, false},
    {"apgd", {.kind = solve::SolverKind::apgd}, true},
};

struct Law {
  std::string_view name;
  solve::Friction friction;
};
constexpr Law laws[] = {
    {"cone", solve::Friction::cone}, {"box", solve::Friction::box}, {"convex", solve::Friction::convex}};

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

std::vector<Choice> choose(const ReplayArguments& arguments) {
  for (const std::string& name : arguments.solvers)
    if (std::ranges::find(choices, name, &Choice::name) == std::end(choices))
      throw InputError(
          fmt::format("no solver named '{}'; allowed: direct, newton, newton-cg, pgs, split, apgd", name));
  const auto law = std::ranges::find(laws, arguments.friction, &Law::name);
  if (law == std::end(laws))
    throw InputError(
        fmt::format("no law of friction named '{}'; allowed: cone, box, convex", arguments.friction));
  std::vector<Choice> chosen;
  for (Choice choice : choices) {
    const bool knows = law->friction != solve::Friction::convex || choice.knows_convex;
    const bool named = std::ranges::count(arguments.solvers, choice.name) > 0;
    if (arguments.solvers.empty() ? !knows : !named) continue;
    choice.options.friction = law->friction;
    choice.options.tolerance = arguments.tolerance;
    choice.options.max_iterations = arguments.iterations;
    chosen.push_back(choice);
  }
  return chosen;
}

solve::StoredProblem read(const std::string& file) {
  std::ifstream in(file);
  if (!in) throw IoError(fmt::format("{}: cannot be opened", file));
  try {
    return solve::read_problem(in);
  } catch (const IoError& error) {
    throw IoError(fmt::format("{}: {}", file, error.what()));
  }
}

}  // namespace

ExitCode replay_command(const ReplayArguments& arguments) {
  const std::vector<Choice> chosen = choose(arguments);
  const solve::StoredProblem stored = read(arguments.file);
  const solve::Problem& problem = stored.problem;
  fmt::print("{} velocities in {} blocks, {} rows ({} with bounds)\n\n", problem.velocities(),
             problem.blocks().size(), problem.rows(), bounded_rows(problem));
  fmt::print("{:<10} {:>10} {:>8} {:>10} {:>12} {:>12} {:>12} {:>12}\n", "solver", "result", "solves",
             "time, ms", "momentum", "rows, m/s", "v - first", "impulse -");
  std::optional<Solution> first;  // that converged
  bool fine = true;
  for (const Choice& choice : chosen) {
    Solution s = solved(problem, choice.options);
    fine = fine && s.report.ok;
    if (!s.report.ok) {
      fmt::print("{:<10} {:>10}  {}\n", choice.name, "failed", s.report.reason);
      continue;
    }
    fmt::print("{:<10} {:>10} {:>8} {:>10.3f} {:>12.2e} {:>12.2e}", choice.name,
               s.report.converged ? "converged" : "stopped", s.report.iterations, 1e3 * s.seconds,
               s.report.residual.momentum, s.report.residual.velocity);
    if (!first && s.report.converged) first = s;
    if (first)
      fmt::print(" {:>12.2e} {:>12.2e}", largest_difference(s.v, first->v),
                 largest_difference(s.lambda, first->lambda));
    fmt::print("\n");
    std::fflush(stdout);
  }
  return fine ? ExitCode::done : ExitCode::diverged;
}

}  // namespace hardpan::app
