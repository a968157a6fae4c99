// summary.json as pages show it: whatever is missing or of another kind reads as nothing.
#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "hardpan/record/html.h"
#include "hardpan/record/run_reader.h"

namespace hardpan::record {

// A JSON text of the run; null when it is not there (yet), IoError when it is no JSON.
nlohmann::ordered_json read_json(const RunReader& run, const char* name);

// Null where `json` is no object or has no such key.
const nlohmann::ordered_json& member(const nlohmann::ordered_json& json, std::string_view key);

double number_in(const nlohmann::ordered_json& json);     // NaN for what is no number: JSON writes it as null
std::string text_in(const nlohmann::ordered_json& json);  // "" for nothing

// Numbers to the right, words to the left; null is a number that is not finite.
html::Cell cell_of(const nlohmann::ordered_json& json, int digits = 9);

std::string title_of(const RunReader& run, const nlohmann::ordered_json& summary);
std::string status_of(const nlohmann::ordered_json& summary);         // "not finished" without a summary
std::string expectations_met(const nlohmann::ordered_json& summary);  // "2 of 3 passed", "" for none
bool is_good(const nlohmann::ordered_json& summary);                  // done, and no expectation failed

// In green when it is the good one, else in red.
html::Cell verdict_cell(const std::string& status, std::string_view good);

}  // namespace hardpan::record
