#include "hardpan/solve/active_set.h"

#include <cmath>
#include <limits>

namespace hardpan::solve {
namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();

}  // namespace

void ActiveSet::start(const RowTable& rows, std::span<const double> guess) {
  states_.resize(rows.size());
  has_choice_ = false;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    states_[i] = rows.fixed(i) || guess[i] <= rows.lower()[i] ? RowState::at_lower
                 : guess[i] >= rows.upper()[i]                ? RowState::at_upper
                                                              : RowState::free;
    // A guess may be infinite; a bound that holds a row may not.
    if (!rows.bounded(i)) states_[i] = RowState::free;
    if (states_[i] == RowState::at_lower && rows.lower()[i] == -unbounded) states_[i] = RowState::free;
    if (states_[i] == RowState::at_upper && rows.upper()[i] == unbounded) states_[i] = RowState::free;
    has_choice_ = has_choice_ || (rows.bounded(i) && !rows.fixed(i));
  }
}

void ActiveSet::hold(const RowTable& rows, std::span<double> lambda) const {
  for (std::size_t i = 0; i < states_.size(); ++i)
    if (held(i)) lambda[i] = states_[i] == RowState::at_lower ? rows.lower()[i] : rows.upper()[i];
}

RowState ActiveSet::wanted(const RowTable& rows, std::size_t i, double lambda, double w) const {
  if (rows.fixed(i)) return states_[i];
  const double lower = rows.lower()[i], upper = rows.upper()[i];
  switch (states_[i]) {
    case RowState::at_lower:
      return w < -noise_.rows()[i] ? RowState::free : RowState::at_lower;
    case RowState::at_upper:
      return w > noise_.rows()[i] ? RowState::free : RowState::at_upper;
    case RowState::free:
      break;
  }
  if (lambda < lower - 4 * eps * std::abs(lower)) return RowState::at_lower;
  if (lambda > upper + 4 * eps * std::abs(upper)) return RowState::at_upper;
  return RowState::free;
}

std::size_t ActiveSet::disagreements(const Problem& problem, const RowTable& rows, std::span<const double> v,
                                     std::span<const double> lambda, std::span<const double> w) {
  noise_.measure(problem, rows, v, lambda);
  wanted_.resize(states_.size());
  std::size_t count = 0;
  for (std::size_t i = 0; i < states_.size(); ++i) {
    wanted_[i] = wanted(rows, i, lambda[i], w[i]);
    if (wanted_[i] != states_[i]) ++count;
  }
  return count;
}

void ActiveSet::switch_all() { states_ = wanted_; }

void ActiveSet::switch_last() {
  for (std::size_t i = states_.size(); i-- > 0;)
    if (states_[i] != wanted_[i]) {
      states_[i] = wanted_[i];
      return;
    }
}

}  // namespace hardpan::solve
