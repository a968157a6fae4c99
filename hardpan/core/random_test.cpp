#include "hardpan/core/random.h"

#include <cmath>

#include <gtest/gtest.h>

namespace hardpan {
namespace {

// Known answers of Philox 4x32-10 published with the Random123 library (kat_vectors).
TEST(CounterRandom, MatchesPublishedVectors) {
  using Words = std::array<std::uint32_t, 4>;
  EXPECT_EQ(CounterRandom(0, 0).words(0), (Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(CounterRandom(~0ull, ~0ull).words(~0ull),
            (Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(CounterRandom(0x299f31d0a4093822ull, 0x0370734413198a2eull).words(0x85a308d3243f6a88ull),
            (Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(CounterRandom, UniformHasTheRightMoments) {
  const CounterRandom random(7, 3);
  const int n = 200'000;
  double mean = 0, square = 0;
  for (int i = 0; i < n; ++i) {
    const double u = random.uniform(static_cast<std::uint64_t>(i));
    ASSERT_GE(u, 0.0);
    ASSERT_LT(u, 1.0);
    mean += u / n;
    square += u * u / n;
  }
  EXPECT_NEAR(mean, 0.5, 4 * std::sqrt(1.0 / 12 / n));
  EXPECT_NEAR(square, 1.0 / 3, 0.003);
}

TEST(CounterRandom, StreamsDiffer) {
  EXPECT_NE(CounterRandom(1, 0).words(5), CounterRandom(1, 1).words(5));
  EXPECT_NE(CounterRandom(1, 0).words(5), CounterRandom(2, 0).words(5));
}

}  // namespace
}  // namespace hardpan
