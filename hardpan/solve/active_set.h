// Which rows are held at a bound and which are free to answer, and when a solution asks to change that.
//
// For given (v, lambda), w = G v + Sigma lambda - q, a row agrees with its state when
//     free:      lower <= lambda <= upper
//     at lower:  w >= 0
//     at upper:  w <= 0.
// Signs mean nothing below rounding. Redundant rows with a small Sigma turn rounding of w into large changes
// of lambda (by 1/Sigma) and would be freed and held for ever. So a held row is freed only when w has the
// wrong sign by more than rounding can do to it (noise.h).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "hardpan/solve/noise.h"
#include "hardpan/solve/row_table.h"

namespace hardpan::solve {

enum class RowState : std::uint8_t { free, at_lower, at_upper };

class ActiveSet {
 public:
  // The set that a guess suggests: rows at their bounds are held there.
  void start(const RowTable& rows, std::span<const double> guess);
  // True when a row may change its state at all.
  bool has_choice() const { return has_choice_; }
  std::span<const RowState> states() const { return states_; }
  bool held(std::size_t row) const { return states_[row] != RowState::free; }
  // Puts the impulses of held rows on their bounds.
  void hold(const RowTable& rows, std::span<double> lambda) const;
  // The number of rows that disagree with their state; remembers what they ask for.
  std::size_t disagreements(const Problem& problem, const RowTable& rows, std::span<const double> v,
                            std::span<const double> lambda, std::span<const double> w);
  void switch_all();   // every row that disagrees
  void switch_last();  // the one with the largest index

 private:
  RowState wanted(const RowTable& rows, std::size_t i, double lambda, double w) const;

  bool has_choice_ = false;
  std::vector<RowState> states_, wanted_;
  Noise noise_;
};

}  // namespace hardpan::solve
