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
      Cloud cloud = random_cloud(seed, 600, periodic);
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
  cloud.list.build(cloud.grid, cloud.state.listed, cloud.state.balls, cloud.space, 0.005, clump);
  EXPECT_LT(cloud.list.size(), all - 20);
  for (std::uint32_t i = 0; i < 300; ++i)
    for (const std::uint32_t j : cloud.list.after(i)) EXPECT_GE(j, 300u);
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
