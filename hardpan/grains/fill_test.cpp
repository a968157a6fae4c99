#include "hardpan/grains/fill.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "hardpan/core/random.h"

namespace hardpan::grains {
namespace {

std::vector<double> drawn(const Sizes& sizes, int count) {
  const CounterRandom random(3);
  std::vector<double> all;
  for (int k = 0; k < count; ++k)
    all.push_back(sizes.diameter(random.uniform(static_cast<std::uint64_t>(k))));
  std::ranges::sort(all);
  return all;
}

// The size that this share of the mass passes.
double by_mass(const std::vector<double>& sorted, double share) {
  double all = 0, sum = 0;
  for (const double d : sorted) all += d * d * d;
  for (const double d : sorted)
    if ((sum += d * d * d) >= share * all) return d;
  return sorted.back();
}

TEST(GrainSizes, LogNormalHasItsMedianAndUniformityByMass) {
  const double s = deviation_of_uniformity(1.7);
  const auto d = drawn(Sizes::log_normal(3.5e-4, s, 3.5e-5, 3.5e-3), 200000);
  EXPECT_NEAR(by_mass(d, 0.5), 3.5e-4, 3.5e-4 * 0.01);
  EXPECT_NEAR(by_mass(d, 0.6) / by_mass(d, 0.1), 1.7, 0.02);
}

TEST(GrainSizes, SievesPassWhatTheyShould) {
  const std::vector<double> sieve = {1e-3, 2e-3, 4e-3, 5e-3}, share = {0, 0.3, 0.9, 1};
  const auto d = drawn(Sizes::passing(sieve, share), 200000);
  EXPECT_NEAR(by_mass(d, 0.3), 2e-3, 2e-5);
  EXPECT_NEAR(by_mass(d, 0.6), std::sqrt(2e-3 * 4e-3), 4e-5);  // half of a class: straight in ln D
  EXPECT_NEAR(by_mass(d, 0.9), 4e-3, 4e-5);
  EXPECT_GE(d.front(), 1e-3);
  EXPECT_LE(d.back(), 5e-3);
}

TEST(GrainSizes, UniformAndEqual) {
  const auto d = drawn(Sizes::uniform(1, 3), 100000);
  EXPECT_NEAR(d[25000], 1.5, 0.01);
  EXPECT_NEAR(d[75000], 2.5, 0.01);
  EXPECT_EQ(Sizes::equal(0.005).diameter(0.3), 0.005);
}

TEST(GrainFill, NothingOverlapsAndAllLiesWithin) {
  for (const auto region : {Fill::Region::box, Fill::Region::cylinder}) {
    for (const auto method : {Fill::Method::lattice, Fill::Method::random}) {
      Fill fill{method, region, {-0.1, 0, 0.2}, {0.1, 0.2, 0.5}, Sizes::uniform(0.01, 0.02), 0, 1.0, 1, 7};
      if (method == Fill::Method::random) fill.count = 1500;
      const auto spheres = filled(fill);
      if (method == Fill::Method::lattice) {
        EXPECT_EQ(region == Fill::Region::box, spheres.size() == 10 * 10 * 15);
        EXPECT_GE(spheres.size(), 52u * 15u);  // whole cells within the circle
      } else {
        EXPECT_EQ(spheres.size(), 1500u);
      }
      for (std::size_t i = 0; i < spheres.size(); ++i) {
        const auto& [c, r] = spheres[i];
        EXPECT_GE(c.x - r, -0.1 - 1e-12);
        EXPECT_LE(c.y + r, 0.2 + 1e-12);
        EXPECT_GE(c.z - r, 0.2 - 1e-12);
        EXPECT_LE(c.z + r, 0.5 + 1e-12);
        if (region == Fill::Region::cylinder) {
          EXPECT_LE(std::hypot(c.x, c.y - 0.1) + r, 0.1 + 1e-12);
        }
        for (std::size_t j = 0; j < i; ++j)
          EXPECT_GE(norm(c - spheres[j].centre), r + spheres[j].radius - 1e-12);
      }
    }
  }
}

TEST(GrainFill, CountsSeedsAndSmallRooms) {
  Fill fill{Fill::Method::lattice, Fill::Region::box, {0, 0, 0}, {1, 1, 1}, Sizes::equal(0.1), 25};
  const auto first = filled(fill);
  EXPECT_EQ(first.size(), 25u);
  EXPECT_LT(first.back().centre.z, 0.11);  // from below
  fill.seed = 1;
  EXPECT_NE(filled(fill)[0].centre.x, first[0].centre.x);
  fill.high = {0.09, 1, 1};
  EXPECT_TRUE(filled(fill).empty());
  fill.high = {1, 1, 1};
  fill.method = Fill::Method::random;
  fill.count = 100000;  // gives up when it is full
  const std::size_t most = filled(fill).size();
  EXPECT_GT(most, 450u);  // a quarter of the volume
  EXPECT_LT(most, 800u);
}

}  // namespace
}  // namespace hardpan::grains
