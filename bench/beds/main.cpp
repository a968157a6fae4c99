// How fast soft grains go: beds at rest, of many sizes, and beds that flow, in turns, so that a busy machine
// slows all of them. What is compared was measured in the same round.
//
//   hardpan_bench_beds [--rounds 15] [--seconds 0.3] [--only bed-50000,silo]
//
// Beds are scenarios/bench/NAME.yaml, without their preparation: they go for some time before anything is
// measured. `bytes` is all that a sphere takes of the heap then, scene and records included. What a process
// takes once is not: a small bed has been made and is gone before the first is.
//
// Two cores of a virtual machine are not always two, nor always near each other: others may have the other
// half of one, or they have no cache in common. So before each turn of two threads two small beds go side by
// side, one on each core, with nothing in common, and a line of memory goes from one core to the other and
// back. Ratios of two threads are told apart by that.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/core.h>
#include <malloc.h>

#include "hardpan/core/error.h"
#include "hardpan/core/parallel.h"
#include "hardpan/scenario/build.h"
#include "hardpan/scenario/run.h"

namespace {

using namespace hardpan;

struct Kind {
  std::string name;
  double before;  // s that it goes before it is measured
};
constexpr double until_at_rest = 0.35;
const std::vector<Kind> kinds = {{"bed-1800", until_at_rest},
                                 {"bed-50000", until_at_rest},
                                 {"bed-500000", until_at_rest},
                                 {"bed-sizes", until_at_rest},
                                 {"drum", 0.6},
                                 {"silo", 0.1}};
constexpr const char* measure_of_others = "bed-50000";

struct Options {
  int rounds = 15;
  double seconds = 0.3;  // of a turn
  std::vector<std::string> only;
};

// Two of them, as they are for a moment.
struct Cores {
  double worth;     // of one
  double distance;  // ns for a line of memory, there and back

  bool near_and_whole() const { return worth >= 1.9 && distance < 200; }
};

struct Bed {
  std::string name;
  std::unique_ptr<scenario::Simulation> simulation;
  double bytes = 0;                        // of a sphere
  std::vector<std::vector<double>> costs;  // ns per sphere and step, of each number of threads and round
  std::vector<Cores> cores;                // in each round

  double spheres() const { return static_cast<double>(simulation->grains->grains().size()); }
  double contacts() const { return simulation->grains->grains().coordination(); }
  double speed() const {  // that has the mean of the squares, m/s
    const grains::System& all = simulation->grains->grains();
    return std::sqrt(2 * all.kinetic_energy() / all.total_mass());
  }
};

std::size_t heap() { return mallinfo2().uordblks + mallinfo2().hblkhd; }

void step(Bed& bed) {
  const solve::StepReport report = bed.simulation->stepper.step();
  HARDPAN_CHECK(report.ok, bed.name + ": " + report.reason);
}

Bed made(const Kind& kind) {
  fmt::print(stderr, "beds: {} goes for {} s\n", kind.name, kind.before);
  Bed bed{kind.name, nullptr, 0, {}, {}};
  const scenario::Scenario scenario =
      scenario::load(std::string(HARDPAN_SOURCE_DIR "/scenarios/bench/") + kind.name + ".yaml");
  const std::size_t bytes_before = heap();
  bed.simulation = scenario::build(scenario.resolved);
  while (bed.simulation->stepper.time() < kind.before) step(bed);
  bed.bytes = static_cast<double>(heap() - bytes_before) / bed.spheres();
  return bed;
}

// ns per sphere and step. A turn has some looks for contacts and a list or two, however large the bed is.
double cost(Bed& bed, double seconds) {
  using Clock = std::chrono::steady_clock;
  constexpr int least_steps = 10;  // of the machine, 100 of the grains
  step(bed);                       // what others left in the caches
  const auto start = Clock::now();
  const auto gone = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };
  int steps = 0;
  do {
    step(bed);
    ++steps;
  } while (gone() < seconds || steps < least_steps);
  const double own = bed.simulation->stepper.step_size() / bed.simulation->grains->model().step;
  return 1e9 * gone() / (steps * own * bed.spheres());
}

double worth_of_cores(Bed& one, Bed& other) {
  constexpr double seconds = 0.05;
  set_thread_count(1);
  const double alone = cost(one, seconds);
  double beside = 0;
  std::thread thread([&] { beside = cost(other, seconds); });
  const double own = cost(one, seconds);
  thread.join();
  return alone / own + alone / beside;
}
double distance_of_cores() {
  constexpr int times = 20000;
  alignas(64) std::atomic<int> line = 0;
  const auto pass = [&](int first) {
    for (int n = first; n < 2 * times; n += 2) {
      while (line != n) {
      }
      line = n + 1;
    }
  };
  const auto start = std::chrono::steady_clock::now();
  std::thread other(pass, 1);
  pass(0);
  other.join();
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count() / times;
}

