// What must hold of the bytes before a YAML parser sees them.
#pragma once

#include <string>
#include <string_view>

namespace hardpan::scenario {

// InputError unless `text` is valid UTF-8 of an allowed size without control characters. yaml-cpp would take
// U+0004 for the end of the file and guess other encodings.
void check_source_text(std::string_view text, const std::string& file_name);

}  // namespace hardpan::scenario
