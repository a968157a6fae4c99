#include "hardpan/solve/pgs_solver.h"

#include <algorithm>
#include <cmath>

namespace hardpan::solve {
namespace {

constexpr int default_sweeps = 2000;

}  // namespace

PgsSolver::PgsSolver(const SolverOptions& options) : options_(options) {
  if (options_.max_iterations <= 0) options_.max_iterations = default_sweeps;
}

SolveReport PgsSolver::solve(const Problem& problem, std::span<double> v, std::span<double> lambda) {
  if (std::string fault = rows_.gather(problem); !fault.empty())
    return SolveReport::failure(std::move(fault));
  prepare(problem);
  for (std::size_t i = 0; i < lambda.size(); ++i)
    lambda[i] = rows_.clamp(i, std::isfinite(lambda[i]) ? lambda[i] : 0.0);
  velocities(problem, v, lambda);
  SolveReport report;
  report.converged = noise_.within(options_.tolerance, problem, rows_, v, lambda);
  while (!report.converged && report.iterations < options_.max_iterations) {
    const double error = sweep(report.iterations++ % 2 == 0, v, lambda);
    if (std::isnan(error)) break;
    if (error > options_.tolerance && report.iterations < options_.max_iterations &&
        report.iterations % 16 != 0)
      continue;
    velocities(problem, v, lambda);  // sheds the roundings of many small changes
    report.converged = noise_.within(options_.tolerance, problem, rows_, v, lambda);
  }
  rows_.judge(problem, v, lambda, report);
  return report;
}

void PgsSolver::prepare(const Problem& problem) {
  response_.resize(rows_.coefficient_count());
  diagonal_.resize(rows_.size());
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    double sum = rows_.sigma()[i];
    for (const RowTable::Term& term : rows_.terms(i)) {
      const auto g = rows_.coefficients(term);
      const auto r = std::span(response_).subspan(term.first, term.size);
      std::copy(g.begin(), g.end(), r.begin());
      rows_.solve_block(problem, term.block, r);
      for (std::size_t k = 0; k < term.size; ++k) sum += g[k] * r[k];
    }
    diagonal_[i] = sum;
  }
}

// v = A^-1 (p + G^T lambda)
void PgsSolver::velocities(const Problem& problem, std::span<double> v, std::span<const double> lambda) {
  std::copy(problem.momentum().begin(), problem.momentum().end(), v.begin());
  std::size_t first = 0;
  for (const RowGroup* group : problem.groups()) {
    group->apply_transpose(lambda.subspan(first, group->rows()), v);
    first += group->rows();
  }
  rows_.solve_blocks(problem, v);
}

// Returns what the row missed.
double PgsSolver::relax(std::size_t i, std::span<double> v, std::span<double> lambda) const {
  if (rows_.fixed(i)) return 0;
  double w = rows_.sigma()[i] * lambda[i] - rows_.rhs()[i];
  for (const RowTable::Term& term : rows_.terms(i)) {
    const double* g = rows_.coefficients(term).data();
    for (std::size_t k = 0; k < term.size; ++k) w += g[k] * v[term.column + k];
  }
  const double error = std::abs(row_error(w, lambda[i], rows_.lower()[i], rows_.upper()[i]));
  const double next = rows_.clamp(i, lambda[i] - w / diagonal_[i]), change = next - lambda[i];
  lambda[i] = next;
  if (change != 0)
    for (const RowTable::Term& term : rows_.terms(i))
      for (std::size_t k = 0; k < term.size; ++k) v[term.column + k] += response_[term.first + k] * change;
  return std::isnan(w) ? w : error;
}

double PgsSolver::sweep(bool forward, std::span<double> v, std::span<double> lambda) const {
  double worst = 0;
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    const double error = relax(forward ? k : rows_.size() - 1 - k, v, lambda);
    if (std::isnan(error)) return error;
    worst = std::max(worst, error);
  }
  return worst;
}

}  // namespace hardpan::solve
