#include "hardpan/grains/growth.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

namespace hardpan::grains {
namespace {

// Of all pairs, by brute force, over the sum of radii.
double largest_overlap(const std::vector<Sphere>& spheres) {
  double largest = 0;
  for (std::size_t i = 0; i < spheres.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      largest = std::max(
          largest, 1 - norm(spheres[i].centre - spheres[j].centre) / (spheres[i].radius + spheres[j].radius));
  return largest;
}

double solid(const std::vector<Sphere>& spheres) {
  double sum = 0;
  for (const Sphere& sphere : spheres) sum += 4 * std::numbers::pi / 3 * std::pow(sphere.radius, 3);
  return sum;
}

TEST(GrainGrowth, ReachesTheVoidRatioWithinTheRegion) {
  for (const Fill::Region region : {Fill::Region::box, Fill::Region::cylinder})
    for (const Sizes& sizes : {Sizes::equal(0.1), Sizes::uniform(0.06, 0.14)}) {
      Fill fill{
          .region = region, .low = {-0.5, -0.4, 0.2}, .high = {0.5, 0.6, 1.2}, .sizes = sizes, .seed = 3};
      const Growth growth = grown(fill, 0.8);
      ASSERT_TRUE(growth.reached()) << growth.overlap;
      const double volume = region == Fill::Region::box ? 1 : std::numbers::pi / 4;
      const double one = std::numbers::pi / 6 * std::pow(sizes.largest(), 3);
      EXPECT_NEAR(solid(growth.spheres), volume / 1.8, 0.5 * one);
      EXPECT_LE(largest_overlap(growth.spheres), Growth::tolerance * (1 + 1e-9));
      for (const auto& [c, r] : growth.spheres) {
        EXPECT_GE(c.z - r, 0.2 - 1e-12);
        EXPECT_LE(c.z + r, 1.2 + 1e-12);
        if (region == Fill::Region::box) {
          EXPECT_LE(std::max(std::abs(c.x), std::abs(c.y - 0.1)) + r, 0.5 + 1e-12);
        } else {
          EXPECT_LE(std::hypot(c.x, c.y - 0.1) + r, 0.5 + 1e-12);
        }
      }
    }
}

TEST(GrainGrowth, FollowsTheSeedAndKnowsWhatCannotBe) {
  Fill fill{.low = {0, 0, 0}, .high = {1, 1, 1}, .sizes = Sizes::equal(0.15)};
  const Growth first = grown(fill, 1), again = grown(fill, 1);
  ASSERT_EQ(first.spheres.size(), again.spheres.size());
  for (std::size_t i = 0; i < first.spheres.size(); ++i)
    EXPECT_EQ(norm(first.spheres[i].centre - again.spheres[i].centre), 0);
  fill.seed = 1;
  EXPECT_GT(norm(first.spheres[0].centre - grown(fill, 1).spheres[0].centre), 0);
  const Growth dense = grown(fill, 0.3);  // denser than a crystal
  EXPECT_FALSE(dense.reached());
  EXPECT_GT(dense.overlap, 0.01);
  fill.high.z = 0.1;
  EXPECT_TRUE(grown(fill, 1).spheres.empty());
  fill.high.z = 1;
  fill.sizes = Sizes::equal(2);
  EXPECT_TRUE(grown(fill, 1).spheres.empty());
}

}  // namespace
}  // namespace hardpan::grains
