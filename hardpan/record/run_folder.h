// The folder of one run: which files are ours, and how a listed file is read. RunWriter makes the folder,
// RunReader looks into it at any moment.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "hardpan/core/archive.h"

namespace hardpan::record {

inline constexpr const char* index_name = "index.jsonl";
inline constexpr const char* series_name = "series.csv";
inline constexpr const char* scenario_name = "scenario.yaml";  // the resolved scenario
inline constexpr const char* scene_name = "scene.json";        // what the bodies look like, for viewers
inline constexpr const char* summary_name = "summary.json";
inline constexpr const char* curves_name = "curves.svg";
inline constexpr const char* report_name = "report.html";
inline constexpr const char* failed_problem_name =
    "failed_problem.txt";  // the step the solver could not solve

std::string segment_name(std::uint64_t number);  // frames-000000.h5
std::string checkpoint_name(std::int64_t step);  // checkpoint-000000012000.h5
std::string problem_name(std::int64_t step);     // problem-12000.txt: the equations of a step, on request
bool is_segment_name(std::string_view name);
bool is_checkpoint_name(std::string_view name);
bool is_text_name(std::string_view name);       // one that RunWriter::write_text takes
bool is_temporary_name(std::string_view name);  // a file of ours whose writing was cut short, *.tmp
bool is_run_file(std::string_view name);        // any of the above, the index and the series

// What a file is known by in the index.
struct ListedFile {
  std::string file;  // name inside the folder
  std::uint64_t bytes = 0;
  std::string checksum;
};

ListedFile listed(std::string file, std::string_view bytes);

// The arrays in a listed file; IoError when it is missing, damaged or of another kind.
Archive read_listed(const std::filesystem::path& folder, const ListedFile& file, std::string_view kind);

// Held while a run is written, so that a second --resume or --force on it is refused.
class FolderLock {
 public:
  // IoError when another holds it for longer than is_being_written() does.
  explicit FolderLock(const std::filesystem::path& folder);
  ~FolderLock();
  FolderLock(FolderLock&& other) noexcept;
  FolderLock& operator=(FolderLock&&) = delete;

 private:
  int descriptor_ = -1;
};

// Whether a FolderLock is held now, by this process or another; false where the file system has no locks.
bool is_being_written(const std::filesystem::path& folder);

}  // namespace hardpan::record
