// Three laws for the rows of a cone, |lambda_t| <= mu lambda_n (problem.h). w = G v + Sigma lambda - q, so
// rows of friction creep by Sigma lambda, in all three of them.
//
//     cone    Coulomb. The normal is complementary to its own w_n alone; friction opposes sliding:
//                 w_t = 0 where |lambda_t| < mu lambda_n,   w_t = -s lambda_t, s >= 0, where |lambda_t| = mu
//                 lambda_n.
//             With the normals given it is the minimum of a convex function over discs, with all unknowns it
//             is not: there may be more than one solution, and no bound of the distance to one (solver.h).
//     box     As cone, but each row of friction by itself: |lambda_i| <= mu lambda_n. Depends on the choice
//             of the tangents; up to sqrt(2) times as strong along their diagonals.
//     convex  lambda in the cone K, w in its dual cone K*, lambda . w = 0: minimum of a convex function,
//             one solution. A sliding contact has w_n = mu |w_t|: it opens (Anitescu & Hart, "A fixed-point
//             iteration approach for multibody dynamics with contact and small friction", Math. Program. 101
//             (2004) 3-32; THEORY 1).
//
// Error of a row: as in row_error(), the smallest change of q with which the result would be exact, lambda
// being what it is. w has to lie in a set N(lambda) (minus the normal cone of the admissible lambda), so it
// is w minus its nearest point of N, smallest in the Euclidean norm of a contact's rows as they stand, m/s
// and rad/s:
//     cone, sliding:  w_t + s lambda_t/|lambda_t|,  s = max(0, -w_t . lambda_t/|lambda_t|)
//     convex, lambda = 0:  N = K* = { w_n >= sum_k mu_k |w_k| },  k: the cones of one normal
//     convex, sliding:     N = { w_n = sum_k mu_k s_k, w_k = -s_k lambda_k/|lambda_k|, s_k >= 0 }.
// In both, s_k = max(0, a_k - theta mu_k) and w_n + theta = sum_k mu_k s_k, with a_k = |w_k| or
// -w_k . lambda_k/|lambda_k|: one scalar equation, piecewise linear, solved by cone_balance().
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <span>

#include "hardpan/solve/row_table.h"
#include "hardpan/solve/solver.h"

namespace hardpan::solve {

inline double norm(const double* x, std::size_t count) {
  if (count == 1) return std::abs(x[0]);
  if (count == 2) return std::sqrt(x[0] * x[0] + x[1] * x[1]);
  return std::sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
}

// Is an impulse of this size on the rim of its disc, but for the rounding of a projection?
inline bool on_rim(double size, double radius) { return size >= radius * (1 - 1e-12); }

// x in place: its nearest point of a disc around zero. A single number is put on the rim exactly.
inline void into_disc(double* x, std::size_t count, double radius) {
  const double size = norm(x, count);
  if (!(size > radius)) return;
  if (count == 1) {
    x[0] = std::copysign(radius, x[0]);
    return;
  }
  const double scale = radius / size;
  for (std::size_t k = 0; k < count; ++k) x[k] *= scale;
}

// The x that solves  weight (x - start) = sum_k weight_k mu_k max(0, size_k - mu_k x),  x >= start: of a
// function that falls in x, so cones join in the order of size_k / mu_k for as long as they are positive at
// the x found.
struct ConeTerm {
  double mu, size, weight;
};
double cone_balance(double start, double weight, std::span<ConeTerm> terms);

// Of all rows, plain ones too: w becomes the errors.
void row_errors(const RowTable& rows, Friction friction, std::span<const double> lambda, std::span<double> w);

// Puts impulses where their law allows them: plain rows between their bounds, friction within mu times its
// normal as it is. Numbers that are not finite become zero.
void admit(const RowTable& rows, Friction friction, std::span<double> lambda);

}  // namespace hardpan::solve
