#include "hardpan/grains/pair_list.h"

#include <algorithm>
#include <utility>

#include "hardpan/core/error.h"
#include "hardpan/core/parallel.h"

namespace hardpan::grains {
namespace {

constexpr std::size_t chunk = 256;  // grains

bool same_clump(std::span<const std::uint32_t> clump, std::size_t i, std::size_t j) {
  return !clump.empty() && clump[i] == clump[j] && clump[i] != 0xffffffff;
}

// The memory of a pair as seen by the other grain.
Memory oriented(const Memory& memory, bool same) {
  return same ? memory : Memory{-memory.force, memory.compliance};
}
// The normal turns round, too, so a moment about it stays.
TurnMemory oriented(TurnMemory memory, bool same) {
  if (!same) memory.roll = -memory.roll;
  return memory;
}

}  // namespace

void PairList::build(const CellGrid& grid, const Columns& at, std::span<const double> radius,
                     std::span<const std::uint32_t> id, const Space& space, double skin,
                     std::span<const std::uint32_t> clump) {
  const std::size_t count = at.size();
  if (!listed_id_.empty()) remembered_ = touching(listed_id_);
  found_.resize((count + chunk - 1) / chunk);
  start_.assign(count + 1, 0);
  parallel_for(
      count,
      [&](std::size_t begin, std::size_t end) {
        auto& found = found_[begin / chunk];
        found.clear();
        for (std::size_t i = begin; i < end; ++i) {
          const std::size_t before = found.size();
          const Vec x = at[i];
          grid.neighbours(x, [&](std::uint32_t from, std::uint32_t to) {
            for (std::size_t j = std::max<std::size_t>(from, i + 1); j < to; ++j) {
              const Vec way = space.shortest(at[j] - x);
              const double reach = radius[i] + radius[j] + skin;
              if (dot(way, way) < reach * reach && !same_clump(clump, i, j))
                found.push_back(static_cast<std::uint32_t>(j));
            }
          });
          std::sort(found.begin() + static_cast<std::ptrdiff_t>(before), found.end());
          start_[i + 1] = static_cast<std::uint32_t>(found.size() - before);
        }
      },
      chunk);
  second_.clear();
  for (const auto& found : found_) second_.insert(second_.end(), found.begin(), found.end());
  first_.resize(second_.size());
  for (std::size_t i = 0; i < count; ++i) {
    std::fill_n(first_.begin() + start_[i], start_[i + 1], static_cast<std::uint32_t>(i));
    start_[i + 1] += start_[i];
  }
  index_seconds(count);
  recall(id);
  listed_id_.assign(id.begin(), id.end());
}

void PairList::index_seconds(std::size_t count) {
  second_start_.assign(count + 1, 0);
  for (const std::uint32_t j : second_) ++second_start_[j + 1];
  for (std::size_t i = 0; i < count; ++i) second_start_[i + 1] += second_start_[i];
  as_second_.resize(second_.size());
  std::vector<std::uint32_t>& next = second_start_;  // shifted by one while filling
  for (std::size_t pair = 0; pair < second_.size(); ++pair)
    as_second_[next[second_[pair]]++] = static_cast<std::uint32_t>(pair);
  std::shift_right(next.begin(), next.end(), 1);
  next[0] = 0;
}

// Memories of pairs that touch, sorted by identities: the same for every order of the grains.
PairList::AllRemembered PairList::touching(std::span<const std::uint32_t> id) const {
  std::vector<Remembered> found;
  std::vector<TurnMemory> turning;
  for (std::size_t i = 0; i + 1 < start_.size(); ++i)
    for (std::uint32_t pair = start_[i]; pair < start_[i + 1]; ++pair) {
      if (is_new(memory_[pair], remembers_turning_ ? turning_[pair] : TurnMemory{})) continue;
      const std::uint32_t a = id[i], b = id[second_[pair]], place = static_cast<std::uint32_t>(found.size());
      found.push_back({std::min(a, b), std::max(a, b), oriented(memory_[pair], a < b), place});
      if (remembers_turning_) turning.push_back(oriented(turning_[pair], a < b));
    }
  std::ranges::sort(found, [](const Remembered& a, const Remembered& b) {
    return a.small != b.small ? a.small < b.small : a.large < b.large;
  });
  AllRemembered all{std::move(found), {}};
  if (remembers_turning_)
    for (const Remembered& r : all.contacts) all.turning.push_back(turning[r.place]);
  return all;
}

void PairList::recall(std::span<const std::uint32_t> id) {
  remembered_start_.assign(id.size() + 1, 0);
  const auto& [contacts, turning] = remembered_;
  for (const Remembered& r : contacts) ++remembered_start_[r.small + 1];
  for (std::size_t i = 0; i < id.size(); ++i) remembered_start_[i + 1] += remembered_start_[i];
  memory_.assign(second_.size(), {});
  touched_.assign(second_.size(), 0);
  if (remembers_turning_) turning_.assign(second_.size(), {});
  parallel_for(id.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      for (std::uint32_t pair = start_[i]; pair < start_[i + 1]; ++pair) {
        const std::uint32_t a = id[i], b = id[second_[pair]], small = std::min(a, b);
        for (std::uint32_t k = remembered_start_[small]; k < remembered_start_[small + 1]; ++k) {
          if (contacts[k].large != std::max(a, b)) continue;
          touched_[pair] = 1;
          memory_[pair] = oriented(contacts[k].memory, a < b);
          if (remembers_turning_) turning_[pair] = oriented(turning[k], a < b);
        }
      }
  });
  remembered_ = {};
}

void PairList::save(std::span<const std::uint32_t> id, Archive& archive) const {
  std::vector<KeyedMemory> memories;
  const AllRemembered all = touching(id);
  for (const Remembered& r : all.contacts) memories.push_back({r.small, r.large, r.memory});
  for (std::size_t k = 0; k < all.turning.size(); ++k) memories[k].turning = all.turning[k];
  save_memories("grains/contacts", memories, archive);
}

void PairList::restore(const Archive& archive, std::size_t grains) {
  remembered_ = {};
  for (const auto& [small, large, memory, turning] :
       restore_memories("grains/contacts", archive, 64 * grains)) {
    if (small < 0 || large <= small || static_cast<std::size_t>(large) >= grains)
      throw IoError("saved state has a contact of grains that are not there");
    remembered_.contacts.push_back(
        {static_cast<std::uint32_t>(small), static_cast<std::uint32_t>(large), memory, 0});
    if (remembers_turning_) remembered_.turning.push_back(turning);
  }
  listed_id_.clear();
}

}  // namespace hardpan::grains
