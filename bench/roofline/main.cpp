// What bench/roofline.py puts side by side, as JSON: what one core can do at most (machine.h), how long a
// settled bed of soft grains takes for a step, and how often each instruction is run for it (count.h).
//
//   hardpan_bench_roofline [--bed bed-1800] [--before 0.35] [--steps 1]
#include <algorithm>
#include <chrono>
#include <string>

#include "count.h"
#include "machine.h"
#include <CLI/CLI.hpp>
#include <fmt/core.h>

#include "hardpan/core/error.h"
#include "hardpan/core/parallel.h"
#include "hardpan/grains/contacts.h"
#include "hardpan/math/widest.h"
#include "hardpan/scenario/build.h"
#include "hardpan/scenario/run.h"

namespace {

using namespace hardpan;

struct Options {
  std::string bed = "bed-1800";
  double before = 0.35;  // s
  int steps = 1;         // of the machine, that are counted
};

void step(scenario::Simulation& bed, int times) {
  for (int k = 0; k < times; ++k) {
    const solve::StepReport report = bed.stepper.step();
    HARDPAN_CHECK(report.ok, report.reason);
  }
}

// ns of so many, the best of some turns: others may use the machine.
double time_of(scenario::Simulation& bed, int steps) {
  using Clock = std::chrono::steady_clock;
  constexpr int turns = 60, at_once = 20;
  double best = 1e300;
  for (int turn = 0; turn < turns; ++turn) {
    const auto start = Clock::now();
    step(bed, at_once);
    best = std::min(best, std::chrono::duration<double, std::nano>(Clock::now() - start).count());
  }
  return best * steps / at_once;
}

std::string object(const bench::Figures& figures) {
  std::string text;
  for (const auto& [name, figure] : figures)
    text += fmt::format("{}\"{}\": {:.3f}", text.empty() ? "" : ", ", name, figure);
  return "{" + text + "}";
}

void measure(const Options& options) {
  set_thread_count(1);
  fmt::print("{{\"unit\": {}, \"cycles_per_ns\": {:.3f},\n", static_cast<int>(widest_unit()),
             bench::clock_rate());
  fmt::print("\"numbers_per_ns\": {},\n", object(bench::operation_rates()));
  fmt::print("\"read_per_ns\": {:.3f},\n", bench::reading_rate());
  fmt::print("\"changed_per_ns\": {},\n", object(bench::changing_rates()));
  const auto bed = scenario::build(
      scenario::load(HARDPAN_SOURCE_DIR "/scenarios/bench/" + options.bed + ".yaml").resolved);
  while (bed->stepper.time() < options.before) step(*bed, 1);
  const double ns = time_of(*bed, options.steps);
  const grains::System& grains = bed->grains->grains();
  const std::size_t looks = grains.looks();
  fmt::print(stderr, "roofline: {} goes step by step now, for a minute or two\n", options.bed);
  const bench::Counts counts = bench::count_instructions([&] { step(*bed, options.steps); });
  const double own = options.steps * bed->stepper.step_size() / bed->grains->model().step;
  std::size_t on_walls = 0;
  grains.each_touch([&](const grains::WallTouch&) { ++on_walls; });
  fmt::print(
      "\"bed\": \"{}\", \"spheres\": {}, \"steps\": {:.0f}, \"ns\": {:.0f}, \"pairs\": {}, \"on_walls\": "
      "{},\n",
      options.bed, grains.size(), own, ns, grains.contacts() - on_walls, on_walls);
  fmt::print("\"ball\": {}, \"contact\": {}, \"elsewhere\": {}, \"looks\": {},\n", sizeof(grains::Ball),
             sizeof(grains::ContactGroup) / grains::group_width, counts.elsewhere, grains.looks() - looks);
  std::string run;
  for (const auto& [address, count] : counts.own)
    run += fmt::format("{}\"{:x}\": {}", run.empty() ? "" : ", ", address, count);
  fmt::print("\"run\": {{{}}}}}\n", run);
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app("What one core can do at most, and what a step of soft grains asks of it");
  app.add_option("--bed", options.bed, "one of scenarios/bench");
  app.add_option("--before", options.before, "s that it goes before")->check(CLI::Range(0.0, 10.0));
  app.add_option("--steps", options.steps, "of the machine, that are counted")->check(CLI::Range(1, 1000));
  CLI11_PARSE(app, argc, argv);
  try {
    measure(options);
  } catch (const std::exception& error) {
    fmt::print(stderr, "roofline: {}\n", error.what());
    return 1;
  }
}
