#include "hardpan/record/run_folder.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/file.h>
#include <unistd.h>

#include "hardpan/core/error.h"
#include "hardpan/core/file.h"
#include "hardpan/core/hash.h"
#include "hardpan/record/hdf5_image.h"

namespace hardpan::record {
namespace {

constexpr std::array<std::string_view, 6> text_names = {scenario_name, scene_name,  summary_name,
                                                        curves_name,   report_name, failed_problem_name};

// PREFIX, at least `digits` digits, SUFFIX
bool is_numbered(std::string_view name, std::string_view prefix, std::size_t digits,
                 std::string_view suffix = ".h5") {
  if (!name.starts_with(prefix) || !name.ends_with(suffix)) return false;
  if (name.size() < prefix.size() + digits + suffix.size()) return false;
  name.remove_prefix(prefix.size());
  name.remove_suffix(suffix.size());
  return std::all_of(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; });
}

int open_folder(const std::filesystem::path& folder) {
  return ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

// File systems without locks answer with other errors: there nobody ever holds one.
bool is_held_by_another(int descriptor, int operation) {
  return ::flock(descriptor, operation | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}

bool is_finished_name(std::string_view name) {
  return name == index_name || name == series_name || is_text_name(name) || is_segment_name(name) ||
         is_checkpoint_name(name);
}

}  // namespace

std::string segment_name(std::uint64_t number) { return fmt::format("frames-{:06}.h5", number); }
std::string problem_name(std::int64_t step) { return fmt::format("problem-{}.txt", step); }

std::string checkpoint_name(std::int64_t step) { return fmt::format("checkpoint-{:012}.h5", step); }

bool is_segment_name(std::string_view name) { return is_numbered(name, "frames-", 6); }
bool is_checkpoint_name(std::string_view name) { return is_numbered(name, "checkpoint-", 12); }

bool is_text_name(std::string_view name) {
  return std::find(text_names.begin(), text_names.end(), name) != text_names.end() ||
         is_numbered(name, "problem-", 1, ".txt");
}

bool is_temporary_name(std::string_view name) {
  constexpr std::string_view suffix = ".tmp";
  return name.ends_with(suffix) && is_finished_name(name.substr(0, name.size() - suffix.size()));
}

bool is_run_file(std::string_view name) { return is_finished_name(name) || is_temporary_name(name); }

ListedFile listed(std::string file, std::string_view bytes) {
  return {std::move(file), bytes.size(), checksum(bytes)};
}

Archive read_listed(const std::filesystem::path& folder, const ListedFile& file, std::string_view kind) {
  const std::filesystem::path path = folder / file.file;
  const std::string bytes = read_file(path);
  if (bytes.size() != file.bytes)
    throw IoError(
        fmt::format("{}: has {} bytes, {} lists {}", path.string(), bytes.size(), index_name, file.bytes));
  if (checksum(bytes) != file.checksum)
    throw IoError(fmt::format("{}: damaged: its checksum is not the one in {}", path.string(), index_name));
  Hdf5Image image = from_hdf5(bytes, path.string());
  if (image.kind != kind)
    throw IoError(fmt::format("{}: holds '{}', not '{}'", path.string(), image.kind, kind));
  return std::move(image.arrays);
}

// Somebody who only looks (is_being_written) holds the lock for an instant; a writer holds it for long.
FolderLock::FolderLock(const std::filesystem::path& folder) : descriptor_(open_folder(folder)) {
  constexpr int tries = 10;
  for (int i = 0; descriptor_ >= 0 && is_held_by_another(descriptor_, LOCK_EX); ++i) {
    if (i == tries) {
      ::close(descriptor_);
      throw IoError(fmt::format("{}: another process is writing this run", folder.string()));
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

FolderLock::~FolderLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

FolderLock::FolderLock(FolderLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

bool is_being_written(const std::filesystem::path& folder) {
  const int descriptor = open_folder(folder);
  if (descriptor < 0) return false;
  const bool is_held = is_held_by_another(descriptor, LOCK_SH);
  ::close(descriptor);
  return is_held;
}

}  // namespace hardpan::record
