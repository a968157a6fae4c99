#include "hardpan/solve/apgd_cells.h"

#include <cmath>

#include "hardpan/solve/pgs_cells.h"

namespace hardpan::solve::apgd {
namespace {

using pgs::Pair;
using pgs::Quad;
using pgs::Velocities;

[[gnu::always_inline]] inline void push_all(std::span<const Cell> cells, const double* x, double* u) {
  for (const Cell& cell : cells) {
    const double n = x[cell.row], s = x[cell.row + 1], t = x[cell.row + 2];
    if (n == 0) continue;  // then friction is, too
    double *const a = u + cell.a, *const b = u + cell.b;
    Velocities velocities(a, b);
    const auto* const j = reinterpret_cast<const Quad*>(cell.j.data());
    velocities.a += n * j[0] + s * j[3] + t * j[6];
    velocities.ab += n * j[1] + s * j[4] + t * j[7];
    velocities.b += n * j[2] + s * j[5] + t * j[8];
    velocities.store(a, b);
  }
}

[[gnu::always_inline]] inline void rate_all(std::span<const Cell> cells, const double* u, const double* x,
                                            double* out) {
  for (const Cell& cell : cells) {
    const Velocities velocities(u + cell.a, u + cell.b);
    const double* const at = x + cell.row;
    double* const to = out + cell.row;
    const Pair t = pgs::products(&cell.j[12], &cell.j[24], velocities);
    to[0] = pgs::product(&cell.j[0], velocities) + cell.sigma_n * at[0];
    to[1] = t[0] + cell.sigma_t * at[1];
    to[2] = t[1] + cell.sigma_t * at[2];
  }
}

#if defined(__x86_64__) && defined(__OPTIMIZE__)
[[gnu::target("avx2")]] void push_by_fours(std::span<const Cell> cells, const double* x, double* u) {
  push_all(cells, x, u);
}
[[gnu::target("avx2")]] void rates_by_fours(std::span<const Cell> cells, const double* u, const double* x,
                                            double* out) {
  rate_all(cells, u, x, out);
}
const bool fours = __builtin_cpu_supports("avx2");
#endif

}  // namespace

void push(std::span<const Cell> cells, const double* x, double* u) {
#if defined(__x86_64__) && defined(__OPTIMIZE__)
  if (fours) return push_by_fours(cells, x, u);
#endif
  push_all(cells, x, u);
}

void rates(std::span<const Cell> cells, const double* u, const double* x, double* out) {
#if defined(__x86_64__) && defined(__OPTIMIZE__)
  if (fours) return rates_by_fours(cells, u, x, out);
#endif
  rate_all(cells, u, x, out);
}

// Inside, in the polar cone, or else on the surface.
void project(std::span<const Cell> cells, double* x) {
  for (const Cell& cell : cells) {
    double &n = x[cell.row], &s = x[cell.row + 1], &t = x[cell.row + 2];
    const double size = std::sqrt(s * s + t * t), mu = cell.mu;
    if (size <= mu * n) continue;
    const double along = n + mu * size;
    if (!(along > 0)) {
      n = s = t = 0 * (n + s + t);  // NaN shows
      continue;
    }
    n = along / (1 + mu * mu);
    const double scale = mu * n / size;
    s *= scale;
    t *= scale;
  }
}

}  // namespace hardpan::solve::apgd
