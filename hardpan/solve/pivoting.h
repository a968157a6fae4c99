// The search for the set of held rows at which all rows agree with their states (active_set.h). Each
// candidate costs a factorisation and an exact solution (saddle_factor.h). Three ways to the next candidate,
// each taken when the one before it gets nowhere:
//
// 1. Block principal pivoting: every row that disagrees changes its state. A handful of rounds, but it may
//    cycle; so it has to bring the number of disagreeing rows to a new least value within `patience` rounds.
//    Judice & Pires, "A block principal pivoting algorithm for large-scale strictly monotone linear
//    complementarity problems", Computers & Operations Research 21 (1994) 587-596.
// 2. Descent: Newton's method on the primal function with an exact search along each ray (primal_path.h); the
//    candidate is the piece at the minimum found. f falls at every step and has finitely many pieces: it
//    ends.
// 3. Murty's rule, should rounding stop the descent: only the row of largest index changes. It cannot cycle,
//    as G A^-1 G^T + Sigma is positive definite, but may take exponentially many rounds (a grid of 1,200 rows
//    was not through after 12,000). Murty, "Note on a Bard-type scheme for solving the complementarity
//    problem", Opsearch 11 (1974) 123-130.
//
// The solution for a set is computed from nothing, so the guess decides about time and not about the result
// (beyond the choice between sets that rounding cannot tell apart).
#pragma once

#include "hardpan/solve/active_set.h"
#include "hardpan/solve/primal_path.h"
#include "hardpan/solve/row_table.h"
#include "hardpan/solve/saddle_factor.h"
#include "hardpan/solve/solver.h"

namespace hardpan::solve {

class Pivoting {
 public:
  // No patience: descent from the beginning.
  Pivoting(int refinement, int patience) : patience_(patience), saddle_(refinement) {}

  // lambda comes in as a guess. Not converged: after `cap` candidates (the result is then the lowest point of
  // the descent, where there was one), or when the last linear system could be solved but poorly.
  void solve(const Problem& problem, const RowTable& rows, int cap, std::span<double> v,
             std::span<double> lambda, SolveReport& report);

 private:
  enum class Way { pivots, descent, murty };
  bool candidate(const Problem& problem, const RowTable& rows, std::span<double> v, std::span<double> lambda,
                 SolveReport& report);
  void next(const Problem& problem, const RowTable& rows, std::size_t disagreements,
            std::span<const double> v, std::span<const double> lambda);
  void descend(const Problem& problem, const RowTable& rows, std::span<const double> v,
               std::span<const double> lambda);

  int patience_;
  ActiveSet set_;
  SaddleFactor saddle_;
  PrimalPath path_;
  Way way_ = Way::pivots;
  bool on_path_ = false;
  int trials_ = 0;
  std::size_t least_ = 0;
};

}  // namespace hardpan::solve
