// Where scenarios are found by name: the present folder's `scenarios`, those beside the program (source tree
// or installation), and the folder named by the environment variable HARDPAN_DATA.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace hardpan::app {

struct NamedScenario {
  std::string name;
  std::filesystem::path file;
};

// All scenarios in the library, sorted by folder and name.
std::vector<NamedScenario> scenario_library();

// A file if there is one of that path, else a scenario of that name; InputError with a guess otherwise.
std::filesystem::path find_scenario(const std::string& file_or_name);

// Files as they are, folders searched for *.yaml, names looked up; sorted, each once.
std::vector<std::filesystem::path> find_all(const std::vector<std::string>& paths);

}  // namespace hardpan::app
