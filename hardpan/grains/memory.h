// What contacts remember, as it is saved: by two numbers that say which contact it is.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "hardpan/core/archive.h"
#include "hardpan/material/grain_law.h"

namespace hardpan::grains {

using Memory = material::GrainMemory<double>;
using TurnMemory = material::TurnMemory<double>;

inline bool turns(const TurnMemory& turning) { return turning.roll_k > 0 || turning.twist_k > 0; }
inline bool is_new(const Memory& memory, const TurnMemory& turning) {
  return memory.compliance == 0 && !turns(turning);
}

struct KeyedMemory {
  std::int64_t first, second;
  Memory memory;
  TurnMemory turning{};
  double gap = 0;  // of contacts that do not touch, as a share of margins (contacts.h)
};

// As many as `count`: at(0), at(1), ... Those of turning and the gaps only where there are any.
void save_memories(const std::string& name, std::size_t count,
                   const std::function<KeyedMemory(std::size_t)>& at, Archive& archive);
// IoError where there are more than `most`.
std::vector<KeyedMemory> restore_memories(const std::string& name, const Archive& archive, std::size_t most);

}  // namespace hardpan::grains
