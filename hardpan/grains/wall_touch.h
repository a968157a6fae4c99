// A grain that touches something that is no grain: a body, a wall, a mesh. Whoever owns the other side finds
// these in every step, for some grains at a time, and takes what is done to each wall; grains bring the law,
// and remember. Forces act in the middle of the overlap. A wall is a grain without end: R* is the radius of
// the grain.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "hardpan/grains/columns.h"
#include "hardpan/grains/memory.h"
#include "hardpan/material/grain_law.h"

namespace hardpan::grains {

// What all touches of a wall have in common.
struct Wall {
  std::span<const material::GrainLaw> laws;  // with each material of grains, of the kinds of all others
  Vec origin{};                              // m; moments are about it
  Vec velocity{}, spin{};                    // there, m/s; rad/s
  double over_mass = 0;                      // 1/kg; 0: nothing moves it
};

// What all grains do to a wall.
struct WallPush {
  Vec force{}, moment{};  // N; N m, about its origin
  double stiffness = 0;   // sum of dF/dd, N/m

  double power = 0;  // what the wall does to the grains, W

  void add(const WallPush& other) {
    force = force + other.force;
    moment = moment + other.moment;
    stiffness += other.stiffness;
    power += other.power;
  }
};

// Rows of four numbers, as balls have them.
struct alignas(64) WallTouch {
  Vec normal{};             // from the wall to the grain
  double overlap = 0;       // > 0, m
  Vec force{};              // afterwards: on the grain, N
  std::uint32_t grain = 0;  // in the present order
  std::uint32_t place = 0;  // 256 times the number of the wall, and which of its places

  std::uint32_t wall() const { return place / 256; }
};
enum TouchRow : std::size_t { normal_row, force_row };
static_assert(sizeof(WallTouch) == 8 * sizeof(double));

// Adds all touches of the spheres of a chunk: wall by wall, of each in the order of the spheres. Called by
// several threads at once.
using FindTouches = std::function<void(std::size_t chunk, std::vector<WallTouch>& touches)>;

// What touches of walls remember, by grain and place.
class WallMemory {
 public:
  // Memories of these touches, as they come, to be written; zero for new ones. Returns the energy of those
  // that have ended.
  double recall(std::span<const WallTouch> touches);
  std::span<Memory> memory() { return memory_; }
  // Asked for where a law resists turning only: until then there are none.
  std::span<TurnMemory> turning() {
    turning_.resize(keys_.size());
    return turning_;
  }

  // Grain i has become grain place[i], of the chunk chunk_of(place[i]), each of which has a memory.
  template <class ChunkOf>
  static void renumber(std::vector<WallMemory>& by_chunks, std::span<const std::uint32_t> place,
                       const ChunkOf& chunk_of);
  static void save(std::span<const WallMemory> by_chunks, std::span<const std::uint32_t> id,
                   Archive& archive);
  // Of all chunks.
  static WallMemory restored(const Archive& archive, std::span<const std::uint32_t> id);

 private:
  struct Key {
    std::uint32_t grain, place;
    auto operator<=>(const Key&) const = default;
  };
  // Places in the list, by keys.
  static std::vector<std::uint32_t> sorted(const std::vector<Key>& keys);
  void reserve(std::size_t count);
  void add(const Key& key, const Memory& memory, const TurnMemory& turning);
  TurnMemory turning_of(std::size_t k) const { return k < turning_.size() ? turning_[k] : TurnMemory{}; }

  std::vector<Key> keys_;  // as touches were
  std::vector<Memory> memory_;
  std::vector<TurnMemory> turning_;  // as many, or less: the others are new
};

template <class ChunkOf>
void WallMemory::renumber(std::vector<WallMemory>& by_chunks, std::span<const std::uint32_t> place,
                          const ChunkOf& chunk_of) {
  std::vector<WallMemory> next(by_chunks.size());
  std::vector<std::size_t> counts(by_chunks.size());
  for (const WallMemory& last : by_chunks)
    for (const Key& key : last.keys_) ++counts[chunk_of(place[key.grain])];
  for (std::size_t c = 0; c < next.size(); ++c) next[c].reserve(counts[c]);
  for (const WallMemory& last : by_chunks)
    for (std::size_t k = 0; k < last.keys_.size(); ++k) {
      const std::uint32_t grain = place[last.keys_[k].grain];
      next[chunk_of(grain)].add({grain, last.keys_[k].place}, last.memory_[k], last.turning_of(k));
    }
  by_chunks = std::move(next);
}

}  // namespace hardpan::grains
