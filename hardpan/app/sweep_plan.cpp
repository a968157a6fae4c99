#include "hardpan/app/sweep_plan.h"

#include <algorithm>
#include <cctype>
#include <string_view>

#include <fmt/core.h>

#include "hardpan/core/error.h"

namespace hardpan::app {
namespace {

std::string trimmed(std::string_view text) {
  const auto is_space = [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; };
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return std::string(text);
}

std::vector<std::string> split_values(std::string_view text) {
  std::vector<std::string> parts(1);
  int depth = 0;
  char quote = 0;
  for (const char c : text) {
    if (quote) {
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '[' || c == '{') {
      ++depth;
    } else if (c == ']' || c == '}') {
      --depth;
    } else if (c == ',' && depth == 0) {
      parts.emplace_back();
      continue;
    }
    parts.back() += c;
  }
  std::ranges::transform(parts, parts.begin(), trimmed);
  return parts;
}

std::string last_word(const std::string& key) { return key.substr(key.rfind('.') + 1); }

// What every file system takes: "[0, 0, -1.62]" becomes "0_0_-1.62".
std::string for_file(const std::string& text) {
  std::string name;
  bool gap = false;
  for (const char c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)) ||
        std::string_view("+-._").find(c) != std::string_view::npos) {
      if (gap && !name.empty()) name += '_';
      name += c;
      gap = false;
    } else {
      gap = true;
    }
  }
  return name.empty() ? "_" : name;
}

template <class T>
const T* repeated(const std::vector<T>& values) {
  for (auto at = values.begin(); at != values.end(); ++at)
    if (std::find(values.begin(), at, *at) != at) return &*at;
  return nullptr;
}

}  // namespace

std::vector<Variation> parse_variations(const std::vector<std::string>& texts) {
  std::vector<Variation> variations;
  std::vector<std::string> keys, words;
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    const std::string key = trimmed(std::string_view(text).substr(0, equals));
    if (equals == std::string::npos || key.empty())
      throw InputError(
          fmt::format("--vary {}: expected a key and its values, like contacts.friction=0.3,0.5", text));
    variations.push_back({key, "", split_values(std::string_view(text).substr(equals + 1))});
    const std::vector<std::string>& values = variations.back().values;
    if (std::ranges::find(values, "") != values.end())
      throw InputError(fmt::format("--vary {}: a value is missing; expected {}=a,b,c", text, key));
    if (const std::string* twice = repeated(values))
      throw InputError(fmt::format("--vary {}: the value {} is there twice", text, *twice));
    keys.push_back(key);
    words.push_back(last_word(key));
  }
  if (const std::string* twice = repeated(keys))
    throw InputError(fmt::format("--vary {}: is there twice; give all of its values at once", *twice));
  for (Variation& variation : variations)
    variation.name =
        std::ranges::count(words, last_word(variation.key)) > 1 ? variation.key : last_word(variation.key);
  return variations;
}

std::vector<PlannedRun> plan_runs(const std::vector<Variation>& variations) {
  std::vector<PlannedRun> runs(1);
  for (const Variation& variation : variations) {
    std::vector<PlannedRun> more;
    for (const PlannedRun& run : runs)
      for (const std::string& value : variation.values) {
        PlannedRun next = run;
        next.name +=
            fmt::format("{}{}={}", next.name.empty() ? "" : ",", for_file(variation.name), for_file(value));
        next.values.push_back(value);
        next.assignments.push_back(variation.key + "=" + value);
        more.push_back(std::move(next));
      }
    runs = std::move(more);
  }
  for (std::size_t k = 0; k < runs.size(); ++k)  // values that differ in odd characters only
    if (std::ranges::count(runs, runs[k].name, &PlannedRun::name) > 1)
      runs[k].name += fmt::format(",{}", k + 1);
  return runs;
}

}  // namespace hardpan::app
