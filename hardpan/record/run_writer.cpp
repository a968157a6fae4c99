#include "hardpan/record/run_writer.h"

#include <algorithm>
#include <fstream>
#include <utility>

#include <fmt/core.h>

#include "hardpan/core/error.h"
#include "hardpan/core/log.h"
#include "hardpan/core/version.h"
#include "hardpan/record/folder_room.h"
#include "hardpan/record/hdf5_image.h"

namespace hardpan::record {
namespace {

namespace fs = std::filesystem;

std::string first_line(const fs::path& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line + "\n";
}

bool is_run(const fs::path& folder) {
  try {
    parse_index(first_line(folder / index_name), "");
    return true;
  } catch (const IoError&) {
    return false;
  }
}

void refuse_foreign(const fs::path& folder, const RunIdentity& found, const RunIdentity& ours) {
  const auto compare = [&](const std::string& a, const std::string& b, const char* what) {
    if (a != b)
      throw IoError(
          fmt::format("{}: cannot be resumed: its {} is '{}', here it is '{}'", folder.string(), what, a, b));
  };
  compare(found.scenario_hash, ours.scenario_hash, "scenario hash");
  compare(found.version, ours.version, "Hardpan version");
  compare(found.instruction_set, ours.instruction_set, "instruction set");
}

struct Found {
  std::size_t place;  // in RunIndex::checkpoints
  Checkpoint checkpoint;
};

std::optional<Found> newest_sound(const fs::path& folder, const RunIndex& index) {
  for (std::size_t i = index.checkpoints.size(); i-- > 0;) {
    const CheckpointInfo& info = index.checkpoints[i];
    try {
      return Found{i, {info.step, info.time, info.state_hash, read_listed(folder, info, "checkpoint")}};
    } catch (const IoError& error) {
      log::warning("checkpoint of step {} is unusable, looking for an older one: {}", info.step,
                   error.what());
    }
  }
  return std::nullopt;
}

void require_size(const fs::path& path, std::uint64_t needed) {
  std::error_code missing;
  const std::uintmax_t size = fs::file_size(path, missing);
  if (missing || size < needed)
    throw IoError(fmt::format("{}: cannot be resumed: the file is missing or was cut (it had {} bytes)",
                              path.string(), needed));
}

// The text of the index up to this checkpoint. Checkpoints that were struck off further down stay so.
std::string cut_index(const fs::path& path, const RunIndex& index, std::size_t checkpoint) {
  std::string text = read_file(path).substr(0, index.marks[checkpoint].bytes);
  for (const CheckpointInfo& old : parse_index(text, path.string()).checkpoints) {
    const bool is_alive = std::any_of(index.checkpoints.begin(), index.checkpoints.end(),
                                      [&](const CheckpointInfo& info) { return info.file == old.file; });
    if (!is_alive) text += removed_line(old.file);
  }
  return text;
}

double seconds(std::chrono::steady_clock::duration duration) {
  return std::chrono::duration<double>(duration).count();
}

}  // namespace

// ---- Opening ------------------------------------------------------------------------------------------

RunWriter::RunWriter(fs::path folder, const RecordLimits& limits)
    : folder_(std::move(folder)), limits_(limits), lock_(folder_) {
  HARDPAN_CHECK(limits.checkpoints > 0, "a run keeps at least one checkpoint");
}

RunWriter RunWriter::create(const fs::path& folder, const RunIdentity& identity, bool force,
                            const RecordLimits& limits) {
  make_room(
      folder, force,
      {"a run", "--force overwrites the run in it, --resume goes on with it", is_run, is_temporary_name});
  RunWriter writer(folder, limits);
  writer.start(identity);
  return writer;
}

RunWriter::Resumed RunWriter::resume(const fs::path& folder, const RunIdentity& identity,
                                     const RecordLimits& limits) {
  const fs::path index_path = folder / index_name;
  if (!io([&] { return fs::exists(index_path); }))
    throw IoError(fmt::format("{}: there is no run to resume (no {})", folder.string(), index_name));
  RunWriter writer(folder, limits);
  const RunIndex index = parse_index(read_file(index_path), index_path.string());
  refuse_foreign(folder, index.identity, identity);
  std::optional<Found> found = newest_sound(folder, index);
  if (!found) {
    log::warning("{}: no usable checkpoint: the run starts from the beginning", folder.string());
    writer.start(identity);
    return {std::move(writer), std::nullopt};
  }
  writer.go_on(index, found->place);
  return {std::move(writer), std::move(found->checkpoint)};
}

// The new header replaces the old index before anything else goes, so that a kill in between leaves a run.
void RunWriter::start(const RunIdentity& identity) {
  const std::string header = header_line(identity);
  write_file_atomically(folder_ / index_name, header);
  index_ = AppendFile(folder_ / index_name, header.size());
  remove_leftovers({index_name});
  series_ = AppendFile(folder_ / series_name, 0);
  write_text(scenario_name, identity.scenario_text);
}

// First what can refuse; then the index, in one stroke; then what the new index no longer speaks of.
void RunWriter::go_on(const RunIndex& index, std::size_t checkpoint) {
  const std::uint64_t series_bytes = index.checkpoints[checkpoint].series_bytes;
  require_size(folder_ / series_name, series_bytes);
  checkpoints_.assign(index.checkpoints.begin(), index.checkpoints.begin() + std::ptrdiff_t(checkpoint) + 1);
  segments_ = index.marks[checkpoint].segments;

  const std::string text = cut_index(folder_ / index_name, index, checkpoint);
  write_file_atomically(folder_ / index_name, text);
  index_ = AppendFile(folder_ / index_name, text.size());

  // Summary, curves and report told of a session that has ended; the one that begins writes its own.
  std::set<std::string> keep = {index_name, series_name, scenario_name, scene_name};
  for (std::size_t i = 0; i < segments_; ++i) keep.insert(index.segments[i].file);
  for (const CheckpointInfo& info : checkpoints_) keep.insert(info.file);
  remove_leftovers(keep);
  series_ = AppendFile(folder_ / series_name, series_bytes);
}

void RunWriter::remove_leftovers(const std::set<std::string>& keep) const {
  io([&] {
    std::vector<fs::path> doomed;
    for (const auto& entry : fs::directory_iterator(folder_)) {
      const std::string name = entry.path().filename().string();
      if (is_run_file(name) && !keep.contains(name) && !fs::is_directory(entry.symlink_status()))
        doomed.push_back(entry.path());
    }
    for (const fs::path& path : doomed) fs::remove(path);
  });
}

// ---- Series -------------------------------------------------------------------------------------------

void RunWriter::series_header(std::span<const Column> columns) {
  const std::string header = csv_header(columns);
  if (series_.size() == 0) {
    series_.append(header);
    series_.flush();
  } else if (first_line(folder_ / series_name) != header) {
    throw IoError(fmt::format("{}: has other columns than this run", (folder_ / series_name).string()));
  }
  series_columns_ = columns.size();
}

void RunWriter::series_row(std::span<const double> values) {
  HARDPAN_CHECK(values.size() == series_columns_, "a row has one value per column");
  series_.append(csv_row(values));
}

// ---- Frames -------------------------------------------------------------------------------------------

void RunWriter::frame(double time, std::int64_t step, const Archive& frame) {
  if (!stack_.accepts(frame) || stack_.bytes() + size_of(frame) > limits_.segment_bytes) close_segment();
  if (stack_.empty()) stack_started_ = Clock::now();
  stack_.add(time, step, frame);
}

void RunWriter::close_segment() {
  if (stack_.empty()) return;
  require_sound_index();
  const std::string bytes = to_hdf5({"frames", std::string(version()), stack_.stacked()});
  const std::string name = segment_name(segments_);
  write_file_atomically(folder_ / name, bytes);
  list(index_line({listed(name, bytes), stack_.time().size(), stack_.time().front(), stack_.time().back(),
                   stack_.step().front(), stack_.step().back()}));
  ++segments_;
  stack_.clear();
}

// A line that failed stays in the buffer and may still reach the disk. It tells of a complete file, so that
// does no harm; but from then on no file may be written that could take the place of a listed one.
void RunWriter::require_sound_index() const {
  if (index_failed_)
    throw IoError(fmt::format("{}: nothing more is written after the earlier failure",
                              (folder_ / index_name).string()));
}

void RunWriter::list(const std::string& line) {
  index_failed_ = true;
  index_.append(line);
  index_.sync();
  index_failed_ = false;
}

// ---- Checkpoints --------------------------------------------------------------------------------------

void RunWriter::checkpoint(double time, std::int64_t step, const std::string& state_hash,
                           const Archive& state) {
  require_sound_index();
  close_segment();
  series_.sync();
  if (!checkpoints_.empty()) {
    const CheckpointInfo& last = checkpoints_.back();
    if (last.step == step && last.state_hash == state_hash) return;
    HARDPAN_CHECK(step > last.step, "the steps of checkpoints must grow");
  }
  const std::string bytes = to_hdf5({"checkpoint", std::string(version()), state});
  const std::string name = checkpoint_name(step);
  write_file_atomically(folder_ / name, bytes);
  checkpoints_.push_back({listed(name, bytes), step, time, state_hash, series_.size()});
  list(index_line(checkpoints_.back()));
  drop_old_checkpoints();
}

void RunWriter::drop_old_checkpoints() {
  while (checkpoints_.size() > limits_.checkpoints) {
    const std::string name = checkpoints_.front().file;
    list(removed_line(name));
    checkpoints_.erase(checkpoints_.begin());
    io([&] { return fs::remove(folder_ / name); });
  }
}

// ---- The rest -----------------------------------------------------------------------------------------

void RunWriter::write_text(std::string_view name, std::string_view text) {
  HARDPAN_CHECK(is_text_name(name), "'" + std::string(name) + "' is no text file of a run");
  write_file_atomically(folder_ / name, text);
}

void RunWriter::poll() {
  const Clock::time_point now = Clock::now();
  if (seconds(now - series_shown_) >= limits_.series_age) {
    series_.flush();
    series_shown_ = now;
  }
  const double patience = std::max(limits_.segment_age, limits_.segment_age_share * seconds(now - started_));
  if (!stack_.empty() && seconds(now - stack_started_) >= patience) close_segment();
}

void RunWriter::close() {
  close_segment();
  series_.sync();
  index_.sync();
}

}  // namespace hardpan::record
