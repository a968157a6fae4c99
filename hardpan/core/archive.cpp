#include "hardpan/core/archive.h"

#include <algorithm>

#include <fmt/core.h>

#include "hardpan/core/error.h"
#include "hardpan/core/hash.h"

namespace hardpan {
namespace {

template <class T>
Archive::Entry make_entry(std::string_view name, std::vector<T>&& values, std::vector<std::size_t> shape,
                          std::string_view unit) {
  std::size_t count = 1;
  for (std::size_t extent : shape) count *= extent;
  HARDPAN_CHECK(count == values.size(), "shape and length of '" + std::string(name) + "' disagree");
  return {std::string(name), std::string(unit), std::move(shape), std::move(values)};
}

template <class T>
void copy_out(const Archive& archive, std::string_view name, std::span<T> into) {
  const Archive::Entry* entry = archive.find(name);
  if (!entry) throw IoError(fmt::format("saved state has no '{}'", name));
  const auto* values = std::get_if<std::vector<T>>(&entry->values);
  if (!values) throw IoError(fmt::format("saved state: '{}' is of another type", name));
  if (values->size() != into.size())
    throw IoError(
        fmt::format("saved state: '{}' has {} values, expected {}", name, values->size(), into.size()));
  std::copy(values->begin(), values->end(), into.begin());
}

}  // namespace

void Archive::put(std::string_view name, std::span<const double> values, std::vector<std::size_t> shape,
                  std::string_view unit) {
  put(name, std::vector(values.begin(), values.end()), std::move(shape), unit);
}

void Archive::put(std::string_view name, std::span<const std::int64_t> values,
                  std::vector<std::size_t> shape) {
  put(name, std::vector(values.begin(), values.end()), std::move(shape));
}

void Archive::put(std::string_view name, std::vector<double>&& values, std::vector<std::size_t> shape,
                  std::string_view unit) {
  entries_.push_back(make_entry(name, std::move(values), std::move(shape), unit));
}

void Archive::put(std::string_view name, std::vector<std::int64_t>&& values, std::vector<std::size_t> shape) {
  entries_.push_back(make_entry(name, std::move(values), std::move(shape), ""));
}

const Archive::Entry* Archive::find(std::string_view name) const {
  const auto it =
      std::find_if(entries_.begin(), entries_.end(), [&](const Entry& e) { return e.name == name; });
  return it == entries_.end() ? nullptr : &*it;
}

void Archive::get(std::string_view name, std::span<double> into) const { copy_out(*this, name, into); }
void Archive::get(std::string_view name, std::span<std::int64_t> into) const { copy_out(*this, name, into); }

double Archive::real(std::string_view name) const {
  double value = 0;
  get(name, {&value, 1});
  return value;
}

std::int64_t Archive::integer(std::string_view name) const {
  std::int64_t value = 0;
  get(name, {&value, 1});
  return value;
}

std::string Archive::hash() const {
  Hash64 hash;
  for (const Entry& entry : entries_) {
    hash.add(entry.name);
    for (std::size_t extent : entry.shape) hash.add(static_cast<std::uint64_t>(extent));
    std::visit([&](const auto& values) { hash.add(std::span(values)); }, entry.values);
  }
  return hash.hex();
}

}  // namespace hardpan
