#include "hardpan/scenario/value.h"

#include <cmath>

#include <fmt/core.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "hardpan/scenario/scalar.h"
#include "hardpan/scenario/yaml_reader.h"

namespace hardpan::scenario {
namespace {

// Pieces that are awkward in YAML, alone or side by side.
rc::Gen<std::string> any_text() {
  const auto piece = rc::gen::elementOf(
      std::vector<std::string>{"a",          "B",    "0",    "1e5",    "-",
                               "_",          ".",    " ",    ": ",     " #",
                               "#",          "'",    "\"",   "\\",     "\n",
                               "\r",         "\t",   "[",    "]",      "{",
                               "}",          ",",    "&",    "*",      "!",
                               "|",          ">",    "%",    "@",      "`",
                               "null",       "true", "no",   "~",      "nan",
                               ".inf",       "0x1",  "---",  "...",    "<<",
                               "?",          "é",    "µm",   "\u2028", "\ufeff",
                               "\U0001F69C", "\x01", "\x7f", "\u0085", std::string(1, '\0')});
  return rc::gen::map(rc::gen::container<std::vector<std::string>>(piece),
                      [](const std::vector<std::string>& pieces) {
                        std::string text;
                        for (const std::string& p : pieces)
                          if (text.size() < 60) text += p;
                        return text;
                      });
}

rc::Gen<Value> any_value(int depth) {
  return rc::gen::exec([depth] {
    switch (*rc::gen::inRange(0, depth > 0 ? 7 : 5)) {
      case 0:
        return Value();
      case 1:
        return Value(*rc::gen::arbitrary<bool>());
      case 2: {
        const double x = *rc::gen::arbitrary<double>();
        return Value(std::isfinite(x) ? x : 0.0);
      }
      case 3:
        return Value(*rc::gen::arbitrary<std::int64_t>());
      case 4:
        return Value(*any_text());
      case 5: {
        Value list = Value::list();
        for (int n = *rc::gen::inRange(0, 5); n > 0; --n) list.items().push_back(*any_value(depth - 1));
        return list;
      }
      default: {
        Value map = Value::map();
        for (int n = *rc::gen::inRange(0, 5); n > 0; --n) {
          const std::string key = *any_text();
          if (key != "<<") map.set(key, *any_value(depth - 1));
        }
        return map;
      }
    }
  });
}

TEST(Value, YamlReadsBackToTheSameTree) {
  EXPECT_TRUE(rc::check([] {
    Value root = Value::map();
    root.set("value", *rc::gen::resize(100, any_value(5)));  // small sizes would give scalars alone
    const std::string yaml = to_yaml(root);
    RC_LOG() << yaml;
    const Value again = parse_yaml(yaml, "again");
    RC_ASSERT(again == root);
    RC_ASSERT(to_yaml(again) == yaml);
  }));
}

TEST(Value, YamlIsReadable) {
  Value root = Value::map();
  root.set("gravity", Value::numbers({0, 0, -9.81}));
  root.set("title", Value("Rolling ball"));
  root.set("answer", Value("no"));
  root.set("empty", Value(""));
  Value item = Value::map();
  item.set("field", Value("position"));
  item.set("every", Value(0.01));
  root.set("outputs", Value::list({item}));
  EXPECT_EQ(
      to_yaml(root),
      "gravity: [0, 0, -9.81]\ntitle: Rolling ball\nanswer: no\nempty: \"\"\noutputs:\n  - field: position\n"
      "    every: 0.01\n");
}

TEST(Value, IntegersStayExact) {
  const Value seed = parse_yaml("seed: 9007199254740993", "f").at("seed");
  EXPECT_EQ(seed.integer(), 9007199254740993);
  EXPECT_EQ(parse_yaml("x: " + to_yaml(seed), "f").at("x").integer(), 9007199254740993);
  EXPECT_EQ(parse_yaml("x: 1.50", "f").at("x").number_text(), "1.50");
  EXPECT_TRUE(parse_yaml("x: 1e3", "f").at("x").is_integer());
  EXPECT_FALSE(parse_yaml("x: 1e30", "f").at("x").is_integer());
}

TEST(Value, CopiesAreDeep) {
  Value a = Value::map();
  a.set("list", Value::numbers({1, 2}));
  Value b = a;
  b.find("list")->items()[0] = Value(5);
  EXPECT_EQ(a.at("list").items()[0], Value(1));
  EXPECT_FALSE(a == b);
}

TEST(Value, LargeMapsFindReplaceAndErase) {
  Value map = Value::map();
  for (int i = 0; i < 100; ++i) map.set(fmt::format("k{}", i), Value(i));
  map.set("k50", Value("replaced"));
  map.erase("k3");
  map.erase("k3");
  EXPECT_EQ(map.entries().size(), 99u);
  EXPECT_FALSE(map.find("k3"));
  EXPECT_EQ(map.at("k50").text(), "replaced");
  EXPECT_EQ(map.at("k99").integer(), 99);
}

TEST(Value, MisuseIsABug) {
  EXPECT_THROW(Value("a").number(), InvariantError);
  EXPECT_THROW(Value(1.5).integer(), InvariantError);
  EXPECT_THROW(Value(1.5).items(), InvariantError);
  EXPECT_THROW(Value().entries(), InvariantError);
  EXPECT_THROW(Value::map().at("key"), InvariantError);
}

TEST(Scalar, PlainScalarsFollowTheCoreSchema) {
  const SourceMark mark{"f", 1, 1};
  for (const char* number : {"1", "-2.5e-3", "+4", "1.", ".5", "010", "-0"})
    EXPECT_TRUE(plain_scalar(number, mark).is(Value::Type::number)) << number;
  for (const char* text :
       {"yes", "no", "on", "True", "0x10", "0o17", "1_000", "1 m", ".", "e5", "1e", "-", "info"})
    EXPECT_TRUE(plain_scalar(text, mark).is(Value::Type::text)) << text;
  for (const char* bad :
       {".nan", ".NaN", "nan", "inf", "-inf", "+.INF", "Infinity", "1e999", "-1e999", "1e-999"})
    EXPECT_THROW(plain_scalar(bad, mark), InputError) << bad;
  EXPECT_EQ(plain_scalar("010", mark).integer(), 10);
}

}  // namespace
}  // namespace hardpan::scenario
