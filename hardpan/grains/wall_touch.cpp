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
                          std::vector<Both>& out) const {
  out.clear();
  const auto same = [&](const Entry& entry, const WallTouch& touch) {
    return entry.id == id[touch.grain] && entry.key == touch.key;
  };
  if (std::ranges::equal(entries_, touches, same)) {  // as in most steps
    for (const Entry& entry : entries_) out.push_back(entry.both);
    return 0;
  }
  const std::vector<Entry> entries = sorted();
  std::vector<bool> goes_on(entries.size(), false);
  for (const WallTouch& touch : touches) {
    const Entry wanted{id[touch.grain], touch.key, {}};
    const auto found = std::lower_bound(entries.begin(), entries.end(), wanted, before);
    const bool there = found != entries.end() && !before(wanted, *found);
    if (there) goes_on[static_cast<std::size_t>(found - entries.begin())] = true;
    out.push_back(there ? found->both : Both{});
  }
  double ended = 0;
  for (std::size_t k = 0; k < entries.size(); ++k)
    if (!goes_on[k]) ended += entries[k].both.energy();
  return ended;
}

void WallMemory::remember(std::span<const WallTouch> touches, std::span<const std::uint32_t> id,
                          std::span<const Both> memory) {
  entries_.clear();
  for (std::size_t k = 0; k < touches.size(); ++k)
    if (!is_new(memory[k].memory, memory[k].turning))
      entries_.push_back({id[touches[k].grain], touches[k].key, memory[k]});
}

std::vector<WallMemory::Entry> WallMemory::sorted() const {
  std::vector<Entry> entries = entries_;
  std::ranges::sort(entries, before);
  return entries;
}

void WallMemory::save(Archive& archive) const {
  std::vector<KeyedMemory> memories;
  for (const Entry& e : sorted())
    memories.push_back({e.id, std::bit_cast<std::int64_t>(e.key), e.both.memory, e.both.turning});
  save_memories("grains/walls", memories, archive);
}

void WallMemory::restore(const Archive& archive, std::size_t grains) {
  entries_.clear();
  for (const auto& [id, key, memory, turning] : restore_memories("grains/walls", archive, 64 * grains)) {
    if (id < 0 || static_cast<std::size_t>(id) >= grains)
      throw IoError("saved state has a grain at a wall that is not there");
    entries_.push_back(
        {static_cast<std::uint32_t>(id), std::bit_cast<std::uint64_t>(key), {memory, turning}});
  }
}

}  // namespace hardpan::grains
