// YAML text to a tree. The accepted language is the part of YAML that says the same thing to everybody:
// no anchors, aliases, tags, merge keys, duplicate keys, several documents or numbers that are not finite.
// Whatever the bytes, the outcome is a tree or an InputError with file, line and column.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "hardpan/scenario/value.h"

namespace hardpan::scenario {

inline constexpr std::size_t max_file_bytes = std::size_t{8} << 20;
inline constexpr std::size_t max_values = 1'000'000;  // nodes of one file
inline constexpr std::size_t max_nesting = 32;
inline constexpr std::size_t max_key_bytes = 128;
inline constexpr std::size_t max_include_depth = 16;
inline constexpr std::size_t max_included_files = 256;

// One document whose top level is a map.
Value parse_yaml(std::string_view text, const std::string& file_name);

// One value in flow style ("1", "[0, 0, 1]", "{kind: box}", "some words"), as on a command line; its places
// carry `name` alone.
Value parse_flow_value(std::string_view text, const std::string& name);

// Reads a file and what it includes. `include: other.yaml`, or a list of them, is relative to the including
// file. Maps merge deeply: the including file wins over the included, later includes over earlier; lists and
// scalars are replaced whole. The result has no key `include`. IoError when `path` itself cannot be read.
Value read_scenario(const std::filesystem::path& path);

// "a.b.0=value": a dotted path through maps, whose missing keys are created, and list indexes, which must
// exist; the right side is a flow value.
void apply_override(Value& root, std::string_view assignment);

}  // namespace hardpan::scenario
