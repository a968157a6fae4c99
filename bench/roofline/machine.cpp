#include "machine.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>

#include <fmt/core.h>

#include "hardpan/math/pack.h"
#include "hardpan/math/widest.h"

namespace hardpan::bench {
namespace {

constexpr double least_time = 0.02;  // s, of a try
constexpr int tries = 7;             // the best one counts: others may use the machine
constexpr int repeats = 1000;

// So that nothing is left out because nobody needs it.
volatile double sink = 0;

// Calls of act() in a nanosecond.
template <class Act>
double rate(const Act& act) {
  using Clock = std::chrono::steady_clock;
  double best = 0;
  for (int k = 0; k < tries; ++k) {
    const auto start = Clock::now();
    double gone = 0;
    int calls = 0;
    for (int more = 1; gone < least_time; more *= 2) {
      for (int n = 0; n < more; ++n) act();
      calls += more;
      gone = std::chrono::duration<double>(Clock::now() - start).count();
    }
    best = std::max(best, 1e-9 * calls / gone);
  }
  return best;
}

// act(x): the next of x. Chains are independent, so that nobody waits.
template <std::size_t width, class Act>
[[gnu::always_inline]] inline double numbers(const Act& act) {
  using P = PackOf<width>;
  constexpr std::size_t chains = 12;
  return static_cast<double>(chains * width * repeats) * rate([&]() __attribute__((always_inline)) {
           std::array<P, chains> x;
           for (std::size_t c = 0; c < chains; ++c) x[c] = P(1 + 1e-9 * static_cast<double>(c));
           for (int n = 0; n < repeats; ++n)
             for (std::size_t c = 0; c < chains; ++c) x[c] = act(x[c]);
           double all = 0;
           for (const P& one : x) all += sum(one);
           sink = sink + all;
         });
}

// A line of memory: packs that do not begin with one take two.
struct alignas(64) Line {
  std::array<double, 8> numbers;
};
constexpr std::size_t kilo = 1024;

template <std::size_t width>
[[gnu::always_inline]] inline double changed(std::vector<Line>& all) {
  const PackOf<width> factor(1 - 1e-12);
  return static_cast<double>(2 * sizeof(Line) * all.size()) * rate([&]() __attribute__((always_inline)) {
           for (Line& line : all)
             for (std::size_t k = 0; k < line.numbers.size(); k += width)
               store_pack(factor * load_pack<width>(&line.numbers[k]), &line.numbers[k]);
         });
}

}  // namespace

double clock_rate() {
  constexpr double cycles = 3;  // of one multiplication, as on all machines with such units
  return cycles * repeats * rate([] {
           std::uint64_t x = 3;
           for (int n = 0; n < repeats; ++n) {
             x *= x;
             asm volatile("" : "+r"(x));  // not known beforehand
           }
         });
}

Figures operation_rates() {
  Figures found;
  on_widest([&]<std::size_t width>() {
    using P = PackOf<width>;
    const P c(1 + 1e-12);
    const auto note = [&](const char* name, double times, const auto& act) __attribute__((always_inline)) {
      found.emplace_back(name, times * numbers<width>(act));
    };
    note(
        "multiplication", 1, [&](const P& x) __attribute__((always_inline)) { return c * x; });
    note(
        "addition", 1, [&](const P& x) __attribute__((always_inline)) { return c + x; });
    note(
        "both", 2, [&](const P& x) __attribute__((always_inline)) { return c * (c + x); });
    note(
        "division", 1, [&](const P& x) __attribute__((always_inline)) { return c / x; });
    note(
        "root", 1, [&](const P& x) __attribute__((always_inline)) { return sqrt(x); });
  });
  return found;
}

double reading_rate() {
  constexpr std::size_t at_once = 8;  // so that nobody waits
  const std::vector<Line> all(16 * kilo / sizeof(Line), Line{});
  double found = 0;
  on_widest([&]<std::size_t width>() {
    using P = PackOf<width>;
    found = 16 * kilo * rate([&]() __attribute__((always_inline)) {
              std::array<P, at_once> largest;
              largest.fill(P(0.0));
              for (std::size_t n = 0; n < all.size(); n += at_once)
                for (std::size_t c = 0; c < at_once; ++c)
                  for (std::size_t k = 0; k < all[n].numbers.size(); k += width)
                    largest[c] = larger(load_pack<width>(&all[n + c].numbers[k]), largest[c]);
              for (const P& one : largest) sink = sink + one[0];
            });
  });
  return found;
}

Figures changing_rates() {
  Figures found;
  for (const std::size_t size : {16 * kilo, 256 * kilo, 8 * kilo * kilo, 512 * kilo * kilo}) {
    std::vector<Line> all(size / sizeof(Line), Line{});
    on_widest([&]<std::size_t width>() { found.emplace_back(fmt::format("{}", size), changed<width>(all)); });
  }
  return found;
}

}  // namespace hardpan::bench
