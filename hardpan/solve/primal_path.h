// A descent on the primal function f (newton_solver.h) from point to point: v together with s, the impulses
// that the rows would have without bounds. (q - G v)/Sigma is cancellation divided by a small number, so s is
// carried along as an unknown of its own instead.
#pragma once

#include <span>
#include <vector>

#include "hardpan/solve/active_set.h"
#include "hardpan/solve/ray_search.h"
#include "hardpan/solve/row_table.h"

namespace hardpan::solve {

class PrimalPath {
 public:
  // At the solution of a set of held rows.
  void start(const Problem& problem, const RowTable& rows, const ActiveSet& set, std::span<const double> v,
             std::span<const double> lambda, std::span<const double> w);
  // At v = A^-1 (p + G^T lambda), the motion that a guess of lambda would cause.
  void start(const Problem& problem, const RowTable& rows, std::span<const double> lambda);

  // To the minimum of f on the ray to, and beyond, the solution of a set. False when it does not descend.
  bool advance_to(const Problem& problem, const RowTable& rows, const ActiveSet& set,
                  std::span<const double> v, std::span<const double> lambda, std::span<const double> w);
  // To the minimum of f along d.
  bool advance_along(const Problem& problem, const RowTable& rows, std::span<const double> d);

  std::span<const double> v() const { return v_; }
  std::span<const double> s() const { return s_; }
  std::span<const double> lambda() const { return lambda_; }    // clamp(s)
  std::span<const double> descent() const { return descent_; }  // p - A v + G^T lambda

 private:
  void resize(const Problem& problem, const RowTable& rows);
  void settle(const Problem& problem, const RowTable& rows);
  bool move(const Problem& problem, const RowTable& rows, std::span<const double> d);

  std::vector<double> v_, s_, lambda_;
  std::vector<double> descent_, d_, ds_, row_work_;
  RaySearch ray_;
};

double dot(std::span<const double> a, std::span<const double> b);
double kinetic_square(const Problem& problem, std::span<const double> x);                   // x . A x
void apply_rows(const Problem& problem, std::span<const double> x, std::span<double> out);  // out = G x

}  // namespace hardpan::solve
