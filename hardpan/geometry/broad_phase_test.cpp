#include "hardpan/geometry/broad_phase.h"

#include <limits>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "hardpan/core/parallel.h"
#include "hardpan/core/random.h"

namespace hardpan::geometry {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
using Pairs = std::vector<BroadPhase::Pair>;

bool has_points(const Aabb& box) { return (box.low.array() <= box.high.array()).all(); }

Pairs every_pair(const std::vector<Aabb>& boxes) {
  Pairs pairs;
  for (std::uint32_t i = 0; i < boxes.size(); ++i)
    for (std::uint32_t j = i + 1; j < boxes.size(); ++j)
      if (has_points(boxes[i]) && has_points(boxes[j]) && boxes[i].overlaps(boxes[j]))
        pairs.push_back({i, j});
  return pairs;
}

std::vector<Aabb> random_boxes(std::size_t n, std::uint64_t seed, double smallest, double largest) {
  const CounterRandom random(seed);
  std::vector<Aabb> boxes;
  const double side = largest * std::cbrt(static_cast<double>(n));
  for (std::uint64_t i = 0; i < n; ++i) {
    Vec3 centre, half;
    for (std::uint64_t k = 0; k < 3; ++k) {
      centre[static_cast<int>(k)] = random.uniform(6 * i + k, 0, side);
      half[static_cast<int>(k)] = smallest * std::pow(largest / smallest, random.uniform(6 * i + 3 + k));
    }
    boxes.push_back({centre - half, centre + half});
  }
  return boxes;
}

// Corners from few values: ties, touching and empty boxes, infinities and NaN are common.
RC_GTEST_PROP(BroadPhase, FindsWhatEveryPairFinds, ()) {
  const auto coordinate = rc::gen::weightedOneOf<double>(
      {{20, rc::gen::map(rc::gen::inRange(-12, 13), [](int i) { return 0.5 * i; })},
       {1, rc::gen::element(-inf, inf, nan, 1e300, -1e300, 1e-300)}});
  const auto corners = *rc::gen::container<std::vector<std::array<double, 6>>>(
      rc::gen::container<std::array<double, 6>>(coordinate));
  std::vector<Aabb> boxes;
  for (const auto& c : corners) {
    Aabb box{{c[0], c[1], c[2]}, {c[3], c[4], c[5]}};
    // Most boxes the right way round; a quarter stays as drawn.
    if (boxes.size() % 4 != 0)
      for (int k = 0; k < 3; ++k)
        if (box.low[k] > box.high[k]) std::swap(box.low[k], box.high[k]);
    boxes.push_back(box);
  }
  BroadPhase broad;
  RC_ASSERT(broad.pairs(boxes) == every_pair(boxes));
  RC_ASSERT(broad.ignored() ==
            boxes.size() - static_cast<std::size_t>(std::count_if(boxes.begin(), boxes.end(), has_points)));
}

TEST(BroadPhase, FindsWhatEveryPairFindsInLargeScenes) {
  BroadPhase broad;  // the same for all: nothing may remain of the scene before
  for (const double ratio : {1.0, 20.0, 1e4}) {
    auto boxes = random_boxes(1500, 3, 1 / ratio, 1.0);
    boxes.push_back({Vec3(-inf, -inf, -inf), Vec3(inf, inf, 1)});
    boxes.push_back({Vec3(-1e4, -1e4, -1), Vec3(1e4, 1e4, 0.5)});
    boxes.push_back({Vec3::Constant(1e6), Vec3::Constant(1e6 + 1)});
    EXPECT_EQ(broad.pairs(boxes), every_pair(boxes));
    boxes.resize(300);
    EXPECT_EQ(broad.pairs(boxes), every_pair(boxes));
  }
}

TEST(BroadPhase, NoneAndOne) {
  BroadPhase broad;
  EXPECT_TRUE(broad.pairs({}).empty());
  const std::vector<Aabb> one = {{Vec3::Zero(), Vec3::Ones()}};
  EXPECT_TRUE(broad.pairs(one).empty());
}

TEST(BroadPhase, TouchingCounts) {
  const std::vector<Aabb> boxes = {
      {Vec3::Zero(), Vec3::Ones()}, {Vec3(1, 1, 1), Vec3(2, 2, 2)}, {Vec3(2.0000001, 1, 1), Vec3(3, 2, 2)}};
  EXPECT_EQ(BroadPhase().pairs(boxes), (Pairs{{0, 1}}));
}

TEST(BroadPhase, IgnoresAndCountsWhatHasNoPoints) {
  const std::vector<Aabb> boxes = {{Vec3(0, nan, 0), Vec3::Ones()},
                                   {Vec3::Zero(), Vec3::Ones()},
                                   Aabb{},
                                   {Vec3(0, 0, 1), Vec3(1, 1, 0)},
                                   {Vec3::Zero(), Vec3::Zero()}};
  BroadPhase broad;
  EXPECT_EQ(broad.pairs(boxes), (Pairs{{1, 4}}));
  EXPECT_EQ(broad.ignored(), 3u);
}

TEST(BroadPhase, AllAtOnePlace) {
  const std::vector<Aabb> boxes(200, {Vec3::Zero(), Vec3::Zero()});
  EXPECT_EQ(BroadPhase().pairs(boxes).size(), 200u * 199 / 2);
}

TEST(BroadPhase, SameForAnyNumberOfThreads) {
  const auto boxes = random_boxes(5000, 5, 0.05, 1);
  BroadPhase broad;
  const int before = thread_count();
  set_thread_count(1);
  const Pairs serial = broad.pairs(boxes);
  for (const int threads : {2, 3}) {
    set_thread_count(threads);
    EXPECT_EQ(broad.pairs(boxes), serial);
  }
  set_thread_count(before);
}

}  // namespace
}  // namespace hardpan::geometry
