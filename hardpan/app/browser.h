// Programs that are started beside this one: the person's browser, and a headless one that makes pictures.
// Always directly, never through a shell.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <sys/types.h>

namespace hardpan::app {

// Starts a program in a process group of its own, so that Ctrl-C here does not end it; looks `argv[0]` up in
// PATH. Its output goes to `log`. IoError when it cannot be started.
pid_t start(const std::vector<std::string>& argv, const std::filesystem::path& log);

// A started program that is ended here, with all its children.
class Child {
 public:
  explicit Child(pid_t id) : id_(id) {}
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  bool has_ended();

 private:
  pid_t id_;
  bool is_reaped_ = false;
};

// Opens the address in whatever browser the person uses, when there is a screen; failing that, nothing.
void open_in_browser(const std::string& address);

// The headless browser: $HARDPAN_BROWSER, or the first one found in PATH. InputError with what to do when
// none is there.
std::string find_chromium();

}  // namespace hardpan::app
