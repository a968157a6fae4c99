#include "hardpan/solve/primal_cg.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "hardpan/solve/block_cholesky.h"

namespace hardpan::solve {
namespace {

double dot(std::span<const double> a, std::span<const double> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

}  // namespace

bool PrimalCg::prepare(const Problem& problem, const RowTable& rows, std::span<const RowState> states) {
  blocks_.clear();
  for (std::size_t b = 0; b < problem.blocks().size(); ++b)
    blocks_.insert(blocks_.end(), problem.matrix(b).begin(), problem.matrix(b).end());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (states[i] != RowState::free) continue;
    for (const RowTable::Term& term : rows.terms(i)) {
      const auto g = rows.coefficients(term);
      double* block = &blocks_[problem.blocks()[term.block].matrix];
      for (std::size_t j = 0; j < term.size; ++j)
        for (std::size_t k = 0; k < term.size; ++k)
          block[j * term.size + k] += g[j] * (g[k] / rows.sigma()[i]);
    }
  }
  for (const Problem::Block& block : problem.blocks())
    if (!cholesky(std::span(blocks_).subspan(block.matrix, block.size * block.size), block.size))
      return false;
  return true;
}

void PrimalCg::precondition(const Problem& problem) {
  preconditioned_ = residual_;
  for (const Problem::Block& block : problem.blocks())
    cholesky_solve(std::span(blocks_).subspan(block.matrix, block.size * block.size),
                   std::span(preconditioned_).subspan(block.offset, block.size));
}

void PrimalCg::multiply(const Problem& problem, const RowTable& rows, std::span<const RowState> states,
                        std::span<const double> x, std::span<double> out) {
  std::fill(out.begin(), out.end(), 0.0);
  std::size_t first = 0;
  for (const RowGroup* group : problem.groups()) {
    const auto part = std::span(on_rows_).subspan(first, group->rows());
    group->apply(x, part);
    for (std::size_t i = 0; i < part.size(); ++i)
      part[i] = states[first + i] == RowState::free ? part[i] / rows.sigma()[first + i] : 0.0;
    group->apply_transpose(part, out);
    first += group->rows();
  }
  for (std::size_t b = 0; b < problem.blocks().size(); ++b) {
    const auto [offset, size, matrix] = problem.blocks()[b];
    const auto a = problem.matrix(b);
    for (std::size_t i = 0; i < size; ++i)
      for (std::size_t j = 0; j < size; ++j) out[offset + i] += a[i * size + j] * x[offset + j];
  }
}

int PrimalCg::solve(const Problem& problem, const RowTable& rows, std::span<const RowState> states,
                    std::span<const double> r, std::span<double> d, double reduction, int cap) {
  residual_.assign(r.begin(), r.end());
  product_.resize(r.size());
  on_rows_.resize(rows.size());
  std::fill(d.begin(), d.end(), 0.0);
  precondition(problem);
  direction_ = preconditioned_;
  double norm = dot(residual_, preconditioned_);
  const double enough = norm * reduction * reduction;
  int products = 0;
  while (products < cap && norm > enough && std::isfinite(norm)) {
    multiply(problem, rows, states, direction_, product_);
    ++products;
    const double curvature = dot(direction_, product_), step = norm / curvature;
    if (!(curvature > 0) || !std::isfinite(step)) break;
    for (std::size_t j = 0; j < d.size(); ++j) {
      d[j] += step * direction_[j];
      residual_[j] -= step * product_[j];
    }
    precondition(problem);
    const double next = dot(residual_, preconditioned_), beta = next / norm;
    norm = next;
    for (std::size_t j = 0; j < d.size(); ++j) direction_[j] = preconditioned_[j] + beta * direction_[j];
  }
  return products;
}

}  // namespace hardpan::solve
