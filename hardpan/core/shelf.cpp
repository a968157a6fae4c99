#include "hardpan/core/shelf.h"

#include <type_traits>
#include <utility>

#include "hardpan/core/error.h"

namespace hardpan {
namespace {

using Entry = Archive::Entry;

template <class T>
bool write(const std::vector<T>& values, std::FILE* file) {
  return std::fwrite(values.data(), sizeof(T), values.size(), file) == values.size();
}

template <class T>
void read(const Entry& entry, std::vector<T> values, std::FILE* file, Archive& into) {
  std::size_t count = 1;
  for (const std::size_t extent : entry.shape) count *= extent;
  values.resize(count);
  if (std::fread(values.data(), sizeof(T), count, file) != count)
    throw IoError("the system does not give back '" + entry.name + "', which was in a temporary file");
  if constexpr (std::is_same_v<T, double>)
    into.put(entry.name, std::move(values), entry.shape, entry.unit);
  else
    into.put(entry.name, std::move(values), entry.shape);
}

}  // namespace

Shelf::Shelf(Archive archive) : file_(std::tmpfile()), archive_(std::move(archive)) {
  bool written = file_ != nullptr;
  for (const Entry& entry : archive_.entries()) {
    written = written && std::visit([&](const auto& v) { return write(v, file_.get()); }, entry.values);
    entries_.push_back({entry.name, entry.unit, entry.shape, {}});
    std::visit([&](const auto& v) { entries_.back().values = std::decay_t<decltype(v)>(); }, entry.values);
  }
  if (written && std::fflush(file_.get()) == 0)
    archive_ = Archive();
  else
    file_.reset();
}

Archive Shelf::get() const {
  if (!file_) return archive_;
  Archive archive;
  std::rewind(file_.get());
  for (const Entry& entry : entries_)
    std::visit([&](const auto& empty) { read(entry, empty, file_.get(), archive); }, entry.values);
  return archive;
}

}  // namespace hardpan
