// Piles of 1,000 boxes and 1,000 spheres by Hardpan, on one thread and on all cores, and by Bullet, which has
// one: time per step, and what it is worth. The engines take turns, so that a busy machine is busy for all of
// them.
#include <algorithm>

#include "bench/piles/ruler.h"
#include <fmt/core.h>

namespace {

using namespace hardpan;
using namespace hardpan::bench;

constexpr double fall_end = 3, rest_begin = 6, rest_end = 8;  // s
constexpr int turn = 20;                                      // steps before the next engine has its turn

Times operator-(const Times& a, const Times& b) {
  return {a.detect - b.detect, a.impact - b.impact, a.solve - b.solve, a.rest - b.rest};
}

struct Runner {
  std::string name;
  std::unique_ptr<Engine> engine;
  const Ruler& ruler;
  int steps_done = 0;
  Times fall, before_rest, resting;
  double initial, energy, created_in_rest = 0, created = 0;  // J
  std::vector<Vec3> where_it_rested;

  Runner(std::string its_name, std::unique_ptr<Engine> its_engine, const Ruler& its_ruler)
      : name(std::move(its_name)), engine(std::move(its_engine)), ruler(its_ruler) {
    initial = energy = total_energy();
  }
  double total_energy() const { return ruler.kinetic_energy(*engine) + ruler.potential_energy(*engine); }

  void advance(const Pile& pile) {
    const auto at = [&](double time) { return steps_done == static_cast<int>(time / pile.step + 0.5); };
    for (int i = 0; i < turn; ++i) {
      engine->step();
      ++steps_done;
      const double now = total_energy(), gain = std::max(0.0, now - energy);
      energy = now;
      created += gain;
      if (!where_it_rested.empty()) created_in_rest += gain;
      if (at(fall_end)) fall = engine->times();
      if (at(rest_begin)) {
        before_rest = engine->times();
        where_it_rested = ruler.positions(*engine);
      }
    }
    resting = engine->times() - before_rest;
  }
};

void print_times(const Runner& r, const Pile& pile) {
  const double fall = 1000 / (fall_end / pile.step), rest = 1000 / ((rest_end - rest_begin) / pile.step);
  fmt::print(
      "{:<24} {:>8.2f} {:>8.2f} {:>8.2f} {:>8.2f} {:>8.2f} | {:>8.2f} {:>8.2f} {:>8.2f} {:>8.2f} {:>8}\n",
      r.name, fall * r.fall.all(), fall * r.fall.detect, fall * r.fall.impact, fall * r.fall.solve,
      fall * r.fall.rest, rest * r.resting.all(), rest * r.resting.detect, rest * r.resting.solve,
      rest * (r.resting.rest + r.resting.impact), r.engine->contacts());
}

void print_worth(const Runner& r) {
  const Depths depths = r.ruler.depths(*r.engine);
  const std::vector<Vec3> now = r.ruler.positions(*r.engine);
  double mean = 0, largest = 0;
  for (std::size_t i = 0; i < now.size(); ++i) {
    const double way = (now[i] - r.where_it_rested[i]).norm();
    mean += way / static_cast<double>(now.size());
    largest = std::max(largest, way);
  }
  fmt::print("{:<24} {:>10.4f} {:>10.4f} {:>10.4f} {:>10.4f} {:>12.3e} {:>12.3e} {:>12.3e}\n", r.name,
             1000 * depths.mean, 1000 * depths.largest, 1000 * mean, 1000 * largest,
             r.ruler.kinetic_energy(*r.engine), r.created_in_rest / r.initial, r.created / r.initial);
}

void compare(const Pile& pile) {
  const Ruler ruler(pile);
  std::vector<Runner> runners;
  runners.emplace_back("Hardpan", hardpan_engine(pile), ruler);
  runners.emplace_back("Hardpan, all cores", hardpan_engine(pile, 0), ruler);
  if (auto bullet = bullet_engine(pile, false)) {
    runners.emplace_back("Bullet", std::move(bullet), ruler);
    runners.emplace_back("Bullet, two directions", bullet_engine(pile, true), ruler);
  }
  fmt::print("\n1,000 {}: h = {} ms, {} sweeps, friction {}\n", pile.name, 1000 * pile.step, pile.sweeps,
             pile.friction);
  while (runners.back().steps_done * pile.step < rest_end - pile.step / 2)
    for (Runner& runner : runners) runner.advance(pile);

  fmt::print("{:<24} {:>44} | {:>44}\n", "ms per step", fmt::format("falling, 0 to {} s", fall_end),
             fmt::format("at rest, {} to {} s", rest_begin, rest_end));
  fmt::print("{:<24} {:>8} {:>8} {:>8} {:>8} {:>8} | {:>8} {:>8} {:>8} {:>8} {:>8}\n", "", "all", "detect",
             "impact", "solve", "rest", "all", "detect", "solve", "rest", "contacts");
  for (const Runner& runner : runners) print_times(runner, pile);
  fmt::print("{:<24} {:>21} {:>21} {:>12} {:>25}\n", fmt::format("at rest, to {} s", rest_end),
             "penetration, mm", "drift, mm", "kinetic", "energy created / initial");
  fmt::print("{:<24} {:>10} {:>10} {:>10} {:>10} {:>12} {:>12} {:>12}\n", "", "mean", "largest", "mean",
             "largest", "energy, J", "at rest", "0 s to end");
  for (const Runner& runner : runners) print_worth(runner);
  for (std::size_t own = 0; own < 2; ++own)
    for (std::size_t peer = 2; peer < runners.size(); ++peer)
      fmt::print("{} / {}: {:.2f} falling, {:.2f} at rest\n", runners[own].name, runners[peer].name,
                 runners[own].fall.all() / runners[peer].fall.all(),
                 runners[own].resting.all() / runners[peer].resting.all());
  if (runners.size() == 2)
    fmt::print("Built without Bullet (libbullet-dev): nothing is measured against it\n");
}

}  // namespace

int main() {
  compare(box_pile());
  compare(sphere_pile());
}
