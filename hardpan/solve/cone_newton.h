// Newton's method for the convex problems of friction, P(s) being what friction_map.h says:
//     minimum over v of  f(v) = 1/2 v^T A v - p^T v + sum phi(G v),   gradient A v - p - G^T P(s(v)).
// A step solves the piece at s, in saddle form or by conjugate gradients, and goes to the minimum of f along
// the way there and beyond. Along it, with s + t ds,
//     f'(t) = -decrease + t curvature + sum_i Sigma_i ds_i (P(s + t ds) - P(s))_i
// grows with t: its zero is bracketed, then found by the secant rule of Illinois (Dowell & Jarratt, BIT 11
// (1971) 168-174). s is carried along as an unknown (primal_path.h). Sigma s = q - G v holds throughout, so
// all that is left of an error stands in the momentum; the method ends when that, over diag(A), is within the
// tolerance.
#pragma once

#include <span>
#include <vector>

#include "hardpan/solve/friction_map.h"
#include "hardpan/solve/noise.h"
#include "hardpan/solve/primal_cg.h"
#include "hardpan/solve/saddle_factor.h"

namespace hardpan::solve {

class ConeNewton {
 public:
  explicit ConeNewton(const SolverOptions& options) : options_(options), saddle_(options.refinement) {}

  // lambda comes in as a guess. Goes on from the last solution when `again`.
  void solve(const Problem& problem, const RowTable& rows, FrictionMap& map, bool again, int cap,
             std::span<double> v, std::span<double> lambda, SolveReport& report);

 private:
  void start_free(const Problem& problem, const RowTable& rows, std::span<const double> lambda);
  void start_held(const Problem& problem, const RowTable& rows, FrictionMap& map,
                  std::span<const double> lambda, SolveReport& report);
  bool piece(const Problem& problem, const RowTable& rows, FrictionMap& map, SolveReport& report);
  bool step(const Problem& problem, const RowTable& rows, FrictionMap& map, SolveReport& report);
  bool factored(const RowTable& rows, FrictionMap& map, SolveReport& report);
  bool conjugate(const Problem& problem, const RowTable& rows, FrictionMap& map, SolveReport& report);
  bool move(const Problem& problem, const RowTable& rows, const FrictionMap& map);
  double slope(const RowTable& rows, const FrictionMap& map, double t);
  void settle(const Problem& problem, const RowTable& rows, const FrictionMap& map);
  bool settled(const Problem& problem, const RowTable& rows);

  SolverOptions options_;
  Noise noise_;
  SaddleFactor saddle_;
  PrimalCg cg_;
  Problem piece_;
  RowTable table_;
  std::vector<double> v_, s_, lambda_;
  std::vector<double> descent_, d_, ds_, work_, next_lambda_;
  double decrease_ = 0, curvature_ = 0, error_ = 0;
};

}  // namespace hardpan::solve
