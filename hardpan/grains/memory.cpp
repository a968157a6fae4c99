#include "hardpan/grains/memory.h"

#include <algorithm>

#include "hardpan/core/error.h"

namespace hardpan::grains {
namespace {

bool turns(const KeyedMemory& m) { return m.turning.roll_k > 0 || m.turning.twist_k > 0; }

}  // namespace

void save_memories(const std::string& name, std::span<const KeyedMemory> memories, Archive& archive) {
  std::vector<std::int64_t> keys;
  std::vector<double> values;
  std::vector<double> values_of_turning, gaps;
  for (const auto& [first, second, memory, turning, gap] : memories) {
    gaps.push_back(gap);
    keys.insert(keys.end(), {first, second});
    values.insert(values.end(), {memory.force.x, memory.force.y, memory.force.z, memory.compliance,
                                 memory.velocity.x, memory.velocity.y, memory.velocity.z});
    values_of_turning.insert(values_of_turning.end(),
                             {turning.roll.x, turning.roll.y, turning.roll.z, turning.twist, turning.roll_k,
                              turning.twist_k, turning.rate.x, turning.rate.y, turning.rate.z});
  }
  archive.put(name + "/count", static_cast<std::int64_t>(memories.size()));
  archive.put(name + "/key", keys, {memories.size(), 2});
  archive.put(name + "/memory", values, {memories.size(), 7});
  if (std::ranges::any_of(memories, turns))
    archive.put(name + "/turning", values_of_turning, {memories.size(), 9});
  if (std::ranges::any_of(gaps, [](double gap) { return gap > 0; }))
    archive.put(name + "/gap", gaps, {memories.size()}, "m");
}

std::vector<KeyedMemory> restore_memories(const std::string& name, const Archive& archive, std::size_t most) {
  const std::int64_t count = archive.integer(name + "/count");
  if (count < 0 || static_cast<std::size_t>(count) > most)
    throw IoError("saved state has an impossible number of contacts of grains");
  std::vector<KeyedMemory> memories(static_cast<std::size_t>(count));
  std::vector<std::int64_t> keys(2 * memories.size());
  std::vector<double> values(7 * memories.size());
  archive.get(name + "/key", std::span(keys));
  archive.get(name + "/memory", std::span(values));
  for (std::size_t k = 0; k < memories.size(); ++k) {
    const double* v = &values[7 * k];
    memories[k] = {keys[2 * k], keys[2 * k + 1], {{v[0], v[1], v[2]}, v[3], {v[4], v[5], v[6]}}};
  }
  if (archive.find(name + "/gap")) {
    std::vector<double> gaps(memories.size());
    archive.get(name + "/gap", std::span(gaps));
    for (std::size_t k = 0; k < memories.size(); ++k) memories[k].gap = gaps[k];
  }
  if (!archive.find(name + "/turning")) return memories;
  values.resize(9 * memories.size());
  archive.get(name + "/turning", std::span(values));
  for (std::size_t k = 0; k < memories.size(); ++k) {
    const double* v = &values[9 * k];
    memories[k].turning = {{v[0], v[1], v[2]}, v[3], v[4], v[5], {v[6], v[7], v[8]}};
  }
  return memories;
}

}  // namespace hardpan::grains
