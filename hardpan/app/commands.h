// The commands of the program. Each returns an exit code; errors are thrown and turned into messages in main.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "hardpan/app/terminal.h"
#include "hardpan/core/error.h"

namespace hardpan::app {

struct RunArguments {
  std::string scenario;
  std::string out;  // empty: runs/NAME-k
  std::vector<std::string> assignments;
  bool force = false;
  bool resume = false;
  Verbosity verbosity = Verbosity::normal;
};
ExitCode run_command(const RunArguments& arguments);

struct CheckArguments {
  std::vector<std::string> paths;
  std::vector<std::string> assignments;
  Verbosity verbosity = Verbosity::normal;
};
ExitCode check_command(const CheckArguments& arguments);

ExitCode validate_command(const std::string& scenario, const std::vector<std::string>& assignments);
ExitCode list_command();
ExitCode describe_command(const std::string& name, bool expanded);
ExitCode schema_command();
ExitCode manual_command();
ExitCode export_command(const std::string& folder, const std::string& out);

// The report of a run again; `out` empty: into its folder.
ExitCode report_command(const std::string& folder, const std::string& out);

struct CompareArguments {
  std::vector<std::string> folders;
  std::string out = "compare.html";
  bool force = false;  // overwrite any file
};
ExitCode compare_command(const CompareArguments& arguments);

// Asked by runs after every step; set by Ctrl-C and by a termination request.
void install_signal_handlers();
bool stop_requested();

}  // namespace hardpan::app
