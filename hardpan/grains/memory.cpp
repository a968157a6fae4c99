#include "hardpan/grains/memory.h"

#include <algorithm>
#include <array>
#include <utility>

#include "hardpan/core/error.h"

namespace hardpan::grains {

void save_memories(const std::string& name, std::size_t count,
                   const std::function<KeyedMemory(std::size_t)>& at, Archive& archive) {
  std::vector<std::int64_t> keys;
  std::vector<double> values, gaps, of_turning;
  keys.reserve(2 * count);
  values.reserve(7 * count);
  for (std::size_t k = 0; k < count; ++k) {
    const auto [first, second, memory, turning, gap] = at(k);
    keys.insert(keys.end(), {first, second});
    values.insert(values.end(), {memory.force.x, memory.force.y, memory.force.z, memory.compliance,
                                 memory.velocity.x, memory.velocity.y, memory.velocity.z});
    if (gap > 0) gaps.resize(count), gaps[k] = gap;
    if (!turns(turning)) continue;
    const std::array<double, 9> row = {turning.roll.x, turning.roll.y, turning.roll.z,
                                       turning.twist,  turning.roll_k, turning.twist_k,
                                       turning.rate.x, turning.rate.y, turning.rate.z};
    of_turning.resize(9 * count);
    std::ranges::copy(row, &of_turning[9 * k]);
  }
  archive.put(name + "/count", static_cast<std::int64_t>(count));
  archive.put(name + "/key", std::move(keys), {count, 2});
  archive.put(name + "/memory", std::move(values), {count, 7});
  if (!of_turning.empty()) archive.put(name + "/turning", std::move(of_turning), {count, 9});
  if (!gaps.empty()) archive.put(name + "/gap", std::move(gaps), {count});
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
