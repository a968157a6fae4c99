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

}  // namespace

Json parse_json(std::string_view text, const std::string& where) {
  const auto refuse_deep = [&](int depth, Json::parse_event_t event, Json&) {
    const bool is_deeper =
        event == Json::parse_event_t::array_start || event == Json::parse_event_t::object_start;
    if (is_deeper && depth >= most_levels)
      throw IoError(fmt::format("{}: is nested more than {} levels deep", where, most_levels));
    return true;
  };
  try {
    return Json::parse(text.begin(), text.end(), refuse_deep);
  } catch (const Json::parse_error& error) {
    throw IoError(fmt::format("{}: is no JSON ({})", where, place_of(text, error.byte)));
  } catch (const Json::out_of_range&) {
    throw IoError(fmt::format("{}: a number is outside the range of double precision", where));
  }
}

}  // namespace hardpan::record
