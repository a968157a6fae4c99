// A grain that touches something that is no grain: a body, a wall, a mesh. Whoever owns the other side finds
// these in every step and takes the opposite forces, which act in the middle of the overlap; grains bring
// the law and remember.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "hardpan/grains/columns.h"
#include "hardpan/grains/memory.h"
#include "hardpan/material/grain_law.h"

namespace hardpan::grains {

struct WallTouch {
  std::uint32_t grain;            // in the present order
  std::uint64_t key;              // who, and which of its places: what the memory belongs to
  Vec normal;                     // from the wall to the grain
  double overlap;                 // > 0, m
  Vec velocity;                   // of the wall at the point of contact, m/s
  double radius, mass;            // R*, m*
  const material::GrainLaw* law;  // of the kinds of all others
  Vec spin{};                     // of the wall, rad/s
  Vec force{};                    // afterwards: on the grain, N
  Vec moment{};                   // likewise, of rolling and twisting, N m; the wall takes the opposite
};

// What touches of walls remember, by grain and key.
class WallMemory {
 public:
  struct Both {
    Memory memory;
    TurnMemory turning;
    double energy() const { return memory.energy() + turning.energy(); }
  };
  struct Entry {
    std::uint32_t id;
    std::uint64_t key;
    Both both;
  };

  // Memories of these touches, as they come; zero for new ones. Returns the energy of those that have ended.
  double recall(std::span<const WallTouch> touches, std::span<const std::uint32_t> id,
                std::vector<Both>& out) const;
  void remember(std::span<const WallTouch> touches, std::span<const std::uint32_t> id,
                std::span<const Both> memory);

  void save(Archive& archive) const;
  void restore(const Archive& archive, std::size_t grains);

 private:
  std::vector<Entry> sorted() const;  // by grain and key

  std::vector<Entry> entries_;  // as touches were
};

}  // namespace hardpan::grains
