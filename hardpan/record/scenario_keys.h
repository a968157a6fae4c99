// The values of a resolved scenario by their keys, as `--set` writes them: "bodies.bob.mass",
// "outputs.0.every". Reads what the program stores as scenario.yaml (block style, two spaces per level, short
// lists on one line) and no other YAML.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hardpan::record {

struct KeyValue {
  std::string key, value;  // the value as it stands in the file
};

std::vector<KeyValue> scenario_keys(std::string_view yaml);

// Without quotes and escapes; "" when there is none.
std::string scenario_title(std::string_view yaml);

// A key and its values in several scenarios; "" where one does not have it.
struct KeyDifference {
  std::string key;
  std::vector<std::string> values;
};

// The keys whose values are not the same everywhere, in the order of the files.
std::vector<KeyDifference> differences(const std::vector<std::string>& yaml_texts);

}  // namespace hardpan::record
