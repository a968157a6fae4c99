// Projected Gauss-Seidel on a pile: a lattice of 10 x 10 x 10 bodies with 11,200 contacts (33,600 rows).
//   sweeps 1 and 51: their difference is what 50 sweeps cost, without gathering, checks and the report.
//   The floor is what has to be fetched: 448 bytes for a contact, read and mostly not written, from the
//   outermost cache that holds them all (5 MB).
#include <array>

#include <benchmark/benchmark.h>

#include "hardpan/solve/test_contacts.h"

namespace {

using namespace hardpan::solve;

constexpr int edge = 10, points = 4;
constexpr double mu = 0.5, sigma = 1e-6;

void Pile(benchmark::State& state) {
  const auto t = test::lattice_pile(edge, edge, points, mu, sigma, 1);
  const auto law = static_cast<Friction>(state.range(1));
  const auto solver = make_solver({.kind = SolverKind::pgs,
                                   .max_iterations = static_cast<int>(state.range(0)),
                                   .tolerance = 0,
                                   .friction = law});
  std::vector<double> v(t->problem.velocities()), lambda(t->problem.rows());
  for (auto _ : state) {
    t->problem.start(lambda);
    const SolveReport report = solver->solve(t->problem, v, lambda);
    if (!report.ok) return state.SkipWithError(report.reason.c_str());
    state.counters["error, m/s"] = report.residual.velocity;
  }
  const double visits = static_cast<double>(t->contacts.contacts()) * static_cast<double>(state.range(0));
  state.counters["ns/contact/sweep"] = benchmark::Counter(
      1e-9 * visits, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}
BENCHMARK(Pile)
    ->ArgNames({"sweeps", "law"})
    ->ArgsProduct({{1, 51}, {0, 1, 2}})
    ->Unit(benchmark::kMillisecond)
    ->MinTime(0.5);

// Reading as many bytes in the same order: the floor.
void Floor(benchmark::State& state) {
  const std::vector<double> cells(11'200 * 56, 1.0);
  for (auto _ : state) {
    // Enough sums side by side that none waits for the one before it.
    std::array<double, 16> sums{};
    for (std::size_t k = 0; k < cells.size(); k += sums.size())
      for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += cells[k + i];
    benchmark::DoNotOptimize(sums);
  }
  state.counters["ns/contact"] = benchmark::Counter(
      1e-9 * 11'200, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}
BENCHMARK(Floor)->Unit(benchmark::kMicrosecond);

}  // namespace
