// Writes what `outputs` asks for while a run goes on: rows of series.csv, frames, checkpoints.
#pragma once

#include <chrono>
#include <optional>
#include <vector>

#include "hardpan/record/run_writer.h"
#include "hardpan/scenario/build.h"
#include "hardpan/scenario/observe.h"
#include "hardpan/scenario/run.h"
#include "hardpan/scenario/watch.h"

namespace hardpan::scenario {

class Recorder {
 public:
  // Makes the folder, or takes an earlier run up again: `simulation` and `watches` are then set to its newest
  // checkpoint.
  Recorder(const Scenario& scenario, const RunOptions& options, Simulation& simulation,
           std::vector<Watch>& watches);

  // Records what is due at the present step.
  void after_step(const Simulation& simulation, const std::vector<Watch>& watches);
  // Saves the whole state now.
  void checkpoint(const Simulation& simulation, const std::vector<Watch>& watches);
  // Closes the files, draws the curves and writes summary and report.
  void finish(const std::string& title, const std::string& summary);
  void write_problem(const std::string& name, const solve::Problem& problem);

  std::int64_t resumed_from() const { return resumed_from_; }

 private:
  using Clock = std::chrono::steady_clock;
  void plan(const Scenario& scenario, const Simulation& simulation);
  void record(const Simulation& simulation);

  std::optional<record::RunWriter> writer_;
  std::vector<Observable> columns_;
  std::int64_t series_stride_ = 0, frame_stride_ = 0, checkpoint_stride_ = 0;  // steps; 0: never
  std::int64_t resumed_from_ = 0;
  Clock::time_point last_checkpoint_ = Clock::now();
};

}  // namespace hardpan::scenario
