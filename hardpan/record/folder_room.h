// Room for results: which folders may be written into, and what --force may overwrite.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include <fmt/core.h>

#include "hardpan/core/error.h"

namespace hardpan::record {

// File system calls that throw become IoErrors that name the file.
template <class Action>
auto io(Action&& action) {
  try {
    return action();
  } catch (const std::filesystem::filesystem_error& error) {
    throw IoError(fmt::format("{}: {}", error.path1().string(), error.code().message()));
  }
}

// A kind of results that fill a folder.
struct ResultKind {
  std::string noun;                                // "a run"
  std::string ways;                                // what to do about a folder that is not empty
  bool (*is_one)(const std::filesystem::path&);    // whether a folder holds such results
  bool (*is_leftover)(std::string_view filename);  // of a writer that was killed before it had begun
};

// Makes the folder. InputError when it holds anything and `force` is false, or holds no such results.
void make_room(const std::filesystem::path& folder, bool force, const ResultKind& kind);

}  // namespace hardpan::record
