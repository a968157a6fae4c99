#include "hardpan/record/folder_room.h"

namespace hardpan::record {
namespace {

namespace fs = std::filesystem;

bool is_empty(const fs::path& folder, const ResultKind& kind) {
  return io([&] {
    for (const auto& entry : fs::directory_iterator(folder))
      if (!kind.is_leftover(entry.path().filename().string())) return false;
    return true;
  });
}

}  // namespace

void make_room(const fs::path& folder, bool force, const ResultKind& kind) {
  if (!io([&] { return fs::exists(folder); })) {
    io([&] { return fs::create_directories(folder); });
    return;
  }
  if (!io([&] { return fs::is_directory(folder); }))
    throw InputError(fmt::format("{}: is not a folder", folder.string()));
  if (is_empty(folder, kind)) return;
  if (!force) throw InputError(fmt::format("{}: is not empty: {}", folder.string(), kind.ways));
  if (!kind.is_one(folder))
    throw InputError(fmt::format("{}: is not the folder of {}, so --force does not overwrite it",
                                 folder.string(), kind.noun));
}

}  // namespace hardpan::record
