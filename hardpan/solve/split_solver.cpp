#include "hardpan/solve/split_solver.h"

#include <algorithm>
#include <cmath>

#include "hardpan/solve/block_product.h"

namespace hardpan::solve {
namespace {

constexpr int default_rounds = 200, most_sweeps = 50, patience = 3, most_sets = 500;

}  // namespace

SplitSolver::SplitSolver(const SolverOptions& options)
    : options_(options), pivoting_(options.refinement, patience) {
  if (options_.max_iterations <= 0) options_.max_iterations = default_rounds;
}

SolveReport SplitSolver::solve(const Problem& problem, std::span<double> v, std::span<double> lambda) {
  if (std::string fault = rows_.gather(problem); !fault.empty())
    return SolveReport::failure(std::move(fault));
  if (!rows_.contacts().empty() && options_.friction == Friction::convex)
    return SolveReport::failure(
        "the split solver does not know the convex law of friction: use newton or pgs");
  admit(rows_, options_.friction, lambda);
  prepare(problem);
  SolveReport report;
  for (int k = 0; k < options_.max_iterations; ++k) {
    round(problem, v, lambda, report);
    if (!report.ok) return report;
    if (rows_.contacts().empty()) break;
    report.converged = noise_.within(options_.tolerance, problem, rows_, options_.friction, v, lambda);
    if (report.converged) break;
  }
  rows_.judge(problem, options_.friction, v, lambda, report);
  return report;
}

void SplitSolver::prepare(const Problem& problem) {
  map_.discs(rows_, options_.friction == Friction::box);
  response_.resize(rows_.coefficient_count());
  rho_.clear();
  for (const Disc& disc : map_.discs()) {
    for (std::size_t i = disc.first; i < disc.first + disc.count; ++i)
      for (const RowTable::Term& term : rows_.terms(i)) {
        const auto r = std::span(response_).subspan(term.first, term.size);
        std::ranges::copy(rows_.coefficients(term), r.begin());
        rows_.solve_block(problem, term.block, r);
      }
    double most = 0;  // no less than the largest eigenvalue: sums of absolute values
    for (std::size_t i = disc.first; i < disc.first + disc.count; ++i) {
      double sum = rows_.sigma()[i];
      for (std::size_t k = disc.first; k < disc.first + disc.count; ++k) {
        double product = 0;
        for (std::size_t t = 0; t < rows_.terms(i).size(); ++t)
          product += dot(rows_.coefficients(rows_.terms(i)[t]).data(), &response_[rows_.terms(k)[t].first],
                         rows_.terms(i)[t].size);
        sum += std::abs(product);
      }
      most = std::max(most, sum);
    }
    rho_.push_back(most);
  }
}

void SplitSolver::round(const Problem& problem, std::span<double> v, std::span<double> lambda,
                        SolveReport& report) {
  for (const Disc& disc : map_.discs())
    for (std::size_t i = disc.first; i < disc.first + disc.count; ++i)
      rows_.set_bounds(i, lambda[i], lambda[i]);
  pivoting_.solve(problem, rows_, report.iterations + most_sets, v, lambda, report);
  if (!report.ok) return;
  for (Disc& disc : map_.discs()) disc.radius = disc.mu * lambda[disc.normal];
  for (int k = 0; k < most_sweeps; ++k) {
    ++report.inner_iterations;
    if (!(sweep(v, lambda) > 0.1 * options_.tolerance)) break;
  }
}

double SplitSolver::sweep(std::span<double> v, std::span<double> lambda) const {
  double worst = 0;
  for (std::size_t k = 0; k < rho_.size(); ++k)
    worst = std::max(worst, relax(map_.discs()[k], rho_[k], v, lambda));
  return worst;
}

double SplitSolver::relax(const Disc& disc, double rho, std::span<double> v, std::span<double> lambda) const {
  std::array<double, 3> next{};
  for (std::size_t k = 0; k < disc.count; ++k) {
    const std::size_t i = disc.first + k;
    double w = rows_.sigma()[i] * lambda[i] - rows_.rhs()[i];
    for (const RowTable::Term& term : rows_.terms(i))
      w += dot(rows_.coefficients(term).data(), &v[term.column], term.size);
    next[k] = lambda[i] - w / rho;
  }
  into_disc(next.data(), disc.count, disc.radius);
  double error = 0;
  for (std::size_t k = 0; k < disc.count; ++k) {
    const std::size_t i = disc.first + k;
    const double change = next[k] - lambda[i];
    error = std::max(error, rho * std::abs(change));
    lambda[i] = next[k];
    for (const RowTable::Term& term : rows_.terms(i))
      add_scaled(change, &response_[term.first], &v[term.column], term.size);
  }
  return error;
}

}  // namespace hardpan::solve
