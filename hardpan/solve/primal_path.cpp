#include "hardpan/solve/primal_path.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "hardpan/core/parallel.h"

namespace hardpan::solve {
namespace {

// s of the solution of a set: lambda where free, what w adds to it where held.
double unbounded_impulse(const RowTable& rows, const ActiveSet& set, std::size_t i, double lambda, double w) {
  return set.held(i) && !rows.fixed(i) ? lambda - w / rows.sigma()[i] : lambda;
}

}  // namespace

double dot(std::span<const double> a, std::span<const double> b) {
  return parallel_reduce(
      a.size(), 0.0,
      [&](std::size_t begin, std::size_t end) {
        constexpr std::size_t lanes = 4;  // sums that do not wait for each other
        std::array<double, lanes> sum{};
        std::size_t i = begin;
        for (; i + lanes <= end; i += lanes)
          for (std::size_t k = 0; k < lanes; ++k) sum[k] += a[i + k] * b[i + k];
        for (std::size_t k = 0; i < end; ++i, ++k) sum[k] += a[i] * b[i];
        return (sum[0] + sum[1]) + (sum[2] + sum[3]);
      },
      std::plus<>(), long_chunk);
}

double kinetic_square(const Problem& problem, std::span<const double> x) {
  double sum = 0;
  for (std::size_t b = 0; b < problem.blocks().size(); ++b) {
    const auto [offset, size, matrix] = problem.blocks()[b];
    const auto a = problem.matrix(b);
    for (std::size_t i = 0; i < size; ++i)
      for (std::size_t j = 0; j < size; ++j) sum += x[offset + i] * a[i * size + j] * x[offset + j];
  }
  return sum;
}

void apply_rows(const Problem& problem, std::span<const double> x, std::span<double> out) {
  std::size_t first = 0;
  for (const RowGroup* group : problem.groups()) {
    group->apply(x, out.subspan(first, group->rows()));
    first += group->rows();
  }
}

void PrimalPath::resize(const Problem& problem, const RowTable& rows) {
  for (auto* vector : {&s_, &ds_, &lambda_, &row_work_}) vector->resize(rows.size());
  for (auto* vector : {&v_, &d_, &descent_}) vector->resize(problem.velocities());
}

void PrimalPath::settle(const Problem& problem, const RowTable& rows) {
  for (std::size_t i = 0; i < s_.size(); ++i) lambda_[i] = rows.clamp(i, s_[i]);
  problem.residual(v_, lambda_, descent_, row_work_);
}

void PrimalPath::start(const Problem& problem, const RowTable& rows, const ActiveSet& set,
                       std::span<const double> v, std::span<const double> lambda, std::span<const double> w) {
  resize(problem, rows);
  std::copy(v.begin(), v.end(), v_.begin());
  for (std::size_t i = 0; i < s_.size(); ++i) s_[i] = unbounded_impulse(rows, set, i, lambda[i], w[i]);
  settle(problem, rows);
}

void PrimalPath::start(const Problem& problem, const RowTable& rows, std::span<const double> lambda) {
  resize(problem, rows);
  for (std::size_t i = 0; i < s_.size(); ++i)
    s_[i] = rows.clamp(i, std::isfinite(lambda[i]) ? lambda[i] : 0.0);
  std::fill(v_.begin(), v_.end(), 0.0);
  problem.residual(v_, s_, descent_, row_work_);
  std::copy(descent_.begin(), descent_.end(), v_.begin());
  rows.solve_blocks(problem, v_);
  apply_rows(problem, v_, row_work_);
  for (std::size_t i = 0; i < s_.size(); ++i)
    s_[i] = rows.fixed(i) ? rows.lower()[i] : (rows.rhs()[i] - row_work_[i]) / rows.sigma()[i];
  settle(problem, rows);
}

bool PrimalPath::advance_to(const Problem& problem, const RowTable& rows, const ActiveSet& set,
                            std::span<const double> v, std::span<const double> lambda,
                            std::span<const double> w) {
  for (std::size_t j = 0; j < v.size(); ++j) d_[j] = v[j] - v_[j];
  for (std::size_t i = 0; i < s_.size(); ++i)
    ds_[i] = unbounded_impulse(rows, set, i, lambda[i], w[i]) - s_[i];
  return move(problem, rows, d_);
}

bool PrimalPath::advance_along(const Problem& problem, const RowTable& rows, std::span<const double> d) {
  apply_rows(problem, d, row_work_);
  for (std::size_t i = 0; i < s_.size(); ++i) ds_[i] = rows.fixed(i) ? 0.0 : -row_work_[i] / rows.sigma()[i];
  return move(problem, rows, d);
}

bool PrimalPath::move(const Problem& problem, const RowTable& rows, std::span<const double> d) {
  const double t = ray_.minimum(rows, s_, ds_, dot(d, descent_), kinetic_square(problem, d));
  if (!(t > 0)) return false;
  for (std::size_t j = 0; j < v_.size(); ++j) v_[j] += t * d[j];
  for (std::size_t i = 0; i < s_.size(); ++i) s_[i] += t * ds_[i];
  settle(problem, rows);
  return true;
}

}  // namespace hardpan::solve
