#include "hardpan/app/process.h"

#include <csignal>
#include <cstring>

#include <fcntl.h>
#include <fmt/core.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hardpan/core/error.h"

extern char** environ;

namespace hardpan::app {

pid_t start(const std::vector<std::string>& argv, const std::filesystem::path& log) {
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
  int status = 0;
  if (!is_reaped_ && ::waitpid(id_, &status, WNOHANG) != 0) {
    is_reaped_ = true;
    exit_code_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
  return is_reaped_;
}

void Child::ask_to_end() {
  if (!is_reaped_) ::kill(-id_, SIGTERM);
}

// The group may outlive the program itself.
Child::~Child() {
  ::kill(-id_, SIGKILL);
  if (!is_reaped_) ::waitpid(id_, nullptr, 0);
}

}  // namespace hardpan::app
