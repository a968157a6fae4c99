// Cost of soft grains: `items_per_second` is spheres times steps of theirs per second. Beds at rest
// (scenarios bed-* without their preparation, after a time in which they come to touch), of spheres of many
// sizes, a drum and a silo in which all moves. Arguments: spheres, threads. `bytes` is what a sphere takes,
// all included.
#include <string>

#include <benchmark/benchmark.h>
#include <malloc.h>

#include "hardpan/core/parallel.h"
#include "hardpan/scenario/build.h"
#include "hardpan/scenario/run.h"

namespace {

using namespace hardpan;

// `first` steps of the machine are not measured.
void step_grains(benchmark::State& state, const std::string& name, int first) {
  const int threads_before = thread_count();
  set_thread_count(static_cast<int>(state.range(1)));
  const std::size_t bytes_before = mallinfo2().uordblks + mallinfo2().hblkhd;
  const auto simulation =
      scenario::build(scenario::load(HARDPAN_SOURCE_DIR "/scenarios/bench/" + name + ".yaml").resolved);
  for (int k = 0; k < first; ++k)
    if (const solve::StepReport report = simulation->stepper.step(); !report.ok)
      return state.SkipWithError(report.reason.c_str());
  for (auto _ : state) benchmark::DoNotOptimize(simulation->stepper.step());
  const grains::System& grains = simulation->grains->grains();
  const auto count = static_cast<double>(grains.size());
  const double steps = simulation->stepper.step_size() / simulation->grains->model().step;
  state.counters["contacts"] = grains.coordination();
  state.counters["bytes"] =
      static_cast<double>(mallinfo2().uordblks + mallinfo2().hblkhd - bytes_before) / count;
  state.SetItemsProcessed(static_cast<std::int64_t>(static_cast<double>(state.iterations()) * steps * count));
  set_thread_count(threads_before);
}

void bed(benchmark::State& state) {
  step_grains(state, "bed-" + std::to_string(state.range(0)), state.range(0) > 100'000 ? 60 : 200);
}
void bed_of_many_sizes(benchmark::State& state) { step_grains(state, "bed-sizes", 200); }
void drum(benchmark::State& state) { step_grains(state, "drum", 1000); }
void silo(benchmark::State& state) { step_grains(state, "silo", 1000); }

BENCHMARK(bed)->ArgsProduct({{1800, 50'000, 500'000}, {1, 2}})->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(bed_of_many_sizes)->Args({50'000, 1})->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(drum)->Args({50'000, 1})->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(silo)->Args({50'000, 1})->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
