// What a plain YAML scalar means: the core schema of YAML 1.2, less octal and hexadecimal numbers, so that a
// country code `no` stays text and 010 is ten.
#pragma once

#include <string>
#include <string_view>

#include "hardpan/scenario/value.h"

namespace hardpan::scenario {

// null, true, false, a number or text. InputError at `mark` for spellings of numbers that are not finite or
// do not fit a double.
Value plain_scalar(std::string_view text, const SourceMark& mark);

// The text as YAML reads it back: plain where that is safe inside any list or map, quoted otherwise.
std::string quoted_if_needed(std::string_view text);

}  // namespace hardpan::scenario
