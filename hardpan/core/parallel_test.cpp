#include "hardpan/core/parallel.h"

#include <atomic>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <thread>

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

// Each reads what two earlier ones have left, and is ended by who began it.
TEST(Parallel, StagesWaitForEarlierOnes) {
  constexpr std::size_t count = 500;
  for (const int threads : {1, 2, 3, 7}) {
    set_thread_count(threads);
    for (int repeat = 0; repeat < 50; ++repeat) {
      std::vector<std::size_t> first(count, 0), second(count, 0), seen(count, 0);
      std::vector<std::thread::id> by(count);
      parallel_stages(count,
                      {[&](std::size_t k, std::size_t next, bool is_ready) {
                         first[k] = k;
                         by[k] = std::this_thread::get_id();
                         ASSERT_LE(next, count);
                         if (is_ready && k >= 3) seen[k] = first[k - 1] + first[k - 3];
                         if (threads == 1) {
                           ASSERT_TRUE(is_ready);
                           ASSERT_EQ(next, k + 1);
                         }
                       },
                       [&](std::size_t k, const Done& done) { return k < 3 || (done(k - 1) && done(k - 3)); },
                       [&](std::size_t k) {
                         ASSERT_EQ(by[k], std::this_thread::get_id());
                         if (k >= 3) second[k] += first[k - 1] + first[k - 3] + first[k];
                       }});
      for (std::size_t k = 3; k < count; ++k) {
        ASSERT_EQ(second[k], 3 * k - 4);
        ASSERT_TRUE(seen[k] == 0 || seen[k] == 2 * k - 4);
      }
    }
  }
  set_thread_count(0);
}

TEST(Parallel, PartsFollowEachOther) {
  for (const std::size_t threads : {1u, 2u, 3u, 7u})
    for (const std::size_t count : {7u, 8u, 49u, 500u})
      for (std::size_t n = 0; n < threads; ++n)
        for (std::size_t k = n * count / threads; k < (n + 1) * count / threads; ++k)
          EXPECT_EQ(part_of(k, count, threads), n);
}

// Loops between stages, and stages within loops, find threads or do without.
TEST(Parallel, StagesAndLoopsShareTheThreads) {
  for (const int threads : {1, 2, 5}) {
    set_thread_count(threads);
    std::atomic<int> sum = 0;
    const auto add = [&](std::size_t) { ++sum; };
    const Stages stages{[&](std::size_t k, std::size_t, bool) { add(k); },
                        [](std::size_t, const Done&) { return true; }, add};
    for (int repeat = 0; repeat < 200; ++repeat) {
      parallel_stages(10, stages);
      parallel_for(
          10, [&](std::size_t begin, std::size_t end) { sum += static_cast<int>(end - begin); }, 1);
    }
    parallel_for(
        20, [&](std::size_t, std::size_t) { parallel_stages(10, stages); }, 1);
    EXPECT_EQ(sum, 200 * 30 + 20 * 20);
  }
  set_thread_count(0);
}

TEST(Parallel, StagesEndWhenOneFails) {
  for (const int threads : {1, 4}) {
    set_thread_count(threads);
    for (const bool in_first : {false, true}) {
      const auto fail = [](std::size_t k) {
        if (k == 10) throw std::runtime_error("ten");
      };
      const auto after_the_last = [](std::size_t k, const Done& done) { return k == 0 || done(k - 1); };
      const auto first = [&](std::size_t k, std::size_t, bool) {
        if (in_first) fail(k);
      };
      const auto second = [&](std::size_t k) {
        if (!in_first) fail(k);
      };
      EXPECT_THROW(parallel_stages(100, {first, after_the_last, second}), std::runtime_error);
    }
  }
  set_thread_count(0);
}

}  // namespace
}  // namespace hardpan
