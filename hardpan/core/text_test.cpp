#include "hardpan/core/text.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace hardpan {
namespace {

TEST(Text, ShortestNumbersReadBackToTheSameBits) {
  EXPECT_EQ(shortest(0.1), "0.1");
  EXPECT_TRUE(rc::check([](double x) {
    RC_PRE(std::isfinite(x));
    RC_ASSERT(parse_number(shortest(x)) == x);
  }));
}

TEST(Text, NumbersAreWholeAndFinite) {
  EXPECT_EQ(parse_number("1e-3"), 1e-3);
  EXPECT_EQ(parse_number("+2"), 2.0);
  EXPECT_EQ(parse_number("-2.5E3"), -2500.0);
  for (const char* bad : {"", "+", "++1", "nan", "inf", "-inf", ".inf", "1e999", "1x", "0x10", " 1"})
    EXPECT_FALSE(parse_number(bad)) << bad;
}

TEST(Text, SuggestsTheLikelyWordOnly) {
  const std::vector<std::string> words = {"radius", "mass", "velocity"};
  EXPECT_EQ(closest("raduis", words), "radius");
  EXPECT_EQ(closest("mas", words), "mass");
  EXPECT_FALSE(closest("colour", words));
  EXPECT_EQ(did_you_mean("velocty", words), " (did you mean 'velocity'?)");
}

}  // namespace
}  // namespace hardpan
