// A grain that touches something that is no grain: a body, a wall, a mesh. Whoever owns the other side finds
// these in every step and takes the opposite forces, which act in the middle of the overlap; grains bring
// the law and remember. A wall is a grain without end: R* is the radius of the grain.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "hardpan/grains/columns.h"
#include "hardpan/grains/memory.h"
#include "hardpan/material/grain_law.h"

namespace hardpan::grains {

// What all touches of a wall have in common.
struct Wall {
  std::span<const material::GrainLaw> laws;  // with each material of grains, of the kinds of all others
  Vec spin{};                                // rad/s
};

// Rows of four numbers, as balls have them.
struct alignas(64) WallTouch {
  Vec normal{};        // from the wall to the grain
  double overlap = 0;  // > 0, m
  Vec velocity{};      // of the wall at the point of contact, m/s
  double mass = 0;     // m*
  Vec force{};         // afterwards: on the grain, N
  double unused = 0;
  Vec moment{};             // likewise, of rolling and twisting, N m; the wall takes the opposite
  std::uint32_t grain = 0;  // in the present order
  std::uint32_t place = 0;  // 256 times the number of the wall, and which of its places

  std::uint32_t wall() const { return place / 256; }
};

// What touches of walls remember, by grain and place.
class WallMemory {
 public:
  // Memories of these touches, as they come, to be written; zero for new ones. Returns the energy of those
  // that have ended.
  double recall(std::span<const WallTouch> touches);
  std::span<Memory> memory() { return memory_; }
  std::span<TurnMemory> turning() { return turning_; }

  // Grain i has become grain place[i].
  void renumber(std::span<const std::uint32_t> place);
  void save(std::span<const std::uint32_t> id, Archive& archive) const;
  void restore(const Archive& archive, std::span<const std::uint32_t> id);

 private:
  struct Key {
    std::uint32_t grain, place;
    auto operator<=>(const Key&) const = default;
  };
  // Places in the list, by keys.
  static std::vector<std::uint32_t> sorted(const std::vector<Key>& keys);
  void add(const Key& key, const Memory& memory, const TurnMemory& turning);

  std::vector<Key> keys_;  // as touches were
  std::vector<Memory> memory_;
  std::vector<TurnMemory> turning_;
};

}  // namespace hardpan::grains
