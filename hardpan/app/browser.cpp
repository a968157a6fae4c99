#include "hardpan/app/browser.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <string_view>

#include <fmt/core.h>
#include <unistd.h>

#include "hardpan/app/process.h"
#include "hardpan/core/error.h"
#include "hardpan/core/log.h"

namespace hardpan::app {
namespace {

namespace fs = std::filesystem;

const char* variable(const char* name) {
  const char* value = std::getenv(name);
  return value && *value ? value : nullptr;
}

bool is_program(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored) && ::access(path.c_str(), X_OK) == 0;
}

// The file that would be run; empty when there is none.
fs::path look_up(const std::string& name) {
  if (name.find('/') != name.npos) return is_program(name) ? fs::path(name) : fs::path();
  std::string_view folders = variable("PATH") ? variable("PATH") : "/usr/bin:/bin";
  while (!folders.empty()) {
    const std::string_view folder = folders.substr(0, folders.find(':'));
    folders.remove_prefix(std::min(folder.size() + 1, folders.size()));
    if (!folder.empty() && is_program(fs::path(folder) / name)) return fs::path(folder) / name;
  }
  return {};
}

}  // namespace

void open_in_browser(const std::string& address) {
  const bool has_screen = variable("DISPLAY") || variable("WAYLAND_DISPLAY");
  if (!has_screen || !::isatty(STDOUT_FILENO) || look_up("xdg-open").empty()) return;
  try {
    start({"xdg-open", address}, "/dev/null");
  } catch (const IoError& error) {
    log::info("{}", error.what());  // the address is printed anyway
  }
}

std::string find_chromium() {
  if (const char* named = variable("HARDPAN_BROWSER")) {
    if (!look_up(named).empty()) return named;
    throw InputError(fmt::format("HARDPAN_BROWSER: there is no program '{}'", named));
  }
  for (const char* name : {"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"})
    if (!look_up(name).empty()) return name;
  throw InputError(
      "pictures are made by Chromium, and there is none: install it (apt install chromium), or name it by "
      "the "
      "environment variable HARDPAN_BROWSER");
}

}  // namespace hardpan::app
