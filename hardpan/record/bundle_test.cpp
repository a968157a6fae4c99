#include "hardpan/record/bundle.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "hardpan/record/plot_axis.h"
#include "hardpan/record/test_pages.h"

namespace hardpan::record {
namespace {

using testing::decode_bundle;
using testing::Json;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(Bundle, RoundTripOfEveryType) {
  Bundle bundle;
  const std::vector<double> reals = {1.5, -2e300, nan, infinity, 0.1};
  const std::vector<std::int64_t> integers = {7, -1, std::int64_t{1} << 40, -(std::int64_t{1} << 40)};
  EXPECT_EQ(bundle.add_f64(reals), 0u);
  EXPECT_EQ(bundle.add_f32(std::vector<double>{1e6 + 0.001, 1e6, nan}, 1e6), 1u);
  EXPECT_EQ(bundle.add_i32(integers), 2u);
  EXPECT_EQ(bundle.add_d32(std::vector<std::int64_t>{1, 2, -5, 2'000'000'000, 3, -2'000'000'000}, 3), 3u);
  EXPECT_EQ(bundle.add_f64({}), 4u);
  const auto back = decode_bundle(bundle.bytes({{"name", "größe </script>"}}));
  EXPECT_EQ(back.head["name"], "größe </script>");
  ASSERT_EQ(back.arrays.size(), 5u);
  for (std::size_t i : {0, 1, 3, 4}) EXPECT_EQ(back.arrays[0][i], reals[i]);
  EXPECT_TRUE(std::isnan(back.arrays[0][2]));
  EXPECT_NEAR(back.arrays[1][0], 1e6 + 0.001, 1e-9);  // a plain float would be 0.06 off
  EXPECT_TRUE(std::isnan(back.arrays[1][2]));
  EXPECT_EQ(back.arrays[2], (std::vector<double>{7, -1, 2147483647, -2147483648.0}));
  EXPECT_EQ(back.arrays[3], (std::vector<double>{1, 2, -5, 2e9, 3, -2e9}));
  EXPECT_TRUE(back.arrays[4].empty());
}

TEST(Bundle, AnEmptyHeadIsFine) {
  EXPECT_EQ(decode_bundle(Bundle().bytes(Json::object())).head, Json({{"arrays", Json::array()}}));
}

TEST(Bundle, NamesThatAreNoUtf8AreReplaced) {
  const auto back = decode_bundle(Bundle().bytes({{"name", "\xff"}}));
  EXPECT_EQ(back.head["name"], "\uFFFD");
}

// Half a step of the range of the component, and rounding.
TEST(Bundle, QuantisationErrorIsBounded) {
  EXPECT_TRUE(rc::check([] {
    const auto frames = *rc::gen::inRange<std::size_t>(1, 6);
    const auto rows = *rc::gen::inRange<std::size_t>(0, 5);
    const auto components = *rc::gen::inRange<std::size_t>(1, 5);
    const double scale = *rc::gen::element(1e-9, 1.0, 1e12);
    std::vector<double> values(frames * rows * components);
    for (double& value : values)
      value = *rc::gen::inRange(0, 10) == 0 ? nan : scale * *rc::gen::inRange(-1000, 1000) / 7.0;
    Bundle bundle;
    bundle.add_q16(values, frames, components);
    const auto back = decode_bundle(bundle.bytes(Json::object()));
    std::vector<RangeFinder> range(components);
    const Json& array = back.head["arrays"][0];
    RC_ASSERT(back.arrays[0].size() == values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double width =
          array["high"][i % components].get<double>() - array["low"][i % components].get<double>();
      RC_ASSERT(std::isnan(back.arrays[0][i]) == std::isnan(values[i]));
      if (!std::isnan(values[i]))
        RC_ASSERT(std::abs(back.arrays[0][i] - values[i]) <= width / 65534 / 2 * (1 + 1e-9) + 1e-12 * scale);
    }
  }));
}

TEST(Bundle, ConstantAndAbsentComponents) {
  Bundle bundle;
  bundle.add_q16(std::vector<double>{5, nan, 5, infinity}, 2, 2);
  const auto back = decode_bundle(bundle.bytes(Json::object()));
  EXPECT_EQ(back.arrays[0][0], 5);
  EXPECT_EQ(back.arrays[0][2], 5);
  EXPECT_TRUE(std::isnan(back.arrays[0][1]));
  EXPECT_TRUE(std::isnan(back.arrays[0][3]));
}

}  // namespace
}  // namespace hardpan::record
