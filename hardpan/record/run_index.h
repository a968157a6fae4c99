// index.jsonl, the list of what is complete in a run folder: one JSON object per line, only ever appended to.
//   {"format":1,"kind":"run","scenario_hash":...,"version":...,"instruction_set":...}      the first line
//   {"kind":"frames","file":...,"bytes":...,"checksum":...,"frames":...,"first_time":...,"last_time":...,
//    "first_step":...,"last_step":...}
//   {"kind":"checkpoint","file":...,"bytes":...,"checksum":...,"step":...,"time":...,"state_hash":...,
//    "series_bytes":...}
//   {"kind":"removed","file":...}        an older checkpoint; the line is written before the file goes
// A line counts once its newline is there: what a kill leaves behind the last newline is no line. Readers
// skip kinds they do not know.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "hardpan/record/run_folder.h"

namespace hardpan::record {

// What must be the same for a run to be continued bit for bit.
struct RunIdentity {
  std::string scenario_text;  // stored as scenario.yaml, not in the index
  std::string scenario_hash;
  std::string version;
  std::string instruction_set;
};

struct SegmentInfo : ListedFile {
  std::uint64_t frames = 0;
  double first_time = 0, last_time = 0;  // s
  std::int64_t first_step = 0, last_step = 0;
};

struct CheckpointInfo : ListedFile {
  std::int64_t step = 0;
  double time = 0;  // s
  std::string state_hash;
  std::uint64_t series_bytes = 0;  // length of series.csv at this moment
};

struct RunIndex {
  RunIdentity identity;                     // without the text
  std::vector<SegmentInfo> segments;        // in order
  std::vector<CheckpointInfo> checkpoints;  // oldest first, without removed ones
  // For each of `checkpoints`: the index cut right behind its line.
  struct Mark {
    std::uint64_t bytes = 0;
    std::size_t segments = 0;  // listed before it
  };
  std::vector<Mark> marks;
};

// Lines, each with its newline.
std::string header_line(const RunIdentity& identity);
std::string index_line(const SegmentInfo& segment);
std::string index_line(const CheckpointInfo& checkpoint);
std::string removed_line(const std::string& file);

// A torn last line (no newline, or no JSON) is dropped. IoError with `where`:line for any other malformed
// line, for a missing header and for another format number.
RunIndex parse_index(std::string_view text, const std::string& where);

}  // namespace hardpan::record
