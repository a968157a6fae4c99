#include "hardpan/solve/saddle_factor.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hardpan::solve {
namespace {

constexpr std::size_t most_rows_in_block = 6;

bool same_pattern(std::span<const BlockLdlt::Place> a, std::span<const BlockLdlt::Place> b) {
  return std::ranges::equal(
      a, b, [](const auto& x, const auto& y) { return x.row == y.row && x.column == y.column; });
}

bool same_blocks(std::span<const RowTable::Term> a, std::span<const RowTable::Term> b) {
  return std::ranges::equal(a, b, [](const auto& x, const auto& y) { return x.block == y.block; });
}

}  // namespace

void SaddleFactor::assemble(const Problem& problem, const RowTable& rows) {
  velocities_ = problem.velocities();
  sizes_.clear();
  places_.clear();
  values_.clear();
  row_blocks_.clear();
  for (std::size_t b = 0; b < problem.blocks().size(); ++b) {
    const auto a = problem.matrix(b);
    sizes_.push_back(static_cast<int>(problem.blocks()[b].size));
    places_.push_back({static_cast<int>(b), static_cast<int>(b)});
    values_.insert(values_.end(), a.begin(), a.end());
  }
  for (std::size_t first = 0; first < rows.size();) {
    std::size_t count = 1;
    while (count < most_rows_in_block && first + count < rows.size() && !rows.terms(first).empty() &&
           same_blocks(rows.terms(first), rows.terms(first + count)))
      ++count;
    add_rows(rows, first, count);
    first += count;
  }
  for (auto* kept : {&factored_, &last_}) kept->reserve(values_.size());
  total_ = velocities_ + rows.size();
  if (!analysed_ || sizes_ != known_sizes_ || !same_pattern(places_, known_places_)) {
    analysed_ = true;
    ldlt_.analyse(sizes_, places_);
    has_factor_ = false;
    known_sizes_ = sizes_;
    known_places_ = places_;
  }
}

void SaddleFactor::add_rows(const RowTable& rows, std::size_t first, std::size_t count) {
  const int block = static_cast<int>(sizes_.size());
  sizes_.push_back(static_cast<int>(count));
  row_blocks_.push_back({first, count, values_.size()});
  for (std::size_t t = 0; t < rows.terms(first).size(); ++t) {
    const RowTable::Term& term = rows.terms(first)[t];
    places_.push_back({static_cast<int>(term.block), block});
    for (std::size_t k = 0; k < term.size; ++k)
      for (std::size_t i = first; i < first + count; ++i)
        values_.push_back(rows.coefficients(rows.terms(i)[t])[k]);
  }
  places_.push_back({block, block});
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = 0; j < count; ++j) values_.push_back(i == j ? -rows.sigma()[first + i] : 0.0);
}

bool SaddleFactor::factor(std::span<const RowState> states) {
  std::swap(factored_, last_);
  factored_ = values_;
  for (std::size_t r = 0; r < row_blocks_.size(); ++r) {
    const RowBlock& block = row_blocks_[r];
    const std::size_t end = r + 1 < row_blocks_.size() ? row_blocks_[r + 1].values : values_.size();
    const std::size_t diagonal = end - block.count * block.count;
    for (std::size_t c = 0; c < block.count; ++c) {
      if (states[block.first + c] == RowState::free) continue;
      for (std::size_t k = block.values + c; k < diagonal; k += block.count) factored_[k] = 0.0;
      factored_[diagonal + c * (block.count + 1)] = -1.0;
    }
  }
  if (has_factor_ && factored_ == last_) return true;
  return has_factor_ = ldlt_.factor(factored_);
}

void SaddleFactor::residual(const Problem& problem, std::span<const double> v,
                            std::span<const double> lambda) {
  problem.residual(v, lambda, std::span(residual_).first(velocities_),
                   std::span(residual_).subspan(velocities_));
}

// The largest part of residual_ relative to the numbers it is the difference of. Where symmetry makes all of
// these vanish, they are the rounding of their neighbours: none counts for less than a trace of the largest.
double SaddleFactor::relative_residual(const Problem& problem, const RowTable& rows,
                                       std::span<const RowState> states, std::span<const double> v,
                                       std::span<const double> lambda) {
  rows.scales(problem, v, lambda, std::span(scale_).first(velocities_),
              std::span(scale_).subspan(velocities_));
  constexpr double vanishing = 1e-280;  // what decays to zero loses its digits on the way (denormal numbers)
  constexpr double trace = 1e-6;
  const std::span<const double> scale = scale_;
  const double least_momentum = trace * largest(scale.first(velocities_));
  const double least_rate = trace * largest(scale.subspan(velocities_));
  double worst = 0;
  for (std::size_t i = 0; i < residual_.size(); ++i) {
    if (i >= velocities_ && states[i - velocities_] != RowState::free) continue;
    if (std::abs(residual_[i]) <= vanishing) continue;
    const double relative =
        std::abs(residual_[i]) / std::max(scale_[i], i < velocities_ ? least_momentum : least_rate);
    if (!(relative <= worst)) worst = relative;
    if (std::isnan(worst)) return worst;
  }
  return worst;
}

void SaddleFactor::correct(std::span<const RowState> states, std::span<double> v, std::span<double> lambda) {
  for (std::size_t j = 0; j < velocities_; ++j) correction_[j] = residual_[j];
  for (std::size_t i = 0; i < lambda.size(); ++i)
    correction_[velocities_ + i] = states[i] == RowState::free ? -residual_[velocities_ + i] : 0.0;
  ldlt_.solve(correction_);
  for (std::size_t j = 0; j < velocities_; ++j) v[j] += correction_[j];
  for (std::size_t i = 0; i < lambda.size(); ++i)
    if (states[i] == RowState::free) lambda[i] -= correction_[velocities_ + i];
}

void SaddleFactor::precondition(std::span<double> x) {
  if (x.empty()) return;
  correction_.assign(total_, 0.0);
  std::ranges::copy(x, correction_.begin());
  ldlt_.solve(correction_);
  std::copy_n(correction_.begin(), x.size(), x.begin());
}

double SaddleFactor::solve(const Problem& problem, const RowTable& rows, std::span<const RowState> states,
                           std::span<double> v, std::span<double> lambda) {
  constexpr double at_rounding = 1e-15;
  constexpr int most_extra = 8;
  for (auto* vector : {&residual_, &correction_, &scale_}) vector->resize(velocities_ + rows.size());
  std::fill(v.begin(), v.end(), 0.0);
  for (std::size_t i = 0; i < lambda.size(); ++i)
    if (states[i] == RowState::free) lambda[i] = 0.0;
  // The first solution is a refinement of zero.
  residual(problem, v, lambda);
  double error = std::numeric_limits<double>::infinity();
  for (int step = 0; step <= refinement_ + most_extra; ++step) {
    correct(states, v, lambda);
    residual(problem, v, lambda);
    if (step < refinement_) continue;
    const double before = error;
    error = relative_residual(problem, rows, states, v, lambda);
    if (!(error > at_rounding && error < 0.5 * before)) break;
  }
  return error;
}

}  // namespace hardpan::solve
