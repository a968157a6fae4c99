#include "hardpan/solve/direct_solver.h"

namespace hardpan::solve {
namespace {

constexpr int default_sets = 500;
constexpr int patience = 3;

}  // namespace

DirectSolver::DirectSolver(const SolverOptions& options)
    : options_(options), pivoting_(options.refinement, patience), convex_(options) {
  if (options_.max_iterations <= 0) options_.max_iterations = default_sets;
}

SolveReport DirectSolver::solve(const Problem& problem, std::span<double> v, std::span<double> lambda) {
  if (std::string fault = rows_.gather(problem); !fault.empty())
    return SolveReport::failure(std::move(fault));
  SolveReport report;
  if (rows_.contacts().empty())
    pivoting_.solve(problem, rows_, options_.max_iterations, v, lambda, report);
  else if (options_.friction == Friction::convex)
    return SolveReport::failure(
        "the direct solver does not know the convex law of friction: use newton or pgs");
  else
    cones(problem, v, lambda, report);
  if (report.ok) rows_.judge(problem, options_.friction, v, lambda, report);
  return report;
}

void DirectSolver::cones(const Problem& problem, std::span<double> v, std::span<double> lambda,
                         SolveReport& report) {
  const bool box = options_.friction == Friction::box;
  admit(rows_, options_.friction, lambda);
  map_.discs(rows_, box);
  loop_.start(map_, lambda);
  s_.assign(lambda.begin(), lambda.end());
  for (int round = 0; round < RadiusLoop::most_rounds; ++round) {
    box ? boxes(problem, v, lambda, report) : turned(problem, v, lambda, report);
    if (!report.ok) return;
    report.converged = loop_.done(options_.tolerance, problem, rows_, options_.friction, map_, v, lambda);
    if (report.converged) return;
    loop_.next(map_, lambda);
    if (!loop_.runs_away()) continue;
    if (!rows_.gather(problem).empty()) return;  // without the bounds of boxes
    map_.cones(rows_);
    convex_.solve(problem, rows_, map_, false, options_.max_iterations, v, lambda, report);
    report.converged = false;
    return;
  }
}

void DirectSolver::boxes(const Problem& problem, std::span<double> v, std::span<double> lambda,
                         SolveReport& report) {
  for (const Disc& disc : map_.discs()) rows_.set_bounds(disc.first, -disc.radius, disc.radius);
  pivoting_.solve(problem, rows_, report.iterations + options_.max_iterations, v, lambda, report);
}

void DirectSolver::turned(const Problem& problem, std::span<double> v, std::span<double> lambda,
                          SolveReport& report) {
  map_.linearise(rows_, s_);
  piece_lambda_.assign(s_.begin(), s_.end());
  for (std::size_t i = 0; i < s_.size(); ++i)
    if (map_.states()[i] != RowState::free) piece_lambda_[i] = map_.held()[i];
  map_.bound_slides(s_);
  piece_ = problem;
  piece_.clear_groups();
  piece_.add_group(map_.rows());
  if (std::string fault = table_.gather(piece_); !fault.empty()) {
    report = SolveReport::failure("of a contact that slides: " + fault);
    return;
  }
  pivoting_.solve(piece_, table_, report.iterations + options_.max_iterations, v, piece_lambda_, report);
  if (!report.ok) return;
  w_.resize(s_.size());
  r_.resize(v.size());
  piece_.residual(v, piece_lambda_, r_, w_);
  for (std::size_t i = 0; i < w_.size(); ++i)
    if (piece_lambda_[i] > table_.lower()[i] && piece_lambda_[i] < table_.upper()[i]) w_[i] = 0;
  map_.recover(rows_, piece_lambda_, w_, s_);
  map_.project(rows_, s_, lambda);
}

}  // namespace hardpan::solve
