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
  std::vector<bool> goes_on(entries_.size(), false);
  for (const WallTouch& touch : touches) {
    const Entry wanted{id[touch.grain], touch.key, {}};
    const auto found = std::lower_bound(entries_.begin(), entries_.end(), wanted, before);
    const bool there = found != entries_.end() && !before(wanted, *found);
    if (there) goes_on[static_cast<std::size_t>(found - entries_.begin())] = true;
    out.push_back(there ? found->both : Both{});
  }
  double ended = 0;
  for (std::size_t k = 0; k < entries_.size(); ++k)
    if (!goes_on[k]) ended += entries_[k].both.energy();
  return ended;
}

void WallMemory::remember(std::span<const WallTouch> touches, std::span<const std::uint32_t> id,
                          std::span<const Both> memory) {
  entries_.clear();
  for (std::size_t k = 0; k < touches.size(); ++k)
    if (!is_new(memory[k].memory, memory[k].turning))
      entries_.push_back({id[touches[k].grain], touches[k].key, memory[k]});
  std::ranges::sort(entries_, before);
}

void WallMemory::save(Archive& archive) const {
  std::vector<KeyedMemory> memories;
  for (const Entry& e : entries_)
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
  std::ranges::sort(entries_, before);
}

}  // namespace hardpan::grains
