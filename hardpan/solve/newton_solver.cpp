#include "hardpan/solve/newton_solver.h"

#include <algorithm>
#include <cmath>

namespace hardpan::solve {
namespace {

constexpr int default_steps = 200;
constexpr int most_products = 20'000;  // of all conjugate gradients of one solve

}  // namespace

NewtonSolver::NewtonSolver(const SolverOptions& options)
    : options_(options),
      pivoting_(options.refinement, /*patience=*/0),
      cone_newton_(options),
      soft_newton_(options) {
  if (options_.max_iterations <= 0) options_.max_iterations = default_steps;
}

SolveReport NewtonSolver::solve(const Problem& problem, std::span<double> v, std::span<double> lambda) {
  SolveReport report;
  if (options_.matrix_free && SoftRows::any(problem)) {
    soft_newton_.solve(problem, v, lambda, report);
    return report;
  }
  if (std::string fault = rows_.gather(problem); !fault.empty())
    return SolveReport::failure(std::move(fault));
  if (!rows_.contacts().empty())
    cones(problem, v, lambda, report);
  else if (options_.matrix_free)
    matrix_free(problem, v, lambda, report);
  else
    pivoting_.solve(problem, rows_, options_.max_iterations, v, lambda, report);
  if (report.ok) rows_.judge(problem, options_.friction, v, lambda, report);
  if (report.ok && !report.converged)
    report.converged = noise_.within(options_.tolerance, problem, rows_, options_.friction, v, lambda);
  return report;
}

void NewtonSolver::cones(const Problem& problem, std::span<double> v, std::span<double> lambda,
                         SolveReport& report) {
  admit(rows_, options_.friction, lambda);
  if (options_.friction == Friction::convex) {
    map_.cones(rows_);
    return cone_newton_.solve(problem, rows_, map_, false, options_.max_iterations, v, lambda, report);
  }
  map_.discs(rows_, options_.friction == Friction::box);
  loop_.start(map_, lambda);
  for (int round = 0; round < RadiusLoop::most_rounds; ++round) {
    cone_newton_.solve(problem, rows_, map_, round > 0, options_.max_iterations, v, lambda, report);
    if (!report.ok) return;
    report.converged = loop_.done(options_.tolerance, problem, rows_, options_.friction, map_, v, lambda);
    if (report.converged) return;
    loop_.next(map_, lambda);
    if (!loop_.runs_away()) continue;
    map_.cones(rows_);
    cone_newton_.solve(problem, rows_, map_, false, options_.max_iterations, v, lambda, report);
    report.converged = false;
    return;
  }
}

void NewtonSolver::matrix_free(const Problem& problem, std::span<double> v, std::span<double> lambda,
                               SolveReport& report) {
  path_.start(problem, rows_, lambda);
  d_.resize(v.size());
  states_.clear();
  report.converged = false;
  while (report.iterations < options_.max_iterations && report.inner_iterations < most_products &&
         !noise_.within(options_.tolerance, problem, rows_, options_.friction, path_.v(), path_.lambda()))
    if (!cg_step(problem, report)) break;
  std::ranges::copy(path_.v(), v.begin());
  std::ranges::copy(path_.lambda(), lambda.begin());
}

bool NewtonSolver::cg_step(const Problem& problem, SolveReport& report) {
  // Accuracy pays once the piece is the right one.
  constexpr double on_new_piece = 1e-2, on_same_piece = 1e-8;
  set_.start(rows_, path_.s());
  const double reduction = std::ranges::equal(set_.states(), states_) ? on_same_piece : on_new_piece;
  states_.assign(set_.states().begin(), set_.states().end());
  ++report.iterations;
  if (!cg_.prepare(problem, rows_, set_.states())) return false;
  report.inner_iterations += cg_.solve(problem, rows_, set_.states(), path_.descent(), d_, reduction,
                                       most_products - report.inner_iterations);
  return path_.advance_along(problem, rows_, d_);
}

// ---- the function itself

double primal_objective(const Problem& problem, std::span<const double> v) {
  RowTable rows;
  if (!rows.gather(problem).empty()) return std::nan("");
  std::vector<double> u(rows.size());
  apply_rows(problem, v, u);
  double sum = 0.5 * kinetic_square(problem, v) - dot(v, problem.momentum());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double gap = rows.rhs()[i] - u[i];
    const double lambda = rows.fixed(i) ? rows.lower()[i] : rows.clamp(i, gap / rows.sigma()[i]);
    sum += lambda * gap - (rows.fixed(i) ? 0.0 : 0.5 * rows.sigma()[i] * lambda * lambda);
  }
  return sum;
}

void primal_gradient(const Problem& problem, std::span<const double> v, std::span<double> gradient) {
  RowTable rows;
  if (!rows.gather(problem).empty()) return;
  std::vector<double> lambda(rows.size()), w(rows.size());
  apply_rows(problem, v, w);
  for (std::size_t i = 0; i < rows.size(); ++i)
    lambda[i] = rows.fixed(i) ? rows.lower()[i] : rows.clamp(i, (rows.rhs()[i] - w[i]) / rows.sigma()[i]);
  problem.residual(v, lambda, gradient, w);
  for (double& x : gradient) x = -x;
}

}  // namespace hardpan::solve
