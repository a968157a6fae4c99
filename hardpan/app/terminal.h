// What a person sees while a run goes on: one line that is rewritten on a terminal, plain lines now and then
// when the output goes to a file or a pipe.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "hardpan/scenario/run.h"

namespace hardpan::app {

enum class Verbosity { quiet, normal, verbose };

class ProgressLine {
 public:
  explicit ProgressLine(Verbosity verbosity);
  void show(const scenario::Progress& progress);
  void clear();  // before other output

 private:
  Verbosity verbosity_;
  bool terminal_;
  std::size_t shown_ = 0;  // width of the line on the terminal
  int last_tenth_ = -1;
  std::string stage_;
  std::chrono::steady_clock::time_point last_;
};

// Never fails: a run must not end because the terminal or the reader of a pipe has gone (fmt::print throws
// then).
void print_to_stderr(std::string_view text);

// "1.2 s", "3 min 20 s", "2 h 05 min"
std::string duration(double seconds);

// A word as a shell reads it: in quotes unless every character is harmless.
std::string for_shell(const std::string& word);

}  // namespace hardpan::app
