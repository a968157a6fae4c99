#include "hardpan/record/run_reader.h"

#include <algorithm>
#include <utility>

#include <fmt/core.h>

#include "hardpan/core/error.h"
#include "hardpan/core/file.h"

namespace hardpan::record {
namespace {

namespace fs = std::filesystem;

bool is_there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

// Files may vanish at any moment, so: read first, and ask afterwards whether it was there.
std::optional<std::string> read_if_present(const fs::path& path) {
  try {
    return read_file(path);
  } catch (const IoError&) {
    if (!is_there(path)) return std::nullopt;
  }
  return read_file(path);  // it may have appeared just then
}

RunIndex load_index(const fs::path& folder) {
  const fs::path path = folder / index_name;
  const auto text = read_if_present(path);
  if (!text)
    throw IoError(fmt::format("{}: is not the folder of a run (no {})", folder.string(), index_name));
  return parse_index(*text, path.string());
}

template <class Info>
bool lists(const std::vector<Info>& infos, const ListedFile& file) {
  return std::any_of(infos.begin(), infos.end(), [&](const Info& info) {
    return info.file == file.file && info.checksum == file.checksum;
  });
}

bool is_listed(const fs::path& folder, const ListedFile& file) {
  if (!is_there(folder / index_name)) return false;
  const RunIndex index = load_index(folder);
  return lists(index.segments, file) || lists(index.checkpoints, file);
}

}  // namespace

RunReader::RunReader(fs::path folder) : folder_(std::move(folder)) { refresh(); }

void RunReader::refresh() { index_ = load_index(folder_); }

std::uint64_t RunReader::frames() const {
  std::uint64_t sum = 0;
  for (const SegmentInfo& segment : index_.segments) sum += segment.frames;
  return sum;
}

std::optional<Archive> RunReader::load(const ListedFile& file, const char* kind) const {
  try {
    return read_listed(folder_, file, kind);
  } catch (const IoError&) {
    if (!is_listed(folder_, file)) return std::nullopt;
    throw;
  }
}

std::optional<Segment> RunReader::read(const SegmentInfo& info) const {
  const std::optional<Archive> stacked = load(info, "frames");
  if (!stacked) return std::nullopt;
  const std::string where = (folder_ / info.file).string();
  Segment segment = unstack(*stacked, where);
  if (segment.frames() != info.frames)
    throw IoError(
        fmt::format("{}: holds {} frames, {} lists {}", where, segment.frames(), index_name, info.frames));
  return segment;
}

std::optional<Archive> RunReader::read(const CheckpointInfo& info) const { return load(info, "checkpoint"); }

Table RunReader::series() const {
  const fs::path path = folder_ / series_name;
  return parse_csv(read_if_present(path).value_or(""), path.string());
}

std::optional<std::string> RunReader::text(const std::string& name) const {
  return read_if_present(folder_ / name);
}

}  // namespace hardpan::record
