#include "hardpan/record/json_text.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "hardpan/core/error.h"

namespace hardpan::record {
namespace {

std::string refusal(const std::string& text) {
  try {
    parse_json(text, "x.json");
  } catch (const IoError& error) {
    return error.what();
  }
  return "";
}

std::string nested(std::size_t levels) { return std::string(levels, '[') + std::string(levels, ']'); }

TEST(JsonText, KeepsTheOrderOfKeys) {
  EXPECT_EQ(parse_json(R"({"b": 1, "a": [true, null]})", "x").dump(), R"({"b":1,"a":[true,null]})");
}

TEST(JsonText, WhatIsNoJsonIsToldWithItsPlace) {
  EXPECT_EQ(refusal("{\"a\": 1,\n  oops}"), "x.json: is no JSON (line 2, column 3)");
  EXPECT_EQ(refusal(""), "x.json: is no JSON (line 1, column 1)");
  for (const char* bad : {"{", "[1,]", "nul", "{} {}", "\"\xff\"", "[1e999]"})
    EXPECT_TRUE(refusal(bad).starts_with("x.json: ")) << bad;
}

TEST(JsonText, DeepNestingIsRefused) {
  EXPECT_EQ(refusal(nested(64)), "");
  EXPECT_EQ(refusal("[\"\\\\\", \"\\\"" + std::string(100, '[') + "\"]"), "") << "brackets in strings";
  EXPECT_EQ(refusal(nested(65)), "x.json: is nested more than 64 levels deep");
  EXPECT_EQ(refusal(nested(200'000)), "x.json: is nested more than 64 levels deep");
  EXPECT_EQ(refusal(std::string(200'000, '[')), "x.json: is nested more than 64 levels deep");
}

}  // namespace
}  // namespace hardpan::record
