#include "hardpan/record/segment.h"

#include <algorithm>
#include <span>
#include <type_traits>

#include <fmt/core.h>

#include "hardpan/core/error.h"

namespace hardpan::record {
namespace {

constexpr const char* time_name = "time";
constexpr const char* step_name = "step";

bool same_layout(const Archive::Entry& a, const Archive::Entry& b) {
  return a.name == b.name && a.unit == b.unit && a.shape == b.shape && a.values.index() == b.values.index();
}

void put(Archive& archive, const Archive::Entry& entry, std::span<const double> values,
         std::vector<std::size_t> shape) {
  archive.put(entry.name, values, std::move(shape), entry.unit);
}

void put(Archive& archive, const Archive::Entry& entry, std::span<const std::int64_t> values,
         std::vector<std::size_t> shape) {
  archive.put(entry.name, values, std::move(shape));
}

template <class T>
std::vector<T> axis(const Archive& stacked, const char* name, const std::string& where) {
  const Archive::Entry* entry = stacked.find(name);
  const auto* values = entry ? std::get_if<std::vector<T>>(&entry->values) : nullptr;
  if (!values || entry->shape.size() != 1)
    throw IoError(fmt::format("{}: '{}' is missing or of another kind", where, name));
  return *values;
}

}  // namespace

std::uint64_t size_of(const Archive& frame) {
  std::uint64_t bytes = 0;
  for (const Archive::Entry& entry : frame.entries())
    bytes += std::visit([](const auto& values) { return values.size() * sizeof values[0]; }, entry.values);
  return bytes;
}

bool FrameStack::accepts(const Archive& frame) const {
  return empty() || std::equal(entries_.begin(), entries_.end(), frame.entries().begin(),
                               frame.entries().end(), same_layout);
}

void FrameStack::add(double time, std::int64_t step, const Archive& frame) {
  HARDPAN_CHECK(accepts(frame), "a frame of another layout");
  HARDPAN_CHECK(!frame.find(time_name) && !frame.find(step_name), "'time' and 'step' are taken in a frame");
  if (empty()) {
    entries_ = frame.entries();
  } else {
    for (std::size_t i = 0; i < entries_.size(); ++i)
      std::visit(
          [&](auto& into) {
            const auto& from = std::get<std::decay_t<decltype(into)>>(frame.entries()[i].values);
            into.insert(into.end(), from.begin(), from.end());
          },
          entries_[i].values);
  }
  time_.push_back(time);
  step_.push_back(step);
  bytes_ += size_of(frame);
}

Archive FrameStack::stacked() const {
  Archive archive;
  archive.put(time_name, time_, {time_.size()}, "s");
  archive.put(step_name, step_, {step_.size()});
  for (const Archive::Entry& entry : entries_) {
    std::vector<std::size_t> shape = entry.shape;
    shape.insert(shape.begin(), time_.size());
    std::visit([&](const auto& values) { put(archive, entry, values, std::move(shape)); }, entry.values);
  }
  return archive;
}

void FrameStack::clear() { *this = {}; }

Archive Segment::frame(std::size_t index) const {
  HARDPAN_CHECK(index < frames(), "no such frame");
  Archive archive;
  for (const Archive::Entry& entry : arrays.entries())
    std::visit(
        [&](const auto& values) {
          const std::size_t size = values.size() / frames();
          put(archive, entry, std::span(values).subspan(index * size, size),
              {entry.shape.begin() + 1, entry.shape.end()});
        },
        entry.values);
  return archive;
}

Segment unstack(const Archive& stacked, const std::string& where) {
  Segment segment{axis<double>(stacked, time_name, where), axis<std::int64_t>(stacked, step_name, where), {}};
  if (segment.step.size() != segment.time.size()) throw IoError(where + ": not one step per time");
  for (const Archive::Entry& entry : stacked.entries()) {
    if (entry.name == time_name || entry.name == step_name) continue;
    if (entry.shape.empty() || entry.shape[0] != segment.frames())
      throw IoError(fmt::format("{}: '{}' does not hold one array per frame", where, entry.name));
    std::visit([&](const auto& values) { put(segment.arrays, entry, values, entry.shape); }, entry.values);
  }
  return segment;
}

}  // namespace hardpan::record
