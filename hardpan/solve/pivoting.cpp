#include "hardpan/solve/pivoting.h"

#include <algorithm>

namespace hardpan::solve {
namespace {

// Relative residuals of a linear system, after refinement.
constexpr double poor = 1e-10, hopeless = 1e-6;

}  // namespace

void Pivoting::solve(const Problem& problem, const RowTable& rows, int cap, std::span<double> v,
                     std::span<double> lambda, SolveReport& report) {
  saddle_.assemble(problem, rows);
  set_.start(rows, lambda);
  way_ = Way::pivots;
  on_path_ = false;
  trials_ = patience_;
  least_ = rows.size() + 1;
  while (candidate(problem, rows, v, lambda, report) && set_.has_choice()) {
    const std::size_t count = set_.disagreements(problem, rows, v, lambda, saddle_.row_residual());
    if (count == 0) break;
    next(problem, rows, count, v, lambda);
    if (report.iterations < cap) continue;
    report.converged = false;
    if (on_path_) std::ranges::copy(path_.v(), v.begin());
    if (on_path_) std::ranges::copy(path_.lambda(), lambda.begin());
    break;
  }
  for (std::size_t i = 0; i < lambda.size(); ++i) lambda[i] = rows.clamp(i, lambda[i]);
}

bool Pivoting::candidate(const Problem& problem, const RowTable& rows, std::span<double> v,
                         std::span<double> lambda, SolveReport& report) {
  set_.hold(rows, lambda);
  ++report.factorisations;
  ++report.iterations;
  if (!saddle_.factor(set_.states())) {
    report = SolveReport::failure("the factorisation met a zero or non-finite pivot");
    return false;
  }
  const double error = saddle_.solve(problem, rows, set_.states(), v, lambda);
  if (!(error <= hopeless))
    report = SolveReport::failure("the linear system is too badly conditioned to be solved");
  else
    report.converged = error <= poor;
  return report.ok;
}

void Pivoting::next(const Problem& problem, const RowTable& rows, std::size_t disagreements,
                    std::span<const double> v, std::span<const double> lambda) {
  if (way_ == Way::pivots) {
    if (disagreements < least_) trials_ = patience_;
    least_ = std::min(least_, disagreements);
    if (trials_-- > 0) return set_.switch_all();
    way_ = Way::descent;
  }
  if (way_ == Way::descent) descend(problem, rows, v, lambda);
  if (way_ == Way::murty) set_.switch_last();
}

void Pivoting::descend(const Problem& problem, const RowTable& rows, std::span<const double> v,
                       std::span<const double> lambda) {
  const auto w = saddle_.row_residual();
  if (!on_path_)
    path_.start(problem, rows, set_, v, lambda, w);
  else if (!path_.advance_to(problem, rows, set_, v, lambda, w))
    way_ = Way::murty;
  on_path_ = true;
  if (way_ == Way::descent) set_.start(rows, path_.s());
}

}  // namespace hardpan::solve
