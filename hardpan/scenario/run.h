// Runs a scenario: steps, records, watches, judges.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "hardpan/core/profiler.h"
#include "hardpan/scenario/expectation.h"
#include "hardpan/scenario/value.h"
#include "hardpan/solve/direct_solver.h"

namespace hardpan::scenario {

struct Scenario {
  std::string name;  // of the file, without folder and ending
  Value resolved;    // checked, every default filled in
  std::string text;  // resolved, as YAML
  std::string hash;  // of that text and the files it names: what --resume compares
};

// Of a tree of keys: experiments are expanded, everything is checked but for the preparation.
Scenario finished(const Value& tree, std::string name);

// Reads a file with its includes, applies `--set` assignments and resolves.
Scenario load(const std::filesystem::path& file, const std::vector<std::string>& assignments = {});
// The same for a text that is already in memory; includes are not allowed in it.
Scenario load_text(std::string_view yaml, const std::string& name);

struct Progress {
  std::string stage;  // "" for the run itself, "h/4" for a refinement
  std::int64_t step = 0, steps = 0;
  double time = 0, end = 0;  // simulated, s
  double wall = 0;           // since the start, s
  double real_time_factor = 0;
  double remaining = 0;  // wall seconds left, estimated
  int iterations = 0;    // of the solver in the last step
};

struct RunOptions {
  std::filesystem::path out;                         // empty: nothing is written
  bool force = false;                                // overwrite an earlier run
  bool resume = false;                               // go on from its newest checkpoint
  std::vector<std::int64_t> dump;                    // steps whose problem is written to problem-STEP.txt
  std::string command;                               // that would start this run again, for the summary
  std::function<void(const Progress&)> on_progress;  // about ten times a second
  std::function<bool()> stop_requested;              // asked after every step
};

enum class Status { done, interrupted, diverged };
std::string_view name_of(Status status);

struct Metric {
  std::string name;  // with its unit
  double value = 0;
};

// Of the steps of this session, without refinements.
struct SolverStatistics {
  std::int64_t solves = 0;
  std::int64_t iterations = 0;   // of all solves
  int most_iterations = 0;       // of one
  std::int64_t unconverged = 0;  // solves that stopped at their limit
  solve::Residual largest;

  void add(const solve::SolveReport& report);
};

struct RunResult {
  Status status = Status::done;
  std::string reason;  // why it diverged
  bool begun = true;   // else it ended while it was prepared, and nothing is written
  std::string state_hash;
  std::vector<Metric> metrics;
  multibody::Ledger ledger;  // of the multibody subsystem, at the end
  std::vector<Expectation> expectations;
  std::vector<Outcome> outcomes;  // one per expectation once the run is done, else none
  std::int64_t steps = 0;
  std::int64_t resumed_from = 0;
  double simulated = 0;  // s, all steps
  double wall = 0;       // s, of this session
  double real_time_factor = 0;
  std::vector<Profiler::Phase> phases;
  SolverStatistics solver;

  bool expectations_met() const;
};

// Throws InputError (bad folder), IoError (disk, damaged or foreign results). What was listed in the folder
// before the throw stays valid.
RunResult run(const Scenario& scenario, const RunOptions& options);

}  // namespace hardpan::scenario
