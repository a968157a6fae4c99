// Programs that are started beside this one. Always directly, never through a shell.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <sys/types.h>

namespace hardpan::app {

// Starts a program in a process group of its own, so that Ctrl-C here does not end it; looks `argv[0]` up in
// PATH. Its output goes to the end of `log`. IoError when it cannot be started.
pid_t start(const std::vector<std::string>& argv, const std::filesystem::path& log);

// A started program that is ended here, with all its children.
class Child {
 public:
  explicit Child(pid_t id) : id_(id) {}
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  bool has_ended();
  int exit_code() const { return exit_code_; }  // once it has ended; 128 + the signal that ended it
  void ask_to_end();

 private:
  pid_t id_;
  bool is_reaped_ = false;
  int exit_code_ = 0;
};

}  // namespace hardpan::app
