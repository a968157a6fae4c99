#include "hardpan/record/json_text.h"

#include <algorithm>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "hardpan/core/error.h"

namespace hardpan::record {
namespace {

using Json = nlohmann::ordered_json;

constexpr int most_levels = 64;

// "line 3, column 14", from 1; the parser counts bytes from 1.
std::string place_of(std::string_view text, std::size_t byte) {
  const std::string_view before = text.substr(0, byte > 0 ? byte - 1 : 0);
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const std::size_t column = before.size() - (before.rfind('\n') + 1) + 1;
  return fmt::format("line {}, column {}", line, column);
}

// Counts brackets outside of strings. The parser's own callback tells the depth too, but with it the time
// grows with the square of a list's length.
bool is_deep(std::string_view text) {
  int level = 0;
  bool is_in_string = false;
  for (std::size_t i = 0; i < text.size() && level <= most_levels; ++i) {
    const char c = text[i];
    if (c == '"') is_in_string = !is_in_string;
    if (is_in_string && c == '\\') ++i;
    if (is_in_string) continue;
    if (c == '[' || c == '{') ++level;
    if (c == ']' || c == '}') --level;
  }
  return level > most_levels;
}

}  // namespace

Json parse_json(std::string_view text, const std::string& where) {
  if (is_deep(text)) throw IoError(fmt::format("{}: is nested more than {} levels deep", where, most_levels));
  try {
    return Json::parse(text);
  } catch (const Json::parse_error& error) {
    throw IoError(fmt::format("{}: is no JSON ({})", where, place_of(text, error.byte)));
  } catch (const Json::out_of_range&) {
    throw IoError(fmt::format("{}: a number is outside the range of double precision", where));
  }
}

}  // namespace hardpan::record
