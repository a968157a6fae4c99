// Errors come in three tiers.
//   HARDPAN_ASSUME   a programmer's assumption, checked in debug builds only
//   HARDPAN_CHECK    an invariant, always checked; a failure is a bug in Hardpan
//   InputError       the user's input is wrong: where it stands, what is allowed
// IoError is what the operating system refuses (full disk, no permission). Nothing throws inside a time step.
#pragma once

#include <stdexcept>
#include <string>

namespace hardpan {

// What the program returns to the shell.
enum class ExitCode : int {
  done = 0,
  expectation_failed = 1,
  bad_input = 2,     // bad usage or scenario
  diverged = 3,      // the last good state is saved
  io = 4,            // file system, damaged or foreign result files
  bug = 70,          // an invariant of ours does not hold
  interrupted = 130  // state is saved; --resume goes on
};

// A place in an input file; line and column count from 1, 0 means unknown.
struct SourceMark {
  std::string file;
  int line = 0;
  int column = 0;
  std::string text() const;  // "file:line:column", as far as known
};

class InputError : public std::runtime_error {
 public:
  explicit InputError(const std::string& message) : std::runtime_error(message) {}
  InputError(const SourceMark& mark, const std::string& message);
};

class IoError : public std::runtime_error {
 public:
  explicit IoError(const std::string& message) : std::runtime_error(message) {}
};

class InvariantError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

[[noreturn]] void invariant_failed(const char* condition, const char* file, int line,
                                   const std::string& message);

}  // namespace hardpan

#define HARDPAN_CHECK(condition, message)                                                     \
  do {                                                                                        \
    if (!(condition)) ::hardpan::invariant_failed(#condition, __FILE__, __LINE__, (message)); \
  } while (false)

#ifdef NDEBUG
#define HARDPAN_ASSUME(condition) static_cast<void>(0)
#else
#define HARDPAN_ASSUME(condition) HARDPAN_CHECK(condition, "assumption")
#endif
