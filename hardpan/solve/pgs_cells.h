// Contacts as projected Gauss-Seidel (pgs_solver.h) wants them: a normal and two rows of friction over at
// most two velocity blocks, in one piece of seven cache lines, with all that a visit needs.
//
// Velocities are scaled by the Cholesky factor of the mass, u = L^T v with A = L L^T, six numbers per block.
// Then A^-1 G^T becomes J^T with J = G L^-T: the same 12 numbers per row serve w = J u + Sigma lambda - q and
// u += J^T d lambda, half of what has to be fetched otherwise. The 3 x 3 block D = J J^T + Sigma tells how
// w_t answers d lambda_n, so that the three sums of w can run side by side, and yet friction sees the new
// normal.
//
//     cone    lambda_n := max(0, lambda_n - w_n / D_nn), then with the new w_t and radius r = mu lambda_n:
//             lambda_t - D_tt^-1 w_t if that lies within r (sticks), else lambda_t - w_t/rho brought back to
//             r, with rho >= D_tt (Gershgorin): descent for given normals, either way, and at rest only at
//             the law.
//     box     each row in turn, lambda_i := clamp(lambda_i - w_i / D_ii, -r, r)
//     convex  lambda - w/rho to the nearest point of the cone in the metric rho = (rho_n, rho_t, rho_t) >= D.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "hardpan/solve/friction.h"

namespace hardpan::solve::pgs {

// GCC and Clang: two doubles at once, in every x86-64 and AArch64.
using Pair [[gnu::vector_size(16), gnu::may_alias]] = double;

struct alignas(64) Cell {
  std::array<double, 36> j;      // three rows of 12
  std::array<double, 3> lambda;  // n, t, t
  std::array<double, 3> q;
  double sigma_n, sigma_t, mu;
  double over_n;               // 1/D_nn; convex: 1/rho_n
  std::array<double, 2> d_tn;  // D_tn
  std::array<double, 3> tt;    // cone: D_tt^-1 as (11, 12, 22); box: 1/D_11, D_12, 1/D_22
  std::array<double, 2> tn;    // cone: D_tt^-1 D_tn
  double rho_t, over_t;        // and 1/rho_t
  std::uint32_t a, b;          // where the blocks begin in u
};
static_assert(sizeof(Cell) == 448);

// From j, q, sigma, mu and lambda: the rest.
void complete(Cell& cell, Friction friction);

struct Sums {
  double n, t1, t2;
};

[[gnu::always_inline]] inline Sums products(const Cell& cell, const double* a, const double* b) {
  const auto *const x = reinterpret_cast<const Pair*>(a), *const y = reinterpret_cast<const Pair*>(b);
  const auto row = [&](std::size_t first) {
    const auto* const j = reinterpret_cast<const Pair*>(&cell.j[first]);
    const Pair sum = (j[0] * x[0] + j[1] * x[1] + j[2] * x[2]) + (j[3] * y[0] + j[4] * y[1] + j[5] * y[2]);
    return sum[0] + sum[1];
  };
  return {row(0), row(12), row(24)};
}

[[gnu::always_inline]] inline void push(const Cell& cell, double* a, double* b, const Sums& d) {
  const Pair n{d.n, d.n}, s{d.t1, d.t1}, t{d.t2, d.t2};
  const auto add = [&](std::size_t k, double* x) {
    *reinterpret_cast<Pair*>(x) += n * *reinterpret_cast<const Pair*>(&cell.j[k]) +
                                   s * *reinterpret_cast<const Pair*>(&cell.j[12 + k]) +
                                   t * *reinterpret_cast<const Pair*>(&cell.j[24 + k]);
  };
  for (std::size_t k = 0; k < 6; k += 2) add(k, a + k);
  for (std::size_t k = 0; k < 6; k += 2) add(6 + k, b + k);
}

inline double larger(double a, double b) { return a > b ? a : b; }

// One visit. Returns what the contact missed, m/s: zero only where its law holds; NaN where numbers are.
template <Friction law>
[[gnu::always_inline]] inline double relax(Cell& cell, double* u) {
  double *const a = u + cell.a, *const b = u + cell.b;
  Sums w = products(cell, a, b);
  const auto [n, t1, t2] = cell.lambda;
  w.n += cell.sigma_n * n - cell.q[0];
  w.t1 += cell.sigma_t * t1 - cell.q[1];
  w.t2 += cell.sigma_t * t2 - cell.q[2];
  double error = 0;
  std::array<double, 3>& next = cell.lambda;
  if constexpr (law == Friction::convex) {
    next = {n - w.n * cell.over_n, t1 - w.t1 * cell.over_t, t2 - w.t2 * cell.over_t};
    std::array terms = {ConeTerm{cell.mu, norm(&next[1], 2), cell.rho_t}};
    next[0] = larger(0.0, cone_balance(next[0], 1 / cell.over_n, terms));
    into_disc(&next[1], 2, cell.mu * next[0]);
    error = std::abs(next[0] - n) / cell.over_n;
  } else {
    next[0] = larger(0.0, n - w.n * cell.over_n);
    error = n > 0 || w.n < 0 ? std::abs(w.n) : 0.0;
    const double d_n = next[0] - n, r = cell.mu * next[0];
    // Where it would stick, but for the new normal: these need not wait for it.
    const double stick_1 = t1 - cell.tt[0] * w.t1 - cell.tt[1] * w.t2;
    const double stick_2 = t2 - cell.tt[1] * w.t1 - cell.tt[2] * w.t2;
    w.t1 += cell.d_tn[0] * d_n;
    w.t2 += cell.d_tn[1] * d_n;
    if constexpr (law == Friction::box) {
      next[1] = std::min(r, larger(-r, t1 - w.t1 * cell.tt[0]));
      w.t2 += cell.tt[1] * (next[1] - t1);
      next[2] = std::min(r, larger(-r, t2 - w.t2 * cell.tt[2]));
    } else {
      next[1] = stick_1 - cell.tn[0] * d_n;
      next[2] = stick_2 - cell.tn[1] * d_n;
      if (!(next[1] * next[1] + next[2] * next[2] <= r * r)) {
        next[1] = t1 - w.t1 * cell.over_t;
        next[2] = t2 - w.t2 * cell.over_t;
        into_disc(&next[1], 2, r);
      }
    }
  }
  const Sums d{next[0] - n, next[1] - t1, next[2] - t2};
  push(cell, a, b, d);
  const double slip = cell.rho_t * larger(std::abs(d.t1), std::abs(d.t2));
  error = larger(slip, error);
  return error + 0 * (w.n + d.n + d.t1 + d.t2);  // NaN and infinity show
}

}  // namespace hardpan::solve::pgs
