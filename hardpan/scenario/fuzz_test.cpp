// Whatever the bytes, the outcome is a scenario or an InputError.
#include <array>
#include <cstdint>

#include <gtest/gtest.h>

#include "hardpan/core/random.h"
#include "hardpan/scenario/language.h"
#include "hardpan/scenario/test_scenarios.h"
#include "hardpan/scenario/yaml_reader.h"

namespace hardpan::scenario {
namespace {

using testing::complete_scenario;

class Mutator {
 public:
  explicit Mutator(std::uint64_t seed) : random_(seed) {}

  std::string mutated(std::string text) {
    for (std::size_t n = 1 + below(2); n > 0; --n) change(text);
    return text;
  }

 private:
  std::size_t below(std::size_t limit) { return random_.words(counter_++)[0] % limit; }

  void change(std::string& text) {
    static const std::array<std::string, 32> tokens = {
        "[",     "]",   "{",    "}",      ": ",    "- ", "? ", "\n",  "  ",   "\t",  "&a ",
        "*a",    "!t ", "<<: ", "---\n",  "...\n", "\"", "'",  "|\n", ">\n",  "#",   ".nan",
        "1e999", "-1",  "null", "kind: ", "world", ",",  "%",  "0",   "\xc3", "\x04"};
    const std::size_t at = below(text.size() + 1);
    switch (below(5)) {
      case 0:
        if (at < text.size()) text[at] = static_cast<char>(below(256));
        break;
      case 1:
        text.insert(at, tokens[below(tokens.size())]);
        break;
      case 2:
        text.erase(at, below(20));
        break;
      case 3:
        text.insert(at, text.substr(below(text.size() + 1), below(60)));
        break;
      default:
        text.replace(at, below(8), tokens[below(tokens.size())]);
        break;
    }
  }

  CounterRandom random_;
  std::uint64_t counter_ = 0;
};

// True for a scenario, false for an InputError; anything else fails the test.
bool accepted(const std::string& text) {
  try {
    const Value scenario = resolve(language(), parse_yaml(text, "f"));
    EXPECT_EQ(resolve(language(), parse_yaml(to_yaml(scenario), "again")), scenario) << text;
    return true;
  } catch (const InputError& error) {
    EXPECT_FALSE(std::string(error.what()).empty());
    return false;
  } catch (const std::exception& error) {
    ADD_FAILURE() << error.what() << "\n" << text;
    return false;
  }
}

TEST(Fuzz, MutatedScenariosAreReadOrRefused) {
  int good = 0;
  const int cases = 4000;
  for (int i = 0; i < cases; ++i)
    if (accepted(Mutator(static_cast<std::uint64_t>(i)).mutated(complete_scenario))) ++good;
  // Both outcomes must occur, or the mutations test nothing.
  EXPECT_GT(good, cases / 100);
  EXPECT_LT(good, cases);
}

TEST(Fuzz, MutatedOverridesAreAppliedOrRefused) {
  const Value scenario = parse_yaml(complete_scenario, "f");
  for (int i = 0; i < 2000; ++i) {
    const std::string assignment =
        Mutator(static_cast<std::uint64_t>(i)).mutated("joints.strut.points.0=[{a: 1}, \"b\", 2]");
    Value copy = scenario;
    try {
      apply_override(copy, assignment);
      resolve(language(), copy);
    } catch (const InputError&) {
    }
  }
}

}  // namespace
}  // namespace hardpan::scenario
