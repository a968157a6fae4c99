#include "hardpan/grains/wall_touch.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "hardpan/core/error.h"

namespace hardpan::grains {

void WallMemory::reserve(std::size_t count) {
  keys_.reserve(count);
  memory_.reserve(count);
}

void WallMemory::add(const Key& key, const Memory& memory, const TurnMemory& turning) {
  keys_.push_back(key);
  memory_.push_back(memory);
  if (turns(turning)) turning_.resize(keys_.size() - 1), turning_.push_back(turning);
}

double WallMemory::recall(std::span<const WallTouch> touches) {
  const auto key_of = [](const WallTouch& touch) { return Key{touch.grain, touch.place}; };
  if (std::ranges::equal(keys_, touches, {}, {}, key_of)) return 0;  // as in most steps
  const WallMemory last = std::exchange(*this, {});
  reserve(touches.size());
  const std::vector<std::uint32_t> order = sorted(last.keys_);
  std::vector<bool> goes_on(order.size(), false);
  for (const WallTouch& touch : touches) {
    const Key key = key_of(touch);
    const auto found = std::ranges::lower_bound(order, key, {}, [&](auto k) { return last.keys_[k]; });
    const bool there = found != order.end() && last.keys_[*found] == key;
    if (there) goes_on[*found] = true;
    add(key, there ? last.memory_[*found] : Memory{}, there ? last.turning_of(*found) : TurnMemory{});
  }
  double ended = 0;
  for (const std::uint32_t k : order)
    if (!goes_on[k]) ended += last.memory_[k].energy() + last.turning_of(k).energy();
  return ended;
}

std::vector<std::uint32_t> WallMemory::sorted(const std::vector<Key>& keys) {
  std::vector<std::uint32_t> order(keys.size());
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::sort(order, {}, [&](std::uint32_t k) { return keys[k]; });
  return order;
}

void WallMemory::save(std::span<const WallMemory> by_chunks, std::span<const std::uint32_t> id,
                      Archive& archive) {
  WallMemory all;
  for (const WallMemory& some : by_chunks)
    for (std::size_t k = 0; k < some.keys_.size(); ++k)
      all.add({id[some.keys_[k].grain], some.keys_[k].place}, some.memory_[k], some.turning_of(k));
  std::vector<std::uint32_t> order = sorted(all.keys_);
  std::erase_if(order, [&](std::uint32_t k) { return is_new(all.memory_[k], all.turning_of(k)); });
  const auto at = [&](std::size_t n) {
    const std::uint32_t k = order[n];
    return KeyedMemory{all.keys_[k].grain, all.keys_[k].place, all.memory_[k], all.turning_of(k)};
  };
  save_memories("grains/walls", order.size(), at, archive);
}

WallMemory WallMemory::restored(const Archive& archive, std::span<const std::uint32_t> id) {
  WallMemory all;
  std::vector<std::uint32_t> place(id.size());
  for (std::uint32_t i = 0; i < id.size(); ++i) place[id[i]] = i;
  for (const auto& [first, second, memory, turning, gap] :
       restore_memories("grains/walls", archive, 64 * id.size())) {
    if (first < 0 || static_cast<std::size_t>(first) >= id.size() || second < 0 || second > 0xffffffff)
      throw IoError("saved state has a grain at a wall that is not there");
    all.add({place[static_cast<std::size_t>(first)], static_cast<std::uint32_t>(second)}, memory, turning);
  }
  return all;
}

}  // namespace hardpan::grains
