// What a viewer asks about one run folder, finished or growing, answered as JSON and bundles
// (record/bundle.h). Any thread may ask. What was read is kept for the next question as long as the files
// stay the same.
#pragma once

#include <cstdint>
#include <deque>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "hardpan/record/plot_axis.h"
#include "hardpan/record/run_reader.h"
#include "hardpan/record/svg.h"

namespace hardpan::app {

// An index as it was at one moment; `generation` changes when the run is overwritten or taken up again.
struct RunState {
  explicit RunState(const std::filesystem::path& folder) : reader(folder) {}

  record::RunReader reader;
  std::string version;  // of the file: what tells whether it has to be read again
  std::string generation;
};

struct RunStatus {
  std::string name = "stopped";
  std::string reason;  // empty: none
};

// The curves of series.csv; only what was appended is read again.
class SeriesCache {
 public:
  const std::vector<record::Panel>& panels(const std::filesystem::path& file, const std::string& generation);

 private:
  std::string generation_;
  std::string header_;          // its first line
  std::uint64_t consumed_ = 0;  // bytes of the file
  std::vector<record::Panel> panels_;
};

class RunView {
 public:
  explicit RunView(std::filesystem::path folder);  // IoError for a folder that is no run

  // {"name", "title", "status", "reason", "frames", "segments", "series_bytes", "generation",
  // "problem"}. Never fails: a folder that has become unreadable is the "problem", and the rest is as it was
  // last seen.
  std::string run();
  std::string scene();  // scene.json, checked; points without names where it is missing
  std::string series(std::size_t points, std::optional<record::Interval> range);
  std::optional<std::string> frame(std::uint64_t number);  // nothing when there is no such frame

  // First and last time of the frames, s; nothing without frames.
  std::optional<record::Interval> times();

 private:
  struct Decoded {
    std::string checksum;
    std::shared_ptr<const record::Segment> segment;
  };

  std::shared_ptr<const RunState> current();
  void remember(const RunStatus& status);
  std::string title(const RunState& state);  // of the scenario
  std::size_t bodies_in_frames(const RunState& state);
  std::shared_ptr<const record::Segment> segment(const RunState& state, const record::SegmentInfo& info);

  std::filesystem::path folder_;
  std::mutex state_mutex_, series_mutex_, segment_mutex_;
  std::shared_ptr<const RunState> state_;
  RunStatus status_;            // as last seen
  std::string title_, titled_;  // and the generation it belongs to
  SeriesCache series_;
  std::deque<Decoded> decoded_;  // newest first; few, so that a result larger than the memory can be played
};

}  // namespace hardpan::app
