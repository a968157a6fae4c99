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

[[gnu::always_inline]] inline Pair halves(const double* row, const Velocities& u) {
  const auto* const j = reinterpret_cast<const Quad*>(row);
  const Quad four = (j[0] * u.a + j[1] * u.ab) + j[2] * u.b;
  return __builtin_shufflevector(four, four, 0, 1) + __builtin_shufflevector(four, four, 2, 3);
}

// Of a row, and of two rows at once.
[[gnu::always_inline]] inline double product(const double* row, const Velocities& u) {
  const Pair two = halves(row, u);
  return two[0] + two[1];
}
[[gnu::always_inline]] inline Pair products(const double* row, const double* other, const Velocities& u) {
  const Pair x = halves(row, u), y = halves(other, u);
  return __builtin_shufflevector(x, y, 0, 2) + __builtin_shufflevector(x, y, 1, 3);
}

[[gnu::always_inline]] inline void push(const Cell& cell, double n, const Pair& t, Velocities& u) {
  const auto* const j = reinterpret_cast<const Quad*>(cell.j.data());
  u.a += n * j[0] + t[0] * j[3] + t[1] * j[6];
  u.ab += n * j[1] + t[0] * j[4] + t[1] * j[7];
  u.b += n * j[2] + t[0] * j[5] + t[1] * j[8];
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
// Likewise some of them; `changed` gets by how much an impulse of each did, N s.
double sweep(Friction law, std::span<Cell> cells, std::span<const std::uint32_t> which, bool forward,
             double* u, double* changed);

[[gnu::always_inline]] inline Pair pair_at(const double* from) {
  return *reinterpret_cast<const Pair*>(from);
}
[[gnu::always_inline]] inline double square(const Pair& x) { return x[0] * x[0] + x[1] * x[1]; }

// One visit. Returns what the contact missed, m/s: zero only where its law holds; NaN where numbers are. The
// cell is written last: what it holds need not be kept aside then.
template <Friction law>
[[gnu::always_inline]] inline double relax(Cell& cell, double* u) {
  double *const a = u + cell.a, *const b = u + cell.b;
  Velocities velocities(a, b);
  const double n = cell.lambda[0], w_n = product(&cell.j[0], velocities) + (cell.sigma_n * n - cell.q[0]);
  if (law != Friction::convex && (n == 0) & (w_n >= 0)) return 0;
  const Pair t = pair_at(&cell.lambda[1]);
  Pair w = products(&cell.j[12], &cell.j[24], velocities) + (cell.sigma_t * t - pair_at(&cell.q[1]));
  double next_n, error;
  Pair next_t;
  if constexpr (law == Friction::convex) {
    next_t = t - w * cell.over_t;
    std::array terms = {ConeTerm{cell.mu, std::sqrt(square(next_t)), cell.rho_t}};
    next_n = larger(0.0, cone_balance(n - w_n * cell.over_n, 1 / cell.over_n, terms));
    into_disc(reinterpret_cast<double*>(&next_t), 2, cell.mu * next_n);
    error = std::abs(next_n - n) / cell.over_n;
  } else {
    next_n = larger(0.0, n - w_n * cell.over_n);
    error = std::abs(w_n);
    const double d_n = next_n - n, r = cell.mu * next_n;
    if constexpr (law == Friction::box) {
      w += pair_at(&cell.d_tn[0]) * d_n;
      next_t[0] = std::min(r, larger(-r, t[0] - w[0] * cell.tt[0]));
      w[1] += cell.tt[1] * (next_t[0] - t[0]);
      next_t[1] = std::min(r, larger(-r, t[1] - w[1] * cell.tt[2]));
    } else {
      // Where it would stick: all but the last term need not wait for the new normal.
      next_t = t - pair_at(&cell.tt[0]) * w[0] - pair_at(&cell.tt[1]) * w[1] - pair_at(&cell.tn[0]) * d_n;
      if (!(square(next_t) <= r * r)) {
        next_t = t - (w + pair_at(&cell.d_tn[0]) * d_n) * cell.over_t;
        const double size = std::sqrt(square(next_t));
        next_t *= r / (larger(size, r) + std::numeric_limits<double>::min());  // 0 where r is
      }
    }
  }
  const double d_n = next_n - n;
  const Pair d_t = next_t - t;
  push(cell, d_n, d_t, velocities);
  velocities.store(a, b);
  cell.lambda[0] = next_n;
  *reinterpret_cast<Pair*>(&cell.lambda[1]) = next_t;
  error = larger(cell.rho_t * larger(std::abs(d_t[0]), std::abs(d_t[1])), error);
  return error + 0 * (w_n + d_n + d_t[0] + d_t[1]);  // NaN and infinity show
}

}  // namespace hardpan::solve::pgs
