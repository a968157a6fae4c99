// Which runs a parameter study has: all combinations of the values of some keys, with a name for each.
#pragma once

#include <string>
#include <vector>

namespace hardpan::app {

struct Variation {
  std::string key;                  // a path in the scenario, a.b
  std::string name;                 // its last word, or all of it where two keys end alike
  std::vector<std::string> values;  // as YAML has them
};

// Of "a.b=1,2,3"; commas within brackets, braces and quotes part nothing. InputError on what is none, and on
// a key or a value that is there twice.
std::vector<Variation> parse_variations(const std::vector<std::string>& texts);

struct PlannedRun {
  std::string name;                 // of its folder: friction=0.5,load=80
  std::vector<std::string> values;  // one of each variation
  std::vector<std::string> assignments;
};

// The values of the last variation change first.
std::vector<PlannedRun> plan_runs(const std::vector<Variation>& variations);

}  // namespace hardpan::app
