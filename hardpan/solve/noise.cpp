#include "hardpan/solve/noise.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "hardpan/solve/friction.h"

namespace hardpan::solve {
namespace {

constexpr double rounding = 64 * std::numeric_limits<double>::epsilon();

// x := x / diag(A)
void divide_by_diagonal(const Problem& problem, std::span<double> x) {
  for (std::size_t b = 0; b < problem.blocks().size(); ++b) {
    const Problem::Block& block = problem.blocks()[b];
    for (std::size_t j = 0; j < block.size; ++j)
      x[block.offset + j] /= problem.matrix(b)[j * (block.size + 1)];
  }
}

}  // namespace

void Noise::measure(const Problem& problem, const RowTable& rows, std::span<const double> v,
                    std::span<const double> lambda) {
  velocities_.resize(v.size());
  rows_.resize(rows.size());
  rows.scales(problem, v, lambda, velocities_, rows_);
  divide_by_diagonal(problem, velocities_);
  for (double& x : velocities_) x *= rounding;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows_[i] *= rounding;
    for (const RowTable::Term& term : rows.terms(i))
      for (std::size_t k = 0; k < term.size; ++k)
        rows_[i] += std::abs(rows.coefficients(term)[k]) * velocities_[term.column + k];
  }
}

bool Noise::within(double tolerance, const Problem& problem, const RowTable& rows, Friction friction,
                   std::span<const double> v, std::span<const double> lambda) {
  measure(problem, rows, v, lambda);
  residual_.resize(v.size() + rows.size());
  const auto r = std::span(residual_).first(v.size()), w = std::span(residual_).subspan(v.size());
  problem.residual(v, lambda, r, w);
  divide_by_diagonal(problem, r);
  for (std::size_t j = 0; j < r.size(); ++j)
    if (!(std::abs(r[j]) <= std::max(tolerance, velocities_[j]))) return false;
  row_errors(rows, friction, lambda, w);
  for (std::size_t i = 0; i < w.size(); ++i)
    if (!(std::abs(w[i]) <= std::max(tolerance, rows_[i]))) return false;
  return true;
}

}  // namespace hardpan::solve
