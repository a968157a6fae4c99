#include "hardpan/app/run_view.h"

#include <algorithm>
#include <fstream>
#include <utility>

#include <fcntl.h>
#include <fmt/core.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>

#include "hardpan/core/error.h"
#include "hardpan/core/hash.h"
#include "hardpan/record/frame_bundle.h"
#include "hardpan/record/run_folder.h"
#include "hardpan/record/scenario_keys.h"
#include "hardpan/record/scene.h"
#include "hardpan/record/summary_view.h"

namespace hardpan::app {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::size_t segments_kept = 2;

// Names of files need not be UTF-8.
std::string text_of(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

struct FileStamps {
  std::string made;     // who the file is: another one after the run was overwritten, even by the same name
  std::string changed;  // and what it holds
};

// Empty when the file is not there.
FileStamps stamps_of(const fs::path& file) {
  struct statx info {};
  if (::statx(AT_FDCWD, file.c_str(), 0, STATX_BASIC_STATS | STATX_BTIME, &info) != 0) return {};
  return {fmt::format("{}-{}.{}", info.stx_ino, info.stx_btime.tv_sec, info.stx_btime.tv_nsec),
          fmt::format("{}-{}.{}", info.stx_size, info.stx_mtime.tv_sec, info.stx_mtime.tv_nsec)};
}

std::string generation_of(const RunState& state, const std::string& made) {
  Hash64 hash;
  hash.add(state.reader.identity().scenario_hash);
  hash.add(made);
  return hash.hex();
}

std::uint64_t size_of(const fs::path& file) {
  std::error_code missing;
  const std::uintmax_t size = fs::file_size(file, missing);
  return missing ? 0 : size;
}

std::string read_from(const fs::path& file, std::uint64_t offset, std::uint64_t bytes) {
  std::ifstream stream(file, std::ios::binary);
  stream.seekg(static_cast<std::streamoff>(offset));
  std::string text(bytes, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(bytes));
  text.resize(static_cast<std::size_t>(stream.gcount()));
  return text;
}

void append(std::vector<double>& to, const std::vector<double>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

// Both made of the same columns.
void append(std::vector<record::Panel>& to, const std::vector<record::Panel>& from) {
  for (std::size_t i = 0; i < to.size(); ++i)
    for (std::size_t k = 0; k < to[i].curves.size(); ++k) {
      append(to[i].curves[k].x, from[i].curves[k].x);
      append(to[i].curves[k].y, from[i].curves[k].y);
    }
}

Json segments_json(const std::vector<record::SegmentInfo>& segments) {
  Json list = Json::array();
  std::uint64_t first = 0;
  for (const record::SegmentInfo& info : segments) {
    list.push_back({{"first", first},
                    {"frames", info.frames},
                    {"first_time", info.first_time},
                    {"last_time", info.last_time}});
    first += info.frames;
  }
  return list;
}

// A run that has no summary goes on as long as somebody writes it; otherwise it was killed.
RunStatus status_of(const record::RunReader& reader) {
  const Json summary = record::read_json(reader, record::summary_name);
  if (summary.is_null()) return {record::is_being_written(reader.folder()) ? "running" : "stopped", ""};
  if (!record::member(summary, "status").is_string())
    throw IoError(
        fmt::format("{}: is no summary of a run", (reader.folder() / record::summary_name).string()));
  return {record::status_of(summary), record::text_in(record::member(summary, "reason"))};
}

// A run that is being overwritten has none for a moment.
bool lacks_scene(const record::RunReader& reader) {
  std::error_code ignored;
  return reader.frames() > 0 && !fs::exists(reader.folder() / record::scene_name, ignored) &&
         !record::is_being_written(reader.folder());
}

Json or_null(const std::string& text) { return text.empty() ? Json() : Json(text); }

// The folder's own name, also for "." and "runs/a/".
std::string name_of(const fs::path& folder) {
  std::error_code ignored;
  fs::path whole = fs::weakly_canonical(folder, ignored);
  if (whole.empty()) whole = folder;
  return whole.filename().string();
}

}  // namespace

// ---- Series -------------------------------------------------------------------------------------------

const std::vector<record::Panel>& SeriesCache::panels(const fs::path& file, const std::string& generation) {
  const std::uint64_t size = size_of(file);
  if (generation != generation_ || size < consumed_) *this = {};
  generation_ = generation;
  std::string text = read_from(file, consumed_, size - consumed_);
  text.resize(text.rfind('\n') + 1);  // whole lines only
  if (text.empty()) return panels_;
  const bool is_first = consumed_ == 0;
  if (is_first) header_ = text.substr(0, text.find('\n') + 1);
  const auto more = record::panels_of(record::parse_csv(is_first ? text : header_ + text, file.string()));
  if (is_first)
    panels_ = more;
  else
    append(panels_, more);
  consumed_ += text.size();
  return panels_;
}

// ---- The run ------------------------------------------------------------------------------------------

RunView::RunView(fs::path folder) : folder_(std::move(folder)) {
  current();
  run();  // remembers the status, in case that the folder goes away
}

std::shared_ptr<const RunState> RunView::current() {
  const std::lock_guard lock(state_mutex_);
  const FileStamps stamps = stamps_of(folder_ / record::index_name);
  const std::string version = stamps.made + " " + stamps.changed;
  if (state_ && state_->version == version) return state_;
  auto state = std::make_shared<RunState>(folder_);
  state->version = version;
  state->generation = generation_of(*state, stamps.made);
  state_ = state;
  return state;
}

std::string RunView::title(const RunState& state) {
  const std::lock_guard lock(state_mutex_);
  if (titled_ == state.generation) return title_;
  const auto text = state.reader.text(record::scenario_name);
  if (!text) return name_of(folder_);  // not written yet
  title_ = record::scenario_title(*text);
  if (title_.empty()) title_ = name_of(folder_);
  titled_ = state.generation;
  return title_;
}

void RunView::remember(const RunStatus& status) {
  const std::lock_guard lock(state_mutex_);
  status_ = status;
}

std::string RunView::run() {
  std::string problem;
  std::shared_ptr<const RunState> state;
  RunStatus status;
  std::string shown;
  try {
    state = current();
    status = status_of(state->reader);
    remember(status);
    shown = title(*state);
    if (lacks_scene(state->reader))
      problem = fmt::format("{} is missing: bodies are shown as points", record::scene_name);
  } catch (const IoError& error) {
    problem = error.what();
    const std::lock_guard lock(state_mutex_);
    state = state_;
    status = status_;
    shown = title_;
  }
  return text_of({{"name", name_of(folder_)},
                  {"title", shown.empty() ? name_of(folder_) : shown},
                  {"status", status.name},
                  {"reason", or_null(status.reason)},
                  {"frames", state->reader.frames()},
                  {"segments", segments_json(state->reader.segments())},
                  {"series_bytes", size_of(folder_ / record::series_name)},
                  {"generation", state->generation},
                  {"problem", or_null(problem)}});
}

std::optional<record::Interval> RunView::times() {
  const auto state = current();
  const auto& segments = state->reader.segments();
  if (state->reader.frames() == 0) return std::nullopt;
  return record::Interval{segments.front().first_time, segments.back().last_time};
}

std::string RunView::scene() {
  const auto state = current();
  const auto text = state->reader.text(record::scene_name);
  if (!text) {
    record::Scene points;
    points.bodies.resize(bodies_in_frames(*state));
    return record::scene_json(points);
  }
  record::parse_scene(*text, (folder_ / record::scene_name).string());
  return *text;
}

std::string RunView::series(std::size_t points, std::optional<record::Interval> range) {
  const auto state = current();
  const std::lock_guard lock(series_mutex_);
  record::Bundle bundle;
  const auto& panels = series_.panels(folder_ / record::series_name, state->generation);
  return bundle.bytes({{"panels", record::add_panels(bundle, panels, points, range)}});
}

// ---- Frames -------------------------------------------------------------------------------------------

// Nothing when the file has gone since the index was read.
std::shared_ptr<const record::Segment> RunView::segment(const RunState& state,
                                                        const record::SegmentInfo& info) {
  const std::lock_guard lock(segment_mutex_);
  const auto known = std::find_if(decoded_.begin(), decoded_.end(),
                                  [&](const Decoded& decoded) { return decoded.checksum == info.checksum; });
  if (known != decoded_.end()) {
    std::rotate(decoded_.begin(), known, known + 1);
    return decoded_.front().segment;
  }
  if (decoded_.size() == segments_kept) decoded_.pop_back();  // first make room
  auto segment = state.reader.read(info);
  if (!segment) return nullptr;
  decoded_.push_front({info.checksum, std::make_shared<const record::Segment>(std::move(*segment))});
  return decoded_.front().segment;
}

std::size_t RunView::bodies_in_frames(const RunState& state) {
  if (state.reader.frames() == 0) return 0;
  const auto frames = segment(state, state.reader.segments().front());
  const Archive::Entry* position = frames ? frames->arrays.find("bodies/position") : nullptr;
  return position && position->shape.size() == 3 ? position->shape[1] : 0;  // [frame, body, axis]
}

std::optional<std::string> RunView::frame(std::uint64_t number) {
  const auto state = current();
  for (const record::SegmentInfo& info : state->reader.segments()) {
    if (number >= info.frames) {
      number -= info.frames;
      continue;
    }
    const auto frames = segment(*state, info);
    if (!frames) return std::nullopt;
    record::Bundle bundle;
    return bundle.bytes({{"stack", record::add_frame(bundle, *frames, number)}});
  }
  return std::nullopt;
}

}  // namespace hardpan::app