struct Spread {
  double median, least, most;
};
Spread spread(std::vector<double> values) {
  std::ranges::sort(values);
  const std::size_t half = values.size() / 2;
  const double median = values.size() % 2 ? values[half] : 0.5 * (values[half - 1] + values[half]);
  return {median, values.front(), values.back()};
}
// Of each round.
std::vector<double> ratios(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> all;
  for (std::size_t k = 0; k < a.size(); ++k) all.push_back(a[k] / b[k]);
  return all;
}

void print_costs(const std::vector<Bed>& all) {
  fmt::print(
      "| bed | spheres | contacts of one | moves, mm/s | bytes | threads | ns per sphere and step (range) | "
      "sphere-steps/s |\n"
      "|---|---|---|---|---|---|---|---|\n");
  for (const Bed& bed : all)
    for (std::size_t t = 0; t < bed.costs.size(); ++t) {
      const Spread ns = spread(bed.costs[t]);
      fmt::print("| {} | {} | {:.2f} | {:.1f} | {:.0f} | {} | {:.1f} ({:.1f} to {:.1f}) | {:.1f}e6 |\n",
                 bed.name, bed.spheres(), bed.contacts(), 1e3 * bed.speed(), bed.bytes, t + 1, ns.median,
                 ns.least, ns.most, 1e3 / ns.median);
    }
}

void print_ratios(const std::vector<Bed>& all) {
  fmt::print("\n| of the same round | median | range |\n|---|---|---|\n");
  const auto print = [](const std::string& what, const std::vector<double>& some) {
    if (some.empty()) return;
    const Spread r = spread(some);
    fmt::print("| {}, {} rounds | {:.2f} | {:.2f} to {:.2f} |\n", what, some.size(), r.median, r.least,
               r.most);
  };
  for (const Bed& bed : all)
    for (const bool good : {true, false}) {
      std::vector<double> some;
      for (std::size_t k = 0; k < bed.cores.size(); ++k)
        if (bed.cores[k].near_and_whole() == good) some.push_back(bed.costs[0][k] / bed.costs[1][k]);
      print(fmt::format("two threads over one, {}, cores {}", bed.name,
                        good ? "near and whole" : "far or shared"),
            some);
    }
  const auto other = std::ranges::find(all, measure_of_others, &Bed::name);
  for (const Bed& bed : all)
    if (other != all.end() && &bed != &*other)
      for (std::size_t t = 0; t < bed.costs.size(); ++t)
        print(fmt::format("rate of {} over that of {}, {}", bed.name, measure_of_others,
                          t == 0 ? "one thread" : "two threads"),
              ratios(other->costs[t], bed.costs[t]));
}

void print_cores(const std::vector<Bed>& all) {
  std::vector<double> worth, distance;
  for (const Bed& bed : all)
    for (const Cores& cores : bed.cores) worth.push_back(cores.worth), distance.push_back(cores.distance);
  if (worth.empty()) return;
  const Spread times = spread(worth), ns = spread(distance);
  fmt::print(
      "Two cores are worth {:.2f} of one ({:.2f} to {:.2f}), and {:.0f} ns from each other ({:.0f} to "
      "{:.0f})\n",
      times.median, times.least, times.most, ns.median, ns.least, ns.most);
}

void measure(const Options& options) {
  const int most_threads = std::min(2u, std::max(1u, std::thread::hardware_concurrency()));
  set_thread_count(most_threads);
  const std::size_t nothing = heap();
  made(kinds.front());
  const std::size_t once = heap() - nothing;
  Bed small = made(kinds.front()), another = made(kinds.front());
  std::vector<Bed> all;
  for (const Kind& kind : kinds)
    if (options.only.empty() || std::ranges::find(options.only, kind.name) != options.only.end())
      all.push_back(made(kind));
  for (Bed& bed : all) bed.costs.resize(static_cast<std::size_t>(most_threads));
  for (int round = 0; round < options.rounds; ++round) {
    fmt::print(stderr, "beds: round {} of {}\n", round + 1, options.rounds);
    for (Bed& bed : all)
      for (int threads = 1; threads <= most_threads; ++threads) {
        if (threads > 1) bed.cores.push_back({worth_of_cores(small, another), distance_of_cores()});
        set_thread_count(threads);
        bed.costs[static_cast<std::size_t>(threads - 1)].push_back(cost(bed, options.seconds));
      }
  }
  print_costs(all);
  fmt::print("\nOnce, whatever the beds: {:.2f} MB\n", 1e-6 * static_cast<double>(once));
  print_cores(all);
  print_ratios(all);
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  std::vector<std::string> names;
  for (const Kind& kind : kinds) names.push_back(kind.name);
  CLI::App app("How fast soft grains go, beds in turns");
  app.add_option("--rounds", options.rounds, "how often each bed has its turn")->check(CLI::Range(1, 1000));
  app.add_option("--seconds", options.seconds, "how long a turn is")->check(CLI::Range(0.01, 600.0));
  app.add_option("--only", options.only, "these beds")->delimiter(',')->check(CLI::IsMember(names));
  CLI11_PARSE(app, argc, argv);
  try {
    measure(options);
  } catch (const std::exception& error) {
    fmt::print(stderr, "beds: {}\n", error.what());
    return 1;
  }
}
