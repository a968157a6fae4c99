#include "hardpan/grains/wall_touch.h"

#include <algorithm>
#include <bit>

#include "hardpan/core/error.h"

namespace hardpan::grains {
namespace {

bool before(const WallMemory::Entry& a, const WallMemory::Entry& b) {
  return a.id != b.id ? a.id < b.id : a.key < b.key;
}

}  // namespace

double WallMemory::recall(std::span<const WallTouch> touches, std::span<const std::uint32_t> id,
                          std::vector<Memory>& out) const {
  out.clear();
  std::vector<bool> goes_on(entries_.size(), false);
  for (const WallTouch& touch : touches) {
    const Entry wanted{id[touch.grain], touch.key, {}};
    const auto found = std::lower_bound(entries_.begin(), entries_.end(), wanted, before);
    const bool there = found != entries_.end() && !before(wanted, *found);
    if (there) goes_on[static_cast<std::size_t>(found - entries_.begin())] = true;
    out.push_back(there ? found->memory : Memory{});
  }
  double ended = 0;
  for (std::size_t k = 0; k < entries_.size(); ++k)
    if (!goes_on[k]) ended += entries_[k].memory.energy();
  return ended;
}

void WallMemory::remember(std::span<const WallTouch> touches, std::span<const std::uint32_t> id,
                          std::span<const Memory> memory) {
  entries_.clear();
  for (std::size_t k = 0; k < touches.size(); ++k)
    if (memory[k].stiffness > 0) entries_.push_back({id[touches[k].grain], touches[k].key, memory[k]});
  std::ranges::sort(entries_, before);
}

void WallMemory::save(Archive& archive) const {
  std::vector<std::int64_t> keys;
  std::vector<double> values;
  for (const Entry& e : entries_) {
    keys.insert(keys.end(), {e.id, std::bit_cast<std::int64_t>(e.key)});
    values.insert(values.end(), {e.memory.force.x, e.memory.force.y, e.memory.force.z, e.memory.stiffness});
  }
  archive.put("grains/walls/count", static_cast<std::int64_t>(entries_.size()));
  archive.put("grains/walls/touch", keys, {entries_.size(), 2});
  archive.put("grains/walls/memory", values, {entries_.size(), 4});
}

void WallMemory::restore(const Archive& archive, std::size_t grains) {
  const std::int64_t count = archive.integer("grains/walls/count");
  if (count < 0 || static_cast<std::size_t>(count) > 64 * grains)
    throw IoError("saved state has an impossible number of grains at walls");
  std::vector<std::int64_t> keys(2 * static_cast<std::size_t>(count));
  std::vector<double> values(4 * static_cast<std::size_t>(count));
  archive.get("grains/walls/touch", std::span(keys));
  archive.get("grains/walls/memory", std::span(values));
  entries_.clear();
  for (std::size_t k = 0; k < static_cast<std::size_t>(count); ++k) {
    if (keys[2 * k] < 0 || static_cast<std::size_t>(keys[2 * k]) >= grains)
      throw IoError("saved state has a grain at a wall that is not there");
    const double* v = &values[4 * k];
    entries_.push_back({static_cast<std::uint32_t>(keys[2 * k]),
                        std::bit_cast<std::uint64_t>(keys[2 * k + 1]),
                        {{v[0], v[1], v[2]}, v[3]}});
  }
  std::ranges::sort(entries_, before);
}

}  // namespace hardpan::grains
