#include "hardpan/solve/apgd_cells.h"

#include <algorithm>
#include <numeric>

#include "hardpan/solve/pgs_cells.h"

namespace hardpan::solve::apgd {
namespace {

using pgs::Pair;
using pgs::Quad;
using pgs::Velocities;

constexpr std::size_t wave = 128;  // cells, 64 kB
constexpr std::size_t ahead = 16;  // cells that are fetched before they are needed

// Inside, in the polar cone, or else on the surface.
[[gnu::always_inline]] inline void project_one(double mu, double& n, double& s, double& t) {
  const double square = s * s + t * t;
  if (n >= 0 && square <= mu * mu * n * n) return;
  const double size = std::sqrt(square), along = n + mu * size;
  if (!(along > 0)) {
    n = s = t = 0 * (n + s + t);  // NaN shows
    return;
  }
  n = along / (1 + mu * mu);
  const double scale = mu * n / size;
  s *= scale;
  t *= scale;
}

[[gnu::always_inline]] inline void push_one(const Cell& cell, double n, double s, double t, double* u) {
  double *const a = u + cell.a, *const b = u + cell.b;
  Velocities velocities(a, b);
  const auto* const j = reinterpret_cast<const Quad*>(cell.j.data());
  velocities.a += n * j[0] + s * j[3] + t * j[6];
  velocities.ab += n * j[1] + s * j[4] + t * j[7];
  velocities.b += n * j[2] + s * j[5] + t * j[8];
  velocities.store(a, b);
}

[[gnu::always_inline]] inline void rate_one(const Cell& cell, const double* u, const double* at, double* to) {
  const Velocities velocities(u + cell.a, u + cell.b);
  const Pair t = pgs::products(&cell.j[12], &cell.j[24], velocities);
  to[0] = pgs::product(&cell.j[0], velocities) + cell.sigma_n * at[0];
  to[1] = t[0] + cell.sigma_t * at[1];
  to[2] = t[1] + cell.sigma_t * at[2];
}

[[gnu::always_inline]] inline void push_all(std::span<const Cell> cells, const double* x, double* u) {
  for (const Cell& cell : cells)
    if (x[cell.row] != 0)  // else friction is, too
      push_one(cell, x[cell.row], x[cell.row + 1], x[cell.row + 2], u);
}

[[gnu::always_inline]] inline void rate_all(std::span<const Cell> cells, const double* u, const double* x,
                                            double* out) {
  for (const Cell& cell : cells) rate_one(cell, u, x + cell.row, out + cell.row);
}

// Arrivals of wave w: those from first[w] on.
[[gnu::always_inline]] inline Progress go(std::span<Cell> cells, std::span<const std::uint32_t> arrivals,
                                          std::span<const std::uint32_t> first, const Step& step, double* u) {
  Progress sum;
  for (std::size_t w = 0; w + 1 < first.size(); ++w) {
    for (Cell& cell : cells.subspan(w * wave, std::min(wave, cells.size() - w * wave))) {
      for (std::size_t line = 0; line < sizeof(Cell); line += 64)  // the processor's own guess stops at pages
        __builtin_prefetch(reinterpret_cast<const char*>(&cell) + ahead * sizeof(Cell) + line);
      double n = step.down(cell.points, 0, cell.g[0]), s = step.down(cell.points, 1, cell.g[1]),
             t = step.down(cell.points, 2, cell.g[2]);
      project_one(cell.mu, n, s, t);
      cell.points[step.ring.next].x = {n, s, t};
      if (n != 0) push_one(cell, n, s, t, u);
    }
    for (const std::uint32_t c : arrivals.subspan(first[w], first[w + 1] - first[w])) {
      Cell& cell = cells[c];
      Point<3>& next = cell.points[step.ring.next];
      rate_one(cell, u, next.x.data(), next.nx.data());
      for (std::size_t k = 0; k < 3; ++k) sum.include(step, cell.points, k, cell.g[k], cell.gauge);
    }
  }
  return sum;
}

#if defined(__x86_64__) && defined(__OPTIMIZE__)
[[gnu::target("avx2")]] void push_by_fours(std::span<const Cell> cells, const double* x, double* u) {
  push_all(cells, x, u);
}
[[gnu::target("avx2")]] void rates_by_fours(std::span<const Cell> cells, const double* u, const double* x,
                                            double* out) {
  rate_all(cells, u, x, out);
}
[[gnu::target("avx2")]] Progress go_by_fours(std::span<Cell> cells, std::span<const std::uint32_t> arrivals,
                                             std::span<const std::uint32_t> first, const Step& step,
                                             double* u) {
  return go(cells, arrivals, first, step, u);
}
const bool fours = __builtin_cpu_supports("avx2");
#endif

}  // namespace

void project(double mu, double& n, double& s, double& t) { project_one(mu, n, s, t); }

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

void Waves::plan(std::span<const Cell> cells, std::size_t ground) {
  const auto wave_of = [](std::size_t c) { return static_cast<std::uint32_t>(c / wave); };
  last_.assign(ground / 6 + 2, 0);
  for (std::size_t c = 0; c < cells.size(); ++c) last_[cells[c].a / 6] = last_[cells[c].b / 6] = wave_of(c);
  const auto ready = [&](std::size_t c) {
    std::uint32_t when = wave_of(c);
    for (const std::uint32_t block : {cells[c].a, cells[c].b})
      if (block < ground) when = std::max(when, last_[block / 6]);
    return when;
  };
  // first_[w + 1] is where wave w begins until it is filled, and where it ends then.
  first_.assign((cells.size() + wave - 1) / wave + 2, 0);
  for (std::size_t c = 0; c < cells.size(); ++c) ++first_[ready(c) + 2];
  std::partial_sum(first_.begin(), first_.end(), first_.begin());
  arrivals_.resize(cells.size());
  for (std::size_t c = 0; c < cells.size(); ++c)
    arrivals_[first_[ready(c) + 1]++] = static_cast<std::uint32_t>(c);
  first_.pop_back();
}

Progress Waves::run(std::span<Cell> cells, const Step& step, double* u) const {
#if defined(__x86_64__) && defined(__OPTIMIZE__)
  if (fours) return go_by_fours(cells, arrivals_, first_, step, u);
#endif
  return go(cells, arrivals_, first_, step, u);
}

}  // namespace hardpan::solve::apgd
