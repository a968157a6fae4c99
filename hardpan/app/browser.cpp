#include "hardpan/app/browser.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include <fcntl.h>
#include <fmt/core.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hardpan/core/error.h"
#include "hardpan/core/log.h"

extern char** environ;

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

pid_t start(const std::vector<std::string>& argv, const fs::path& log) {
  std::vector<char*> words;
  for (const std::string& word : argv) words.push_back(const_cast<char*>(word.c_str()));  // left as they are
  words.push_back(nullptr);

  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
  posix_spawn_file_actions_adddup2(&files, STDOUT_FILENO, STDERR_FILENO);

  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t defaults;  // what we ignore, it would inherit
  sigemptyset(&defaults);
  for (int signal : {SIGPIPE, SIGXFSZ, SIGINT, SIGTERM, SIGCHLD}) sigaddset(&defaults, signal);
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);

  pid_t id = -1;
  const int failed = ::posix_spawnp(&id, words[0], &files, &attributes, words.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  if (failed) throw IoError(fmt::format("{}: cannot be started: {}", argv[0], std::strerror(failed)));
  return id;
}

bool Child::has_ended() {
  if (!is_reaped_) is_reaped_ = ::waitpid(id_, nullptr, WNOHANG) != 0;
  return is_reaped_;
}

// The group may outlive the program itself.
Child::~Child() {
  ::kill(-id_, SIGKILL);
  if (!is_reaped_) ::waitpid(id_, nullptr, 0);
}

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
