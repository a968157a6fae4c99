// What a language may say beyond what the scenario language says today, on a toy.
#include "hardpan/scenario/spec.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "hardpan/scenario/schema.h"
#include "hardpan/scenario/test_scenarios.h"
#include "hardpan/scenario/yaml_reader.h"

namespace hardpan::scenario {
namespace {

Object toy() {
  return {.name = "toy",
          .doc = "A toy.",
          .fields = {field("share", number("m").strictly_between(0, 1), "a share"),
                     field("turn", angle(), "a turn").must(),
                     field("few", list_of(integer(), 1, 3), "some numbers"),
                     field("some", list_of(boolean(), 2), "at least two"),
                     field("left", number(), "one side").by_default(Value(1)),
                     field("right", number(), "the other side")},
          .groups = {at_most_one({{"left"}, {"right"}})}};
}

Value resolved(const std::string& text) { return resolve(toy(), parse_yaml(text, "f")); }

std::string error_of(const std::string& text) {
  return testing::message_of([&] { resolved(text); });
}

TEST(Spec, OpenRangesExcludeTheirEnds) {
  EXPECT_NO_THROW(resolved("turn_deg: 1\nshare: 0.5\n"));
  for (const char* end : {"0", "1"})
    EXPECT_EQ(error_of(std::string("turn_deg: 1\nshare: ") + end),
              std::string("f:2:8: share: must be greater than 0 m and less than 1 m, got ") + end);
}

TEST(Spec, RequiredAnglesNameTheirSuffix) {
  EXPECT_EQ(error_of("share: 0.5\n"), "f:1:1: missing key 'turn_(deg|rad)' (a turn)");
  EXPECT_EQ(error_of("turn_deg: x\n"), "f:1:11: turn_deg: expected a number, found the text 'x'");
  EXPECT_DOUBLE_EQ(*find_angle(resolved("turn_deg: 180\n"), "turn"), 3.14159265358979323846);
  EXPECT_DOUBLE_EQ(*find_angle(resolved("turn_rad: 2\n"), "turn"), 2);
}

TEST(Spec, ListsHaveTheirLengths) {
  EXPECT_EQ(error_of("turn_deg: 1\nfew: []\n"), "f:2:6: few: expected a list of 1 to 3, found a list of 0");
  EXPECT_EQ(error_of("turn_deg: 1\nsome: [true]\n"),
            "f:2:7: some: expected a list of at least 2, found a list of 1");
  EXPECT_EQ(error_of("turn_deg: 1\nfew: [1, 2.5]\n"),
            "f:2:10: few.1: must be a whole number of at most 64 bits, got 2.5");
}

TEST(Spec, AtMostOneAllowsNoneAndFillsInNoRival) {
  EXPECT_EQ(error_of("turn_deg: 1\nleft: 1\nright: 2\n"), "f:1:1: at most one may be given of: left; right");
  EXPECT_FALSE(resolved("turn_deg: 1\nright: 2\n").find("left"));
  EXPECT_FALSE(resolved("turn_deg: 1\n").find("left"));
}

TEST(Spec, ToySchemaCarriesTheSameLimits) {
  const auto schema = nlohmann::json::parse(json_schema(toy()));
  EXPECT_EQ(schema["properties"]["share"]["exclusiveMaximum"], 1);
  EXPECT_EQ(schema["properties"]["few"]["maxItems"], 3);
  EXPECT_EQ(schema["allOf"].size(), 3u);  // not both units, one of them, at most one side
}

}  // namespace
}  // namespace hardpan::scenario
