#include "hardpan/grains/pair_list.h"

#include <set>

#include <gtest/gtest.h>

#include "hardpan/core/error.h"
#include "hardpan/grains/test_grains.h"

namespace hardpan::grains {
namespace {

using test::Cloud;
using test::random_cloud;

TEST(PairList, FindsWhatAllPairsFindOnce) {
  constexpr double skin = 0.005;
  for (const bool periodic : {false, true})
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      // Some need more cells than one column of them has, and four slabs of columns.
      Cloud cloud = seed % 2 == 0 ? random_cloud(seed, 600, periodic)
                                  : random_cloud(seed, 6000, periodic, 0.004, 0.009);
      cloud.build(skin);
      std::set<std::pair<std::uint32_t, std::uint32_t>> found;
      for (std::uint32_t i = 0; i < cloud.state.size(); ++i) {
        EXPECT_TRUE(std::ranges::is_sorted(cloud.list.after(i)));
        for (const std::uint32_t j : cloud.list.after(i)) {
          EXPECT_LT(i, j);
          EXPECT_TRUE(found.insert(std::minmax(cloud.state.id[i], cloud.state.id[j])).second);
        }
      }
      EXPECT_EQ(found, cloud.near(skin));
      EXPECT_EQ(found.size(), cloud.list.size());
      EXPECT_GT(found.size(), 100u);
    }
}

TEST(PairList, HasNoPairsWithinAClump) {
  Cloud cloud = random_cloud(3, 600, false);
  cloud.build(0.005);
  const std::size_t all = cloud.list.size();
  std::vector<std::uint32_t> clump(600, 0xffffffff);
  for (std::uint32_t i = 0; i < 300; ++i) clump[i] = 7;
  PairList::Spheres spheres = cloud.spheres(0.005);
  spheres.clump = clump;
  cloud.list.build(cloud.grid, spheres, cloud.space);
  EXPECT_LT(cloud.list.size(), all - 20);
  for (std::uint32_t i = 0; i < 300; ++i)
    for (const std::uint32_t j : cloud.list.after(i)) EXPECT_GE(j, 300u);
}

// The same pairs under other numbers, in the order of these.
TEST(PairList, OutlivesOrders) {
  Cloud cloud = random_cloud(3, 600, true);
  cloud.build(0.005);
  std::vector<std::uint32_t> order(600);
  for (std::uint32_t k = 0; k < 600; ++k) order[k] = (7 * k + 5) % 600;
  std::set<std::pair<std::uint32_t, std::uint32_t>> wanted, found;
  for (std::uint32_t i = 0; i < 600; ++i)
    for (const std::uint32_t j : cloud.list.after(i)) wanted.insert(std::minmax(order[i], order[j]));
  cloud.list.renumber(order);
  for (std::uint32_t i = 0; i < 600; ++i) {
    EXPECT_TRUE(std::ranges::is_sorted(cloud.list.after(i)));
    for (const std::uint32_t j : cloud.list.after(i)) {
      EXPECT_LT(i, j);
      EXPECT_TRUE(found.insert({i, j}).second);
    }
  }
  EXPECT_EQ(found, wanted);
  EXPECT_GT(found.size(), 100u);
}

// Wider than a column of cells along x and y.
TEST(CellGrid, FindsAllWithinABox) {
  for (const bool periodic : {false, true}) {
    Cloud cloud = random_cloud(3, 5000, periodic, 0.004, 0.008);
    cloud.build(0.002);
    for (const auto& [low, high] : {std::pair<Vec, Vec>{{0.2, 0.1, 0.3}, {0.55, 0.6, 0.4}},
                                    {{-1, -1, -1}, {2, 2, 2}},
                                    {{0.5, 0.35, 0.4}, {0.5, 0.35, 0.4}}}) {
      std::set<std::uint32_t> seen;
      cloud.grid.within(low, high, [&](std::uint32_t begin, std::uint32_t end) {
        for (std::uint32_t i = begin; i < end; ++i) EXPECT_TRUE(seen.insert(i).second);
      });
      for (std::uint32_t i = 0; i < cloud.state.size(); ++i) {
        const Vec& x = cloud.state[i].position;
        if (low.x <= x.x && x.x <= high.x && low.y <= x.y && x.y <= high.y && low.z <= x.z && x.z <= high.z) {
          EXPECT_TRUE(seen.contains(i));
        }
      }
      if (high.x - low.x < 0.5 && !periodic) {
        EXPECT_LT(seen.size(), cloud.state.size() / 2);
      }
    }
  }
}

// With slabs of twelve cells along x, where there is only one with columns of eight along y, and in a single
// column with layers.
TEST(CellGrid, BeginsInTheMiddle) {
  const auto order_along = [](const Vec& axis) {
    Columns at;
    for (std::uint32_t i = 0; i < 60; ++i) at.push_back((0.5 + i) * axis);
    return CellGrid().build(at, 1, {});
  };
  const auto from = [](std::uint32_t first) {
    std::vector<std::uint32_t> order;
    for (std::uint32_t i = 0; i < 60; ++i) order.push_back((first + i) % 60);
    return order;
  };
  EXPECT_EQ(order_along({1, 0, 0}), from(24));
  EXPECT_EQ(order_along({0, 1, 0}), from(32));
  EXPECT_EQ(order_along({0, 0, 1}), from(29));
}

TEST(CellGrid, OneLostGrainDoesNotAskForAllMemory) {
  Cloud cloud = random_cloud(3, 200, false);
  cloud.state.balls[0].position = {1e9, -1e9, 1e9};
  cloud.build(0.005);
  EXPECT_EQ(cloud.list.size(), cloud.near(0.005).size());
}

TEST(CellGrid, RefusesPeriodsShorterThanThreeCells) {
  Cloud cloud = random_cloud(3, 20, true);
  EXPECT_THROW(cloud.build(0.22), InputError);
}

}  // namespace
}  // namespace hardpan::grains
