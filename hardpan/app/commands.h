// The commands of the program. Each returns an exit code; errors are thrown and turned into messages in main.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "hardpan/app/terminal.h"
#include "hardpan/core/error.h"

namespace hardpan::app {

struct RunArguments {
  std::string scenario;
  std::string out;  // empty: runs/NAME-k
  std::vector<std::string> assignments;
  std::vector<std::int64_t> dump;  // steps whose problem is written
  bool force = false;
  bool resume = false;
  Verbosity verbosity = Verbosity::normal;
};
ExitCode run_command(const RunArguments& arguments);

// A parameter study: all combinations of given values.
struct SweepArguments {
  std::string scenario;
  std::vector<std::string> variations;  // "a.b=1,2,3"
  std::string out;                      // empty: runs/NAME-sweep
  std::vector<std::string> assignments;
  int jobs = 0;     // at a time; 0: one for each core
  int threads = 0;  // of each; 0: what is left
  bool force = false;
  Verbosity verbosity = Verbosity::normal;
};
ExitCode sweep_command(const SweepArguments& arguments);

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

// Solves a stored problem by every solver, or some of them, and compares with the first that converged.
struct ReplayArguments {
  std::string file;
  std::vector<std::string> solvers;  // empty: all that know the law
  std::string friction = "cone";
  double tolerance = 1e-10;  // m/s
  int iterations = 0;        // 0: each solver's own
};
ExitCode replay_command(const ReplayArguments& arguments);

// Leads a point of a material along the paths of laboratory tests (lab/material_paths.h).
struct MaterialArguments {
  std::string scenario;
  std::string material;            // empty: the only one with `soil`
  std::vector<std::string> paths;  // empty: all
  std::string out;                 // empty: runs/NAME-material
  std::vector<std::string> assignments;
  std::optional<double> strain, confining;  // Pa; nothing: what suits the law
  std::optional<std::int64_t> seed;         // nothing: that of the scenario
  int steps = 200;                          // per leg of a path
  bool force = false;
  Verbosity verbosity = Verbosity::normal;
};
ExitCode material_command(const MaterialArguments& arguments);

struct ViewArguments {
  std::string folder;
  std::string host = "127.0.0.1";
  int port = 0;  // 0: a free one
  bool no_open = false;
};
ExitCode view_command(const ViewArguments& arguments);

struct ShotArguments {
  std::string folder;
  std::string out;
  std::optional<double> time;  // s; nothing: the last frame
  std::string camera = "iso";  // or px,py,pz,tx,ty,tz
  std::string size = "1280x720";
  std::string field;    // empty: what the page shows by itself
  std::string range;    // "low,high" of its colours; empty: that of the moment
  std::string layers;   // "+shown,-hidden", where they differ from the page
  double timeout = 60;  // s
};
ExitCode shot_command(const ShotArguments& arguments);

// InputError when the program was built without the pages that `view` and `shot` show.
void require_pages();

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
