// Cost of a step and of its parts for chains of links: it should grow in proportion to the number of links.
#include <sstream>

#include <benchmark/benchmark.h>

#include "hardpan/scenario/build.h"
#include "hardpan/scenario/run.h"
#include "hardpan/solve/direct_solver.h"

namespace {

using namespace hardpan;

std::unique_ptr<scenario::Simulation> chain(int links) {
  std::ostringstream text;
  text << "hardpan: 1\ntime: {end: 1, step: 1.0e-3}\nbodies:\n";
  for (int i = 0; i < links; ++i)
    text << "  l" << i << ": {mass: 0.5, shape: {kind: box, size: [0.1, 0.02, 0.02]}, position: ["
         << 0.05 + 0.1 * i << ", 0, 0]}\n";
  text << "joints:\n";
  for (int i = 0; i < links; ++i)
    text << "  j" << i << ": {kind: hinge, between: [" << (i == 0 ? "world" : "l" + std::to_string(i - 1))
         << ", l" << i << "], at: [" << 0.1 * i << ", 0, 0], axis: [0, 1, 0]}\n";
  return scenario::build(scenario::load_text(text.str(), "chain").resolved);
}

void ChainStep(benchmark::State& state) {
  const auto simulation = chain(static_cast<int>(state.range(0)));
  for (auto _ : state) {
    const auto report = simulation->stepper.step();
    if (!report.ok) return state.SkipWithError(report.reason.c_str());
  }
  state.SetComplexityN(state.range(0));
  state.counters["us_per_link"] =
      benchmark::Counter(static_cast<double>(state.range(0)) * 1e-6,
                         benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}
BENCHMARK(ChainStep)->Arg(1)->Arg(10)->Arg(100)->Arg(1000)->Unit(benchmark::kMicrosecond)->Complexity();

void ChainSolve(benchmark::State& state) {
  const auto simulation = chain(static_cast<int>(state.range(0)));
  if (!simulation->stepper.step().ok) return state.SkipWithError("the step failed");
  const solve::Problem& problem = simulation->stepper.problem();
  std::vector<double> v(problem.velocities()), lambda(problem.rows());
  solve::DirectSolver solver;
  for (auto _ : state) {
    auto report = solver.solve(problem, v, lambda);
    benchmark::DoNotOptimize(report.ok);
  }
  state.SetComplexityN(state.range(0));
}
BENCHMARK(ChainSolve)->Arg(1)->Arg(10)->Arg(100)->Arg(1000)->Unit(benchmark::kMicrosecond)->Complexity();

}  // namespace
