// Looks into the folder of a run, finished or still running, at any moment. What the index lists is complete;
// the rest is not looked at.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "hardpan/core/archive.h"
#include "hardpan/record/run_index.h"
#include "hardpan/record/segment.h"
#include "hardpan/record/table.h"

namespace hardpan::record {

class RunReader {
 public:
  // IoError for a folder that is no run.
  explicit RunReader(std::filesystem::path folder);

  void refresh();  // reads the index again

  const std::filesystem::path& folder() const { return folder_; }
  const RunIdentity& identity() const { return index_.identity; }  // without the text: see text()
  const std::vector<SegmentInfo>& segments() const { return index_.segments; }
  const std::vector<CheckpointInfo>& checkpoints() const { return index_.checkpoints; }  // oldest first
  std::uint64_t frames() const;                                                          // in all segments

  // Nothing when the file has gone since it was listed, as old checkpoints do and everything may when the run
  // is resumed or overwritten. IoError when it is damaged, or missing though still listed.
  std::optional<Segment> read(const SegmentInfo& info) const;
  std::optional<Archive> read(const CheckpointInfo& info) const;

  // series.csv up to its last complete line; no columns when it has not begun.
  Table series() const;
  // One of the texts of run_folder.h (scenario.yaml, summary.json, ...); nothing when it is not there yet.
  std::optional<std::string> text(const std::string& name) const;

 private:
  std::optional<Archive> load(const ListedFile& file, const char* kind) const;

  std::filesystem::path folder_;
  RunIndex index_;
};

}  // namespace hardpan::record
