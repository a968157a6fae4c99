#include "hardpan/solve/pgs_cells.h"

#include <algorithm>
#include <cmath>

namespace hardpan::solve::pgs {

void complete(Cell& cell, Friction friction) {
  const auto product = [&](std::size_t r, std::size_t s) {
    double sum = 0;
    for (std::size_t k = 0; k < 12; ++k) sum += cell.j[12 * r + k] * cell.j[12 * s + k];
    return sum;
  };
  const double nn = product(0, 0) + cell.sigma_n, d12 = product(1, 2);
  const double d11 = product(1, 1) + cell.sigma_t, d22 = product(2, 2) + cell.sigma_t;
  cell.d_tn = {product(0, 1), product(0, 2)};
  const double n1 = std::abs(cell.d_tn[0]), n2 = std::abs(cell.d_tn[1]);
  if (friction == Friction::convex) {
    cell.over_n = 1 / (nn + n1 + n2);
    cell.rho_t = std::max(d11 + n1, d22 + n2) + std::abs(d12);
  } else {
    cell.over_n = 1 / nn;
    cell.rho_t = std::max(d11, d22) + std::abs(d12);
  }
  cell.over_t = 1 / cell.rho_t;
  const double over_det = 1 / (d11 * d22 - d12 * d12);
  if (friction == Friction::box)
    cell.tt = {1 / d11, d12, 1 / d22};
  else
    cell.tt = {d22 * over_det, -d12 * over_det, d11 * over_det};
  cell.tn = {cell.tt[0] * cell.d_tn[0] + cell.tt[1] * cell.d_tn[1],
             cell.tt[1] * cell.d_tn[0] + cell.tt[2] * cell.d_tn[1]};
}

namespace {

template <Friction law>
[[gnu::always_inline]] inline double sweep_all(std::span<Cell> cells, bool forward, double* u) {
  double worst = 0, sum = 0;
  for (std::size_t k = 0; k < cells.size(); ++k) {
    const double error = relax<law>(cells[forward ? k : cells.size() - 1 - k], u);
    worst = larger(error, worst);
    sum += error;
  }
  return std::isfinite(sum) ? worst : sum - sum;
}

[[gnu::always_inline]] inline double sweep_law(Friction law, std::span<Cell> cells, bool forward, double* u) {
  switch (law) {
    case Friction::cone:
      return sweep_all<Friction::cone>(cells, forward, u);
    case Friction::box:
      return sweep_all<Friction::box>(cells, forward, u);
    default:
      return sweep_all<Friction::convex>(cells, forward, u);
  }
}

#ifdef __x86_64__
[[gnu::target("avx2")]] double sweep_by_fours(Friction law, std::span<Cell> cells, bool forward, double* u) {
  return sweep_law(law, cells, forward, u);
}
#endif

}  // namespace

double sweep(Friction law, std::span<Cell> cells, bool forward, double* u) {
#ifdef __x86_64__
  static const bool fours = __builtin_cpu_supports("avx2");
  if (fours) return sweep_by_fours(law, cells, forward, u);
#endif
  return sweep_law(law, cells, forward, u);
}

}  // namespace hardpan::solve::pgs
