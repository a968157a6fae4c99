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

// All cells in their order.
struct All {
  std::span<Cell> cells;
  std::size_t size() const { return cells.size(); }
  template <Friction law>
  [[gnu::always_inline]] double visit(std::size_t k, double* u) const {
    return relax<law>(cells[k], u);
  }
};

// Some, and by how much they change.
struct Some {
  std::span<Cell> cells;
  std::span<const std::uint32_t> which;
  double* changed;
  std::size_t size() const { return which.size(); }
  template <Friction law>
  [[gnu::always_inline]] double visit(std::size_t k, double* u) const {
    Cell& cell = cells[which[k]];
    const std::array<double, 3> before = cell.lambda;
    const double error = relax<law>(cell, u);
    changed[k] = larger(std::abs(cell.lambda[0] - before[0]),
                        larger(std::abs(cell.lambda[1] - before[1]), std::abs(cell.lambda[2] - before[2])));
    return error;
  }
};

template <Friction law, class Visits>
[[gnu::always_inline]] inline double sweep_all(const Visits& visits, bool forward, double* u) {
  double worst = 0, sum = 0;
  for (std::size_t k = 0; k < visits.size(); ++k) {
    const double error = visits.template visit<law>(forward ? k : visits.size() - 1 - k, u);
    worst = larger(error, worst);
    sum += error;
  }
  return std::isfinite(sum) ? worst : sum - sum;
}

template <class Visits>
[[gnu::always_inline]] inline double sweep_law(Friction law, const Visits& visits, bool forward, double* u) {
  switch (law) {
    case Friction::cone:
      return sweep_all<Friction::cone>(visits, forward, u);
    case Friction::box:
      return sweep_all<Friction::box>(visits, forward, u);
    default:
      return sweep_all<Friction::convex>(visits, forward, u);
  }
}

#ifdef __x86_64__
template <class Visits>
[[gnu::target("avx2")]] double sweep_by_fours(Friction law, const Visits& visits, bool forward, double* u) {
  return sweep_law(law, visits, forward, u);
}
#endif

template <class Visits>
double sweep_visits(Friction law, const Visits& visits, bool forward, double* u) {
#ifdef __x86_64__
  static const bool fours = __builtin_cpu_supports("avx2");
  if (fours) return sweep_by_fours(law, visits, forward, u);
#endif
  return sweep_law(law, visits, forward, u);
}

}  // namespace

double sweep(Friction law, std::span<Cell> cells, bool forward, double* u) {
  return sweep_visits(law, All{cells}, forward, u);
}

double sweep(Friction law, std::span<Cell> cells, std::span<const std::uint32_t> which, bool forward,
             double* u, double* changed) {
  return sweep_visits(law, Some{cells, which, changed}, forward, u);
}

}  // namespace hardpan::solve::pgs
