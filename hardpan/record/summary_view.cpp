#include "hardpan/record/summary_view.h"

#include <algorithm>
#include <limits>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "hardpan/record/json_text.h"
#include "hardpan/record/scenario_keys.h"

namespace hardpan::record {
namespace {

using Json = nlohmann::ordered_json;

bool has_status(const Json& expectation, const char* status) {
  return text_in(member(expectation, "status")) == status;
}

std::size_t count_of(const Json& expectations, const char* status) {
  return static_cast<std::size_t>(std::count_if(expectations.begin(), expectations.end(),
                                                [&](const Json& e) { return has_status(e, status); }));
}

}  // namespace

Json read_json(const RunReader& run, const char* name) {
  const auto text = run.text(name);
  if (!text) return nullptr;
  return parse_json(*text, (run.folder() / name).string());
}

const Json& member(const Json& json, std::string_view key) {
  static const Json nothing;
  if (!json.is_object()) return nothing;
  const auto it = json.find(std::string(key));
  return it == json.end() ? nothing : *it;
}

double number_in(const Json& json) {
  return json.is_number() ? json.get<double>() : std::numeric_limits<double>::quiet_NaN();
}

std::string text_in(const Json& json) {
  if (json.is_string()) return json.get<std::string>();
  return json.is_null() ? "" : json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

html::Cell cell_of(const Json& json, int digits) {
  if (json.is_null()) return {"not finite", true};
  if (json.is_number_integer()) return {text_in(json), true};
  return json.is_number() ? html::value(json.get<double>(), digits) : html::text(text_in(json));
}

std::string title_of(const RunReader& run, const Json& summary) {
  std::string title = text_in(member(summary, "title"));
  if (title.empty()) title = scenario_title(run.text(scenario_name).value_or(""));
  return title.empty() ? run.folder().filename().string() : title;
}

std::string status_of(const Json& summary) {
  const std::string status = text_in(member(summary, "status"));
  return status.empty() ? "not finished" : status;
}

std::string expectations_met(const Json& summary) {
  const Json& expectations = member(summary, "expectations");
  if (expectations.empty()) return "";
  return fmt::format("{} of {} passed", count_of(expectations, "passed"), expectations.size());
}

bool is_good(const Json& summary) {
  return status_of(summary) == "done" && count_of(member(summary, "expectations"), "failed") == 0;
}

html::Cell verdict_cell(const std::string& status, std::string_view good) {
  return {
      fmt::format("<span class=\"{}\">{}</span>", status == good ? "good" : "bad", html::clipped(status))};
}

}  // namespace hardpan::record
