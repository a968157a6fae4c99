#include "hardpan/grains/pair_list.h"

#include <set>

#include <gtest/gtest.h>

#include "hardpan/core/error.h"
#include "hardpan/core/parallel.h"
#include "hardpan/core/random.h"

namespace hardpan::grains {
namespace {

struct Cloud {
  Columns at;
  std::vector<double> radius;
  std::vector<std::uint32_t> id;
  Space space;
};

Cloud random_cloud(std::uint64_t seed, std::size_t count, bool periodic) {
  Cloud cloud;
  const CounterRandom random(seed);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t c = 4 * i;
    cloud.at.push_back({random.uniform(c), 0.7 * random.uniform(c + 1), 0.8 * random.uniform(c + 2)});
    cloud.radius.push_back(random.uniform(c + 3, 0.01, 0.04));
    cloud.id.push_back(static_cast<std::uint32_t>(i));
  }
  if (periodic) cloud.space.axes = {Axis{true, 0, 1}, Axis{true, 0, 0.7}, Axis{}};
  return cloud;
}

// In the order of the cells, as System has them.
void sort(Cloud& cloud, const CellGrid& grid) {
  Cloud sorted = cloud;
  for (std::size_t k = 0; k < grid.order().size(); ++k) {
    sorted.at.set(k, cloud.at[grid.order()[k]]);
    sorted.radius[k] = cloud.radius[grid.order()[k]];
    sorted.id[k] = cloud.id[grid.order()[k]];
  }
  cloud = sorted;
}

using Ids = std::set<std::pair<std::uint32_t, std::uint32_t>>;

Ids by_all_pairs(const Cloud& cloud, double skin) {
  Ids found;
  for (std::size_t i = 0; i < cloud.at.size(); ++i)
    for (std::size_t j = i + 1; j < cloud.at.size(); ++j)
      if (norm(cloud.space.shortest(cloud.at[j] - cloud.at[i])) < cloud.radius[i] + cloud.radius[j] + skin)
        found.insert(std::minmax(cloud.id[i], cloud.id[j]));
  return found;
}

TEST(PairList, FindsWhatAllPairsFindOnce) {
  constexpr double skin = 0.005;
  for (const bool periodic : {false, true})
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      Cloud cloud = random_cloud(seed, 600, periodic);
      CellGrid grid;
      grid.build(cloud.at, 0.085, cloud.space);
      sort(cloud, grid);
      PairList list;
      list.build(grid, cloud.at, cloud.radius, cloud.id, cloud.space, skin);
      Ids found;
      std::size_t backwards = 0;
      for (std::size_t i = 0; i < cloud.at.size(); ++i) {
        for (std::uint32_t p = list.first_pair(i); p < list.first_pair(i + 1); ++p) {
          EXPECT_LT(i, list.second(p));
          EXPECT_TRUE(found.insert(std::minmax(cloud.id[i], cloud.id[list.second(p)])).second);
        }
        for (const std::uint32_t p : list.pairs_as_second(i)) {
          EXPECT_EQ(list.second(p), i);
          ++backwards;
        }
      }
      EXPECT_EQ(found, by_all_pairs(cloud, skin));
      EXPECT_EQ(backwards, list.size());
      EXPECT_GT(found.size(), 100u);
    }
}

// Whoever is first in the present order, the force on the grain with the larger identity is what it was.
TEST(PairList, MemoryOutlivesOrders) {
  Cloud cloud = random_cloud(7, 400, true);
  const auto build = [&](PairList& list) {
    CellGrid grid;
    grid.build(cloud.at, 0.085, cloud.space);
    sort(cloud, grid);
    list.build(grid, cloud.at, cloud.radius, cloud.id, cloud.space, 0);
  };
  const auto each = [&](PairList& list, const auto& visit) {
    for (std::size_t i = 0; i < cloud.at.size(); ++i)
      for (std::uint32_t p = list.first_pair(i); p < list.first_pair(i + 1); ++p)
        visit(cloud.id[i], cloud.id[list.second(p)], list.memory()[p]);
  };
  const auto mark = [](std::uint32_t a, std::uint32_t b) {
    return Memory{{1.0 * std::max(a, b), 1.0 * std::min(a, b), 1}, 5};
  };
  PairList list;
  build(list);
  each(list, [&](std::uint32_t a, std::uint32_t b, Memory& memory) {
    memory = mark(a, b);
    if (a > b) memory.force = -memory.force;
  });
  // Mirrored, so that cells, and with them grains, stand in another order.
  for (double& x : cloud.at.x) x = 1 - x;
  for (double& y : cloud.at.y) y = 0.7 - y;
  const std::vector<std::uint32_t> before = cloud.id;
  build(list);
  ASSERT_NE(before, cloud.id);
  std::size_t flipped = 0;
  each(list, [&](std::uint32_t a, std::uint32_t b, const Memory& memory) {
    const double sign = a < b ? 1 : -1;
    flipped += a > b;
    EXPECT_EQ(sign * memory.force.x, mark(a, b).force.x);
    EXPECT_EQ(sign * memory.force.y, mark(a, b).force.y);
    EXPECT_EQ(memory.compliance, 5);
  });
  EXPECT_GT(flipped, 10u);
}

TEST(CellGrid, OneLostGrainDoesNotAskForAllMemory) {
  Cloud cloud = random_cloud(3, 200, false);
  cloud.at.set(0, {1e9, -1e9, 1e9});
  CellGrid grid;
  grid.build(cloud.at, 0.085, cloud.space);
  sort(cloud, grid);
  PairList list;
  list.build(grid, cloud.at, cloud.radius, cloud.id, cloud.space, 0.005);
  EXPECT_EQ(list.size(), by_all_pairs(cloud, 0.005).size());
}

TEST(CellGrid, RefusesPeriodsShorterThanThreeCells) {
  const Cloud cloud = random_cloud(3, 20, true);
  CellGrid grid;
  EXPECT_THROW(grid.build(cloud.at, 0.3, cloud.space), InputError);
}

}  // namespace
}  // namespace hardpan::grains
