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
#include <limits>
#include <span>

#include "hardpan/solve/friction.h"

namespace hardpan::solve::pgs {

// GCC and Clang: two and four doubles at once. Where the machine has no registers for four, the compiler
// takes two of two: the same sums, the same bits.
using Pair [[gnu::vector_size(16), gnu::may_alias, gnu::aligned(8)]] = double;
using Quad [[gnu::vector_size(32), gnu::may_alias, gnu::aligned(8)]] = double;

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

// The twelve velocities of a contact.
struct Velocities {
  Quad a, ab, b;

  [[gnu::always_inline]] Velocities(const double* from_a, const double* from_b)
      : a(*reinterpret_cast<const Quad*>(from_a)),
        ab(__builtin_shufflevector(*reinterpret_cast<const Pair*>(from_a + 4),
                                   *reinterpret_cast<const Pair*>(from_b), 0, 1, 2, 3)),
        b(*reinterpret_cast<const Quad*>(from_b + 2)) {}

  [[gnu::always_inline]] void store(double* to_a, double* to_b) const {
    *reinterpret_cast<Quad*>(to_a) = a;
    *reinterpret_cast<Pair*>(to_a + 4) = __builtin_shufflevector(ab, ab, 0, 1);
    *reinterpret_cast<Pair*>(to_b) = __builtin_shufflevector(ab, ab, 2, 3);
    *reinterpret_cast<Quad*>(to_b + 2) = b;
  }
};

[[gnu::always_inline]] inline double product(const double* row, const Velocities& u) {
  const auto* const j = reinterpret_cast<const Quad*>(row);
  const Quad four = (j[0] * u.a + j[1] * u.ab) + j[2] * u.b;
  const Pair two = __builtin_shufflevector(four, four, 0, 1) + __builtin_shufflevector(four, four, 2, 3);
  return two[0] + two[1];
}

[[gnu::always_inline]] inline Sums products(const Cell& cell, const Velocities& u) {
  return {product(&cell.j[0], u), product(&cell.j[12], u), product(&cell.j[24], u)};
}

[[gnu::always_inline]] inline void push(const Cell& cell, const Sums& d, Velocities& u) {
  const auto* const j = reinterpret_cast<const Quad*>(cell.j.data());
  u.a += d.n * j[0] + d.t1 * j[3] + d.t2 * j[6];
  u.ab += d.n * j[1] + d.t1 * j[4] + d.t2 * j[7];
  u.b += d.n * j[2] + d.t1 * j[5] + d.t2 * j[8];
}

// u += J^T lambda
inline void push(const Cell& cell, double* u) {
  const auto [n, t1, t2] = cell.lambda;
  const double* j = cell.j.data();
  for (double* const to : {u + cell.a, u + cell.b}) {
    for (std::size_t k = 0; k < 6; ++k) to[k] += n * j[k] + t1 * j[12 + k] + t2 * j[24 + k];
    j += 6;
  }
}

inline double larger(double a, double b) { return a > b ? a : b; }

// All of them once, forwards or backwards. Returns the largest that a contact missed, m/s; NaN where numbers
// are.
double sweep(Friction law, std::span<Cell> cells, bool forward, double* u);

// One visit. Returns what the contact missed, m/s: zero only where its law holds; NaN where numbers are.
template <Friction law>
[[gnu::always_inline]] inline double relax(Cell& cell, double* u) {
  double *const a = u + cell.a, *const b = u + cell.b;
  Velocities velocities(a, b);
  const auto [n, t1, t2] = cell.lambda;
  Sums w;
  w.n = product(&cell.j[0], velocities);
  w.n += cell.sigma_n * n - cell.q[0];
  if (law != Friction::convex && (n == 0) & (w.n >= 0)) return 0;
  w.t1 = product(&cell.j[12], velocities), w.t2 = product(&cell.j[24], velocities);
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
    error = (n > 0) | (w.n < 0) ? std::abs(w.n) : 0.0;
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
      // Both, and no branch: which it is, nobody can predict.
      const double sticks_1 = stick_1 - cell.tn[0] * d_n, sticks_2 = stick_2 - cell.tn[1] * d_n;
      double slides_1 = t1 - w.t1 * cell.over_t, slides_2 = t2 - w.t2 * cell.over_t;
      const double size = std::sqrt(slides_1 * slides_1 + slides_2 * slides_2);
      const double scale = r / (larger(size, r) + std::numeric_limits<double>::min());  // 0 where r is
      slides_1 *= scale;
      slides_2 *= scale;
      const bool sticks = sticks_1 * sticks_1 + sticks_2 * sticks_2 <= r * r;
      next[1] = sticks ? sticks_1 : slides_1;
      next[2] = sticks ? sticks_2 : slides_2;
    }
  }
  const Sums d{next[0] - n, next[1] - t1, next[2] - t2};
  push(cell, d, velocities);
  velocities.store(a, b);
  const double slip = cell.rho_t * larger(std::abs(d.t1), std::abs(d.t2));
  error = larger(slip, error);
  return error + 0 * (w.n + d.n + d.t1 + d.t2);  // NaN and infinity show
}

}  // namespace hardpan::solve::pgs
