#include "hardpan/core/parallel.h"

#include <cmath>
#include <numeric>
#include <stdexcept>

#include <gtest/gtest.h>

namespace hardpan {
namespace {

double awkward_sum(std::size_t n) {
  return parallel_reduce(
      n, 0.0,
      [](std::size_t begin, std::size_t end) {
        double sum = 0;
        for (std::size_t i = begin; i < end; ++i)
          sum += std::sin(static_cast<double>(i)) * std::pow(10.0, double(i % 17));
        return sum;
      },
      [](double a, double b) { return a + b; }, 64);
}

TEST(Parallel, ReductionHasTheSameBitsForAnyThreadCount) {
  for (std::size_t n : {0u, 1u, 63u, 64u, 65u, 1000u, 54321u}) {
    set_thread_count(1);
    const double one = awkward_sum(n);
    for (int threads : {2, 3, 4}) {
      set_thread_count(threads);
      for (int repeat = 0; repeat < 5; ++repeat) EXPECT_EQ(one, awkward_sum(n)) << n << " with " << threads;
    }
  }
  set_thread_count(0);
}

// Truth values of neighbouring chunks must not share a byte.
TEST(Parallel, ReductionLosesNoTruthValue) {
  set_thread_count(4);
  for (int repeat = 0; repeat < 20; ++repeat)
    EXPECT_FALSE(parallel_reduce(
        std::size_t{20'000}, true, [](std::size_t, std::size_t) { return false; },
        [](bool a, bool b) { return a || b; }, 1));
  set_thread_count(0);
}

TEST(Parallel, ForVisitsEveryIndexOnce) {
  set_thread_count(3);
  std::vector<int> visits(10'001, 0);
  parallel_for(
      visits.size(),
      [&](std::size_t b, std::size_t e) {
        for (; b < e; ++b) ++visits[b];
      },
      37);
  EXPECT_TRUE(std::all_of(visits.begin(), visits.end(), [](int v) { return v == 1; }));
  set_thread_count(0);
}

// Each reads what two earlier ones have told.
TEST(Parallel, InOrderWaitsForEarlierOnes) {
  constexpr std::size_t count = 500;
  for (const int threads : {1, 2, 3, 7}) {
    set_thread_count(threads);
    for (int repeat = 0; repeat < 20; ++repeat) {
      std::vector<std::size_t> told(count, 0), done(count, 0);
      parallel_in_order(count, [&](std::size_t k, InOrder& order) {
        told[k] = k;
        order.tell(k);
        if (k < 3) return;
        order.wait_for(k - 1);
        order.wait_for(k - 3);
        done[k] = told[k - 1] + told[k - 3] + told[k];
      });
      for (std::size_t k = 3; k < count; ++k) ASSERT_EQ(done[k], 3 * k - 4);
    }
  }
  set_thread_count(0);
}

TEST(Parallel, InOrderEndsWhenOneFails) {
  for (const int threads : {1, 4}) {
    set_thread_count(threads);
    const auto fail = [](std::size_t k, InOrder& order) {
      if (k == 10) throw std::runtime_error("ten");
      order.tell(k);
      if (k > 0) order.wait_for(k - 1);
    };
    EXPECT_THROW(parallel_in_order(100, fail), std::runtime_error);
  }
  set_thread_count(0);
}

}  // namespace
}  // namespace hardpan
