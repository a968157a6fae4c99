// Impulses as a function of s, those that rows would have without bounds and cones, s_i = (q_i - G_i
// v)/Sigma_i:
//     lambda = P(s),  the nearest admissible point in the metric of Sigma.
// Then -w = Sigma (s - lambda) is normal to the admissible set at lambda, which is the law (friction.h). It
// is the gradient of a convex function of v, so newton (newton_solver.h) can minimise. Two sets, both convex:
//
//     discs    every friction disc |lambda_t| <= r with a number r: Coulomb's law, or that of boxes (a disc
//     for
//              each row), for given normals. P scales s_t back to r.
//     cones    |lambda_k| <= mu_k lambda_n, the convex law. For a given x = lambda_n the nearest lambda_k is
//     s_k,
//              scaled back to mu_k x if it is longer; x then minimises
//                  Sigma_n (x - s_n)^2/2 + sum_k Sigma_k max(0, |s_k| - mu_k x)^2/2   over x >= 0:
//                  Sigma_n (x - s_n) = sum_k Sigma_k mu_k max(0, |s_k| - mu_k x)      (cone_balance,
//                  friction.h).
//              One cone: x = s_n inside; x = 0 in the polar cone, Sigma_n s_n + Sigma_t mu |s_t| <= 0; on the
//              surface x = (Sigma_n s_n + Sigma_t mu |s_t|) / (Sigma_n + Sigma_t mu^2).
//
// A piece is the linear problem at some s. With e = s_t/|s_t|, P' Sigma^-1 is a sum of t t^T / c:
//     inside:          t = each row by itself, c = Sigma
//     sliding disc:    t across e, c = Sigma_t |s_t| / r; along e the impulse r is given
//     sliding cone:    t = n + sum_k mu_k e_k, c = Sigma_n + sum_k mu_k^2 Sigma_k; t across e, c = Sigma_t
//     |s_t| / (mu x)
// so it has as many rows as the problem, t^T G with c for Sigma and t^T q, each free or held, and the same
// pattern. Castro, Permenter & Han, "An unconstrained convex formulation of compliant contact", IEEE Trans.
// Robotics 39 (2023) 1301-1320; Todorov, "Convex and analytically-invertible dynamics with contacts and
// constraints", ICRA 2014.
#pragma once

#include <span>
#include <vector>

#include "hardpan/solve/active_set.h"
#include "hardpan/solve/friction.h"
#include "hardpan/solve/row_table.h"

namespace hardpan::solve {

struct Disc {
  std::size_t normal, first, count;
  double mu, radius;
};

// The rows of a piece: numbers of its own in the pattern of a table.
class PieceRows final : public RowGroup {
 public:
  void copy(const RowTable& rows);
  // Row i becomes the sum of factor times row k of the table over (k, factor).
  void clear_row(std::size_t i);
  void add_row(std::size_t i, std::size_t k, double factor);
  double* sigma_of(std::size_t i) { return &sigma_[i]; }
  std::span<const double> coefficients(const RowTable::Term& term) const {
    return {&coefficients_[term.first], term.size};
  }
  void set_bounds(std::size_t i, double lower, double upper) { lower_[i] = lower, upper_[i] = upper; }

  std::size_t rows() const override { return sigma_.size(); }
  std::span<const double> sigma() const override { return sigma_; }
  std::span<const double> rhs() const override { return rhs_; }
  std::span<const double> lower() const override { return lower_; }
  std::span<const double> upper() const override { return upper_; }
  std::span<const double> start() const override { return rhs_; }  // never asked for
  void apply(std::span<const double> v, std::span<double> out) const override;
  void apply_transpose(std::span<const double> lambda, std::span<double> out) const override;
  void assemble(std::size_t first_row, MatrixSink& sink) const override;
  void write(std::ostream&) const override {}  // never stored

 private:
  const RowTable* table_ = nullptr;
  std::vector<double> coefficients_, sigma_, rhs_, lower_, upper_;
};

class FrictionMap {
 public:
  void cones(const RowTable& rows);              // the convex law
  void discs(const RowTable& rows, bool boxes);  // radii zero
  std::span<Disc> discs() { return discs_; }
  std::span<const Disc> discs() const { return discs_; }

  // lambda = P(s)
  void project(const RowTable& rows, std::span<const double> s, std::span<double> lambda) const;

  // The piece at s: rows, and which of them are held, at which impulse.
  void linearise(const RowTable& rows, std::span<const double> s);
  // Instead of holding the rows along s of discs that slide: bounds of plus and minus their radius; and zero
  // for discs without one.
  void bound_slides(std::span<const double> s);
  const PieceRows& rows() const { return piece_; }
  std::span<const RowState> states() const { return states_; }
  std::span<const double> held() const { return held_; }
  // s of a solution of the piece: its impulses and, of its rows that are held, w = G v + Sigma lambda - q.
  // Rows that are free have w = 0 but for rounding, which the division by Sigma would blow up: give zero.
  void recover(const RowTable& rows, std::span<const double> lambda, std::span<const double> w,
               std::span<double> s) const;

 private:
  void hold(std::size_t row, double lambda);
  void rotate(const Disc& disc, std::span<const double> s, double value);
  void linearise_cone(const RowTable& rows, const RowTable::Contact& contact, std::span<const double> s);
  double convex_normal(const RowTable& rows, const RowTable::Contact& contact,
                       std::span<const double> s) const;

  bool convex_ = false;
  std::vector<Disc> discs_;  // convex: of all cones, radii of the last piece
  PieceRows piece_;
  std::vector<RowState> states_;
  std::vector<double> held_, at_;  // at_: s of the piece
};

}  // namespace hardpan::solve
