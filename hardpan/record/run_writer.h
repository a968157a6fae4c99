// Writes the folder of one run so that it survives a kill at any moment: every file is complete before the
// index lists it, and what the index lists is never touched again (older checkpoints are struck off first).
// Every failure is an IoError that names the file; all listed files stay valid.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hardpan/core/archive.h"
#include "hardpan/core/file.h"
#include "hardpan/record/run_folder.h"
#include "hardpan/record/run_index.h"
#include "hardpan/record/segment.h"
#include "hardpan/record/table.h"

namespace hardpan::record {

struct RecordLimits {
  std::uint64_t segment_bytes = std::uint64_t{64} << 20;  // a larger frame is a segment of its own
  double segment_age = 2.0;                               // s of wall time a frame may wait to be seen ...
  double segment_age_share = 0.05;  // ... or this share of the wall time so far: long runs, fewer segments
  double series_age = 1.0;          // s of wall time a row may wait to be seen
  std::size_t checkpoints = 3;      // newest ones kept, at least 1
};

struct Checkpoint {
  std::int64_t step = 0;
  double time = 0;  // s
  std::string state_hash;
  Archive state;
};

class RunWriter {
 public:
  // Makes the folder. InputError when it holds anything and `force` is false, or when it is no run folder;
  // `force` removes the files of the old run and nothing else.
  static RunWriter create(const std::filesystem::path& folder, const RunIdentity& identity, bool force,
                          const RecordLimits& limits = {});

  // Takes up a run at its newest sound checkpoint: index and series are cut back to it, files no longer
  // listed are removed. Without any sound checkpoint the run starts from the beginning. IoError for a run of
  // another scenario, version or instruction set and for a folder that is no run; nothing is changed then.
  struct Resumed;
  static Resumed resume(const std::filesystem::path& folder, const RunIdentity& identity,
                        const RecordLimits& limits = {});

  // The columns of series.csv, time included; in a resumed run they must be those already there.
  void series_header(std::span<const Column> columns);
  void series_row(std::span<const double> values);

  // Buffered. Entries named `time` and `step` are taken.
  void frame(double time, std::int64_t step, const Archive& frame);

  // Closes the open segment, makes the series durable, then writes the checkpoint. Steps must grow; a second
  // checkpoint of the same step and hash is not written again.
  void checkpoint(double time, std::int64_t step, const std::string& state_hash, const Archive& state);

  // One of the texts of run_folder.h (scenario.yaml, summary.json, ...), as a whole.
  void write_text(std::string_view name, std::string_view text);

  // Call often: shows waiting rows and frames to readers once they have waited long enough.
  void poll();
  // Writes what is still buffered. Without it (an exception on its way) open frames are dropped.
  void close();

  const std::filesystem::path& folder() const { return folder_; }

 private:
  using Clock = std::chrono::steady_clock;

  RunWriter(std::filesystem::path folder, const RecordLimits& limits);
  void start(const RunIdentity& identity);
  void go_on(const RunIndex& index, std::size_t checkpoint);
  void remove_leftovers(const std::set<std::string>& keep) const;
  void close_segment();
  void require_sound_index() const;
  void list(const std::string& line);
  void drop_old_checkpoints();

  std::filesystem::path folder_;
  RecordLimits limits_;
  FolderLock lock_;
  AppendFile index_;
  AppendFile series_;
  std::size_t series_columns_ = 0;
  FrameStack stack_;
  std::uint64_t segments_ = 0;  // listed so far
  std::vector<CheckpointInfo> checkpoints_;
  bool index_failed_ = false;
  Clock::time_point started_ = Clock::now();
  Clock::time_point series_shown_ = started_;
  Clock::time_point stack_started_ = started_;
};

struct RunWriter::Resumed {
  RunWriter writer;
  std::optional<Checkpoint> checkpoint;  // nothing: from the beginning
};

}  // namespace hardpan::record
