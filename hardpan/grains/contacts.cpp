#include "hardpan/grains/contacts.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>

#include "hardpan/core/error.h"
#include "hardpan/core/parallel.h"

namespace hardpan::grains {
namespace {

// Spheres: at most some 0.3 MB, contacts included; less where there are few, so that threads share them.
constexpr std::size_t largest_chunk = 1024, least_chunk = 256, enough_chunks = 4;

// The memory of a pair as seen by the other sphere.
Memory oriented(const Memory& memory, bool same) {
  return same ? memory : Memory{-memory.force, memory.compliance, -memory.velocity};
}
// The normal turns round, too, so a moment about it stays.
TurnMemory oriented(TurnMemory memory, bool same) {
  if (!same) memory.roll = -memory.roll, memory.rate = -memory.rate;
  return memory;
}

void add(CarriedContacts& to, std::uint32_t i, std::uint32_t j, std::uint8_t level, const Memory& memory,
         const TurnMemory* turning) {
  const bool same = i < j;
  to.contacts.push_back({std::min(i, j), std::max(i, j), level, oriented(memory, same)});
  if (turning) to.turning.push_back(oriented(*turning, same));
}

// Of a gap below the margin; 0: it may touch at once.
std::uint8_t level_of(double gap, double margin) {
  if (!(gap > 0)) return 0;
  return static_cast<std::uint8_t>(std::min<double>(gap_levels - 1, gap / (margin / gap_levels)));
}

}  // namespace

void ContactGroup::set(std::size_t k, const Memory& memory) {
  f_x[k] = memory.force.x;
  f_y[k] = memory.force.y;
  f_z[k] = memory.force.z;
  compliance[k] = memory.compliance;
  v_x[k] = memory.velocity.x;
  v_y[k] = memory.velocity.y;
  v_z[k] = memory.velocity.z;
}

Contacts::Contacts(std::size_t spheres, std::size_t materials, bool remembers_turning)
    : spheres_(spheres), materials_(materials), remembers_turning_(remembers_turning) {
  const std::size_t count = std::max({std::size_t{1}, std::min(enough_chunks, spheres / least_chunk),
                                      (spheres + largest_chunk - 1) / largest_chunk});
  chunk_size_ = std::max<std::size_t>(1, (spheres + count - 1) / count);
  chunks_.resize(count);
  link();
}

template <class Visit>
void Contacts::each(std::size_t chunk, const Visit& visit) const {
  const Chunk& c = chunks_[chunk];
  for (std::size_t f = 0; f < c.groups.size(); ++f)
    for (std::size_t k = 0; k < c.groups[f].used; ++k) {
      const ContactGroup& group = c.groups[f];
      visit(CarriedContacts::Contact{group.i[k], group.j[k], c.levels[group_width * f + k], group.memory(k)},
            remembers_turning_ ? &c.turning[group_width * f + k] : nullptr);
    }
}

void Contacts::look(const PairList& list, const State& state, const Space& space,
                    std::span<const std::uint32_t> material, double margin) {
  margin_ = margin;
  parallel_for(
      chunks(),
      [&](std::size_t begin, std::size_t end) {
        for (std::size_t c = begin; c < end; ++c) {
          const CarriedContacts before = carried_.empty() ? known(c) : std::move(carried_[c]);
          put(c, find(c, before, list, state, space), state, material);
        }
      },
      1);
  carried_ = std::vector<CarriedContacts>();
  link();
}

// Those that remember anything.
CarriedContacts Contacts::known(std::size_t chunk) const {
  CarriedContacts known;
  known.contacts.reserve(group_width * chunks_[chunk].groups.size());
  each(chunk, [&](const auto& contact, const TurnMemory* turning) {
    if (!is_new(contact.memory, turning ? *turning : TurnMemory{}))
      add(known, contact.i, contact.j, 0, contact.memory, turning);
  });
  return known;
}

// In the order of the list.
CarriedContacts Contacts::find(std::size_t chunk, const CarriedContacts& known, const PairList& list,
                               const State& state, const Space& space) const {
  const std::size_t begin = begin_of(chunk), end = end_of(chunk);
  thread_local std::vector<std::uint32_t> start, by_first;  // known ones of each first sphere
  start.assign(end - begin + 2, 0);
  by_first.resize(known.contacts.size());
  for (const auto& contact : known.contacts) ++start[contact.i - begin + 2];
  std::partial_sum(start.begin(), start.end(), start.begin());
  for (std::uint32_t k = 0; k < known.contacts.size(); ++k)
    by_first[start[known.contacts[k].i - begin + 1]++] = k;
  CarriedContacts found;
  found.contacts.reserve(known.contacts.size() + known.contacts.size() / 2);
  for (std::size_t i = begin; i < end; ++i) {
    if (i + 4 < end)
      for (const std::uint32_t j : list.after(i + 4)) __builtin_prefetch(&state[j]);
    for (const std::uint32_t j : list.after(i)) {
      const auto first = by_first.begin() + start[i - begin], last = by_first.begin() + start[i - begin + 1];
      const auto k = std::find_if(first, last, [&](std::uint32_t n) { return known.contacts[n].j == j; });
      const Vec way = space.shortest(state[j].position - state[i].position);
      const double radii = state[i].radius + state[j].radius, reach = radii + margin_, square = dot(way, way);
      if (k == last && !(square < reach * reach)) continue;
      const std::uint8_t level = k == last ? level_of(std::sqrt(square) - radii, margin_) : std::uint8_t{0};
      found.contacts.push_back(
          {static_cast<std::uint32_t>(i), j, level, k == last ? Memory{} : known.contacts[*k].memory});
      if (remembers_turning_) found.turning.push_back(k == last ? TurnMemory{} : known.turning[*k]);
    }
  }
  return found;
}

void Contacts::put(std::size_t chunk, const CarriedContacts& found, const State& state,
                   std::span<const std::uint32_t> material) {
  thread_local std::vector<std::uint32_t> order;
  const auto law_of = [&](std::uint32_t n) {
    const auto& contact = found.contacts[n];
    return static_cast<std::uint32_t>(material[contact.i] * materials_) + material[contact.j];
  };
  std::array<std::uint32_t, gap_levels + 1> start{};
  for (const auto& contact : found.contacts) ++start[contact.level + 1u];
  std::partial_sum(start.begin(), start.end(), start.begin());
  order.resize(found.contacts.size());
  for (std::uint32_t n = 0; n < order.size(); ++n) order[start[found.contacts[n].level]++] = n;
  if (materials_ > 1) std::ranges::stable_sort(order, {}, law_of);
  Chunk& c = chunks_[chunk];
  const std::size_t most = found.contacts.size() / group_width + materials_ * materials_;  // groups
  make_room(c.groups, most);
  make_room(c.levels, group_width * most);
  make_room(c.turning, remembers_turning_ ? group_width * most : 0);
  c.equal = true;
  for (const std::uint32_t n : order) {
    const auto& contact = found.contacts[n];
    const std::uint32_t law = law_of(n);
    if (c.groups.empty() || c.groups.back().used == group_width || c.groups.back().law != law) {
      c.groups.push_back({});
      ContactGroup& group = c.groups.back();
      group.law = law;
      group.gap = contact.level * (margin_ / gap_levels);
      group.i.fill(contact.i);
      group.j.fill(contact.j);
      group.radius = state[contact.i].radius;
      group.mass = state[contact.i].mass;
      c.levels.resize(group_width * c.groups.size());
      if (remembers_turning_) c.turning.resize(group_width * c.groups.size());
    }
    ContactGroup& group = c.groups.back();
    const std::uint32_t k = group.used++;
    group.i[k] = contact.i;
    group.j[k] = contact.j;
    for (const Ball& ball : {std::cref(state[contact.i]), std::cref(state[contact.j])})
      if (ball.radius != group.radius || ball.mass != group.mass) c.equal = false;
    group.set(k, contact.memory);
    const std::size_t place = group_width * (c.groups.size() - 1) + k;
    c.levels[place] = contact.level;
    if (remembers_turning_) c.turning[place] = found.turning[n];
  }
  number_guests(c, begin_of(chunk), end_of(chunk));
}

// Loads of its own spheres come first, then those of guests.
void Contacts::number_guests(Chunk& chunk, std::size_t begin, std::size_t end) const {
  constexpr std::uint32_t nobody = 0xffffffff;
  // Of spheres from the end of the chunk on, as guests; nobody is one between two calls.
  thread_local std::vector<std::uint32_t> number;
  std::vector<std::uint32_t>& guests = chunk.guests;
  guests.clear();
  for (const ContactGroup& group : chunk.groups)
    for (std::size_t k = 0; k < group.used; ++k) {
      const std::uint32_t j = group.j[k];
      if (j < end) continue;
      if (number.size() <= j - end) number.resize(j - end + 1, nobody);
      if (std::exchange(number[j - end], 0) == nobody) guests.push_back(j);
    }
  std::ranges::sort(guests);
  for (std::uint32_t k = 0; k < guests.size(); ++k)
    number[guests[k] - end] = static_cast<std::uint32_t>(end - begin) + k;
  for (ContactGroup& group : chunk.groups)
    for (std::size_t k = 0; k < group_width; ++k) {
      const std::uint32_t j = group.j[k];
      group.to[k] = j < end ? static_cast<std::uint32_t>(j - begin) : number[j - end];
    }
  for (const std::uint32_t j : guests) number[j - end] = nobody;
}

// Guests stand in the order of the spheres, so those of one chunk follow each other.
void Contacts::link() {
  for (Chunk& chunk : chunks_) chunk.visitors.clear();
  passed_ = 0;
  for (std::uint32_t c = 0; c < chunks(); ++c) {
    const std::vector<std::uint32_t>& guests = chunks_[c].guests;
    chunks_[c].passed_from = passed_;
    passed_ += guests.size();
    for (std::uint32_t first = 0, last = 0; first < guests.size(); first = last) {
      const std::size_t to = chunk_of(guests[first]);
      while (last < guests.size() && guests[last] < end_of(to)) ++last;
      chunks_[to].visitors.push_back({c, first, last - first});
    }
  }
}

void Contacts::renumber(std::span<const std::uint32_t> place) {
  carried_.assign(chunks(), {});
  for (std::size_t c = 0; c < chunks(); ++c) {
    each(c, [&](const auto& contact, const TurnMemory* turning) {
      if (is_new(contact.memory, turning ? *turning : TurnMemory{})) return;
      const std::uint32_t i = place[contact.i], j = place[contact.j];
      add(carried_[chunk_of(std::min(i, j))], i, j, 0, contact.memory, turning);
    });
    chunks_[c] = {};
  }
}

// ---- saved

void Contacts::save(std::span<const std::uint32_t> id, Archive& archive) const {
  struct Key {
    std::uint32_t first, second;    // identities
    std::uint32_t chunk, group, k;  // where it is
    auto operator<=>(const Key&) const = default;
  };
  std::vector<Key> keys;
  std::size_t most = 0;
  for (const Chunk& chunk : chunks_) most += group_width * chunk.groups.size();
  keys.reserve(most);
  for (std::uint32_t c = 0; c < chunks(); ++c)
    for (std::uint32_t g = 0; g < chunks_[c].groups.size(); ++g)
      for (std::uint32_t k = 0; k < chunks_[c].groups[g].used; ++k) {
        const std::uint32_t i = id[chunks_[c].groups[g].i[k]], j = id[chunks_[c].groups[g].j[k]];
        keys.push_back({std::min(i, j), std::max(i, j), c, g, k});
      }
  std::ranges::sort(keys);
  const auto at = [&](std::size_t n) {
    const auto& [first, second, c, g, k] = keys[n];
    const ContactGroup& group = chunks_[c].groups[g];
    const bool same = id[group.i[k]] < id[group.j[k]];
    KeyedMemory saved{first, second, oriented(group.memory(k), same)};
    saved.gap = chunks_[c].levels[group_width * g + k] * (margin_ / gap_levels);
    if (remembers_turning_) saved.turning = oriented(chunks_[c].turning[group_width * g + k], same);
    return saved;
  };
  save_memories("grains/contacts", keys.size(), at, archive);
}

void Contacts::restore(const Archive& archive, const State& state, std::span<const std::uint32_t> material,
                       double margin) {
  margin_ = margin;
  std::vector<std::uint32_t> place(spheres_);
  for (std::uint32_t i = 0; i < spheres_; ++i) place[state.id[i]] = i;
  std::vector<KeyedMemory> memories = restore_memories("grains/contacts", archive, 64 * spheres_);
  for (KeyedMemory& m : memories) {
    if (m.first < 0 || m.second <= m.first || static_cast<std::size_t>(m.second) >= spheres_)
      throw IoError("saved state has a contact of grains that are not there");
    const std::uint32_t a = place[static_cast<std::size_t>(m.first)],
                        b = place[static_cast<std::size_t>(m.second)];
    m = {std::min(a, b), std::max(a, b), oriented(m.memory, a < b), oriented(m.turning, a < b), m.gap};
  }
  std::ranges::sort(memories, [](const KeyedMemory& a, const KeyedMemory& b) {
    return a.first != b.first ? a.first < b.first : a.second < b.second;
  });
  std::vector<CarriedContacts> found(chunks());
  for (const KeyedMemory& m : memories) {
    const std::uint8_t level = level_of(m.gap * (1 + 1e-12), margin);  // rounding must not lower it
    add(found[chunk_of(static_cast<std::size_t>(m.first))], static_cast<std::uint32_t>(m.first),
        static_cast<std::uint32_t>(m.second), level, m.memory, remembers_turning_ ? &m.turning : nullptr);
  }
  for (std::size_t c = 0; c < chunks(); ++c) put(c, found[c], state, material);
  carried_.clear();
  link();
}

}  // namespace hardpan::grains
