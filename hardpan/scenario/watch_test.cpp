#include "hardpan/scenario/watch.h"

#include <cmath>
#include <cstring>
#include <numbers>

#include <gtest/gtest.h>

namespace hardpan::scenario {
namespace {

// A watch of a known function of time, sampled every `h` up to `end`.
double reduced(Reduce reduce, double at, double (*f)(double), double h, double end) {
  Simulation nothing({}, {}, {}, {}, h, 1, {});
  double now = 0;
  Watch watch({"f", "", [&](const Simulation&) { return f(now); }}, reduce, at);
  for (int i = 0; i * h <= end * (1 + 1e-12); ++i) {
    now = i * h;
    watch.sample(now, nothing);
  }
  return watch.value();
}

double wave(double t) { return std::sin(2 * std::numbers::pi * t / 0.7 - 1); }
double line(double t) { return 3 - 2 * t; }

TEST(Watch, ReducesKnownFunctions) {
  EXPECT_NEAR(reduced(Reduce::period, 0, wave, 1e-3, 10), 0.7, 1e-7);
  EXPECT_NEAR(reduced(Reduce::max, 0, wave, 1e-3, 10), 1, 1e-4);
  EXPECT_NEAR(reduced(Reduce::min, 0, wave, 1e-3, 10), -1, 1e-4);
  EXPECT_NEAR(reduced(Reduce::range, 0, wave, 1e-3, 10), 2, 1e-4);
  EXPECT_NEAR(reduced(Reduce::rms, 0, wave, 1e-3, 7), std::sqrt(0.5), 1e-3);
  EXPECT_NEAR(reduced(Reduce::mean, 0, line, 0.1, 2), 1, 1e-12);
  EXPECT_NEAR(reduced(Reduce::max_abs, 0, line, 0.1, 5), 7, 1e-12);
  EXPECT_NEAR(reduced(Reduce::final, 0, line, 0.1, 2), -1, 1e-12);
}

TEST(Watch, ValueAtATimeIsLinearBetweenSamples) {
  EXPECT_NEAR(reduced(Reduce::at, 0, line, 0.1, 2), 3, 1e-12);
  EXPECT_NEAR(reduced(Reduce::at, 0.3, line, 0.1, 2), 2.4, 1e-12);  // 3 * 0.1 is not 0.3
  EXPECT_NEAR(reduced(Reduce::at, 0.37, line, 0.1, 2), 2.26, 1e-12);
  EXPECT_NEAR(reduced(Reduce::at, 2, line, 0.1, 2), -1, 1e-12);
  EXPECT_TRUE(std::isnan(reduced(Reduce::at, 2.1, line, 0.1, 2)));
}

TEST(Watch, TimesMayBeTiny) {
  EXPECT_NEAR(reduced(
                  Reduce::at, 5e-9, [](double t) { return 1e9 * t; }, 1e-9, 1e-8),
              5, 1e-9);
  EXPECT_NEAR(reduced(
                  Reduce::at, 5.5e-9, [](double t) { return 1e9 * t; }, 1e-9, 1e-8),
              5.5, 1e-9);
}

TEST(Watch, NoPeriodWithoutTwoCrossings) {
  EXPECT_TRUE(std::isnan(reduced(Reduce::period, 0, line, 0.1, 5)));
}

TEST(Watch, MemorySurvivesPacking) {
  Simulation nothing({}, {}, {}, {}, 0.1, 1, {});
  double x = 0.3;
  const Observable observable{"x", "", [&](const Simulation&) { return x; }};
  Watch whole(observable, Reduce::rms, 0), first(observable, Reduce::rms, 0),
      second(observable, Reduce::rms, 0);
  for (int i = 0; i < 50; ++i) {
    x = std::cos(i);
    whole.sample(i, nothing);
    if (i < 20) first.sample(i, nothing);
    if (i == 20) second.unpack(first.pack());
    if (i >= 20) second.sample(i, nothing);
  }
  EXPECT_EQ(whole.value(), second.value());
  EXPECT_EQ(std::memcmp(whole.pack().data(), second.pack().data(), sizeof(Watch::Memory)),
            0);  // NaN included
}

}  // namespace
}  // namespace hardpan::scenario
