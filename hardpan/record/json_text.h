// JSON as it stands in the files of a run. They may be damaged, or somebody else's.
#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

namespace hardpan::record {

// IoError that names `where`, and the place in it, for what is no JSON. So is what is nested more than 64
// levels deep: who walks through it calls itself once per level, and the stack ends.
nlohmann::ordered_json parse_json(std::string_view text, const std::string& where);

}  // namespace hardpan::record
