#include "hardpan/app/library.h"

#include <algorithm>
#include <cstdlib>
#include <set>

#include <fmt/core.h>

#include "hardpan/core/error.h"
#include "hardpan/core/text.h"

namespace hardpan::app {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> library_folders() {
  std::vector<fs::path> folders = {"scenarios"};
  if (const char* data = std::getenv("HARDPAN_DATA")) folders.emplace_back(fs::path(data) / "scenarios");
  std::error_code failed;
  const fs::path program = fs::read_symlink("/proc/self/exe", failed);
  if (!failed) {
    folders.push_back(program.parent_path() / "../../scenarios");  // build/bin/hardpan in the source tree
    folders.push_back(program.parent_path() / "../share/hardpan/scenarios");  // an installation
  }
  std::vector<fs::path> present;
  for (const fs::path& folder : folders)
    if (fs::is_directory(folder, failed) && !failed) present.push_back(folder);
  return present;
}

std::vector<fs::path> yaml_files(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code failed;
  for (fs::recursive_directory_iterator it(folder, fs::directory_options::skip_permission_denied, failed),
       end;
       !failed && it != end; it.increment(failed))
    if (it->is_regular_file() && it->path().extension() == ".yaml") files.push_back(it->path());
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

std::vector<NamedScenario> scenario_library() {
  std::vector<NamedScenario> all;
  std::set<std::string> seen;  // an earlier folder hides a later one
  for (const fs::path& folder : library_folders())
    for (const fs::path& file : yaml_files(folder))
      if (seen.insert(file.stem().string()).second)
        all.push_back({file.stem().string(), file.lexically_normal()});
  return all;
}

fs::path find_scenario(const std::string& file_or_name) {
  std::error_code failed;
  if (fs::is_regular_file(file_or_name, failed)) return file_or_name;
  if (fs::is_directory(file_or_name, failed))
    throw InputError(fmt::format("{}: is a folder, not a scenario file", file_or_name));
  std::vector<std::string> names;
  for (const NamedScenario& scenario : scenario_library()) {
    if (scenario.name == file_or_name) return scenario.file;
    names.push_back(scenario.name);
  }
  throw InputError(
      fmt::format("{}: no such file, and no scenario of that name{}; 'hardpan list' shows them all",
                  file_or_name, did_you_mean(file_or_name, names)));
}

std::vector<fs::path> find_all(const std::vector<std::string>& paths) {
  std::vector<fs::path> files;
  for (const std::string& path : paths) {
    std::error_code failed;
    if (fs::is_directory(path, failed)) {
      const auto found = yaml_files(path);
      if (found.empty()) throw InputError(fmt::format("{}: holds no scenario (*.yaml)", path));
      files.insert(files.end(), found.begin(), found.end());
    } else {
      files.push_back(find_scenario(path));
    }
  }
  std::sort(files.begin(), files.end());
  files.erase(std::unique(files.begin(), files.end()), files.end());
  return files;
}

}  // namespace hardpan::app
