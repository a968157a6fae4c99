// Cost of grains in a bed at rest: the scenarios bed-* without their preparation, after 0.02 s in which they
// come to touch. `items_per_second` is grains times steps of theirs per second, on one thread.
#include <string>

#include <benchmark/benchmark.h>

#include "hardpan/core/parallel.h"
#include "hardpan/scenario/build.h"
#include "hardpan/scenario/run.h"

namespace {

using namespace hardpan;

void bed(benchmark::State& state) {
  const auto count = std::to_string(state.range(0));
  const auto simulation =
      scenario::build(scenario::load(HARDPAN_SOURCE_DIR "/scenarios/bench/bed-" + count + ".yaml").resolved);
  const int threads = thread_count();
  set_thread_count(1);
  for (int k = 0; k < 200; ++k)
    if (const solve::StepReport report = simulation->stepper.step(); !report.ok)
      return state.SkipWithError(report.reason.c_str());
  for (auto _ : state) benchmark::DoNotOptimize(simulation->stepper.step());
  const double steps = simulation->stepper.step_size() / simulation->grains->model().step;
  state.counters["contacts_per_grain"] = simulation->grains->grains().coordination();
  state.SetItemsProcessed(static_cast<std::int64_t>(static_cast<double>(state.iterations()) * steps *
                                                    static_cast<double>(state.range(0))));
  set_thread_count(threads);
}
BENCHMARK(bed)->Arg(1800)->Arg(50000)->Unit(benchmark::kMillisecond);

}  // namespace
