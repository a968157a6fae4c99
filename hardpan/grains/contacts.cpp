#include "hardpan/grains/contacts.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <ranges>
#include <utility>

#include "hardpan/core/error.h"
#include "hardpan/core/parallel.h"
#include "hardpan/grains/rows.h"
#include "hardpan/math/widest.h"

namespace hardpan::grains {
namespace {

// Spheres: at most some 0.3 MB, contacts included; less where there are few, so that threads share them.
constexpr std::size_t largest_chunk = 1024, least_chunk = 256, enough_chunks = 4;
static_assert(largest_chunk <= 1 << 16);  // ContactGroup::from

// The memory of a pair as seen by the other sphere.
Memory oriented(const Memory& memory, bool same) {
  return same ? memory : Memory{-memory.force, memory.compliance, -memory.velocity};
}
// The normal turns round, too, so a moment about it stays.
TurnMemory oriented(TurnMemory memory, bool same) {
  if (!same) memory.roll = -memory.roll, memory.rate = -memory.rate;
  return memory;
}

constexpr std::uint32_t none = 0xffffffff;

// Of a gap below both margins together; 0: it may touch at once.
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
  const std::size_t wanted = std::max({std::size_t{1}, std::min(enough_chunks, spheres / least_chunk),
                                       (spheres + largest_chunk - 1) / largest_chunk});
  chunk_size_ = std::max<std::size_t>(1, (spheres + wanted - 1) / wanted);
  chunks_.resize(std::max<std::size_t>(1, (spheres + chunk_size_ - 1) / chunk_size_));
  for (std::size_t c = 0; c < chunks(); ++c) put_spheres(c, of(c));
  link();
}

template <class Visit>
void Contacts::each_known(const ChunkContacts& contacts, const Visit& visit) const {
  for (std::uint32_t g = 0; g < contacts.groups.size(); ++g)
    for (std::uint32_t k = 0; k < contacts.groups[g].used; ++k) {
      const auto place = static_cast<std::uint32_t>(group_width * g + k);
      if (!is_new(contacts.memory(place), remembers_turning_ ? contacts.turning[place] : TurnMemory{}))
        visit(contacts.pair(place), place);
    }
}

// Its own.
void Contacts::put_spheres(std::size_t chunk, ChunkContacts& contacts) const {
  contacts.spheres.resize(spheres(chunk));
  std::iota(contacts.spheres.begin(), contacts.spheres.end(), static_cast<std::uint32_t>(begin_of(chunk)));
}

// A contact of two spheres that may stand in another order than they did; its guest is one of its own.
void Contacts::append(std::vector<ChunkContacts>& of_chunks, std::uint32_t i, std::uint32_t j,
                      const Memory& memory, const TurnMemory& turning) const {
  const bool same = i < j;
  if (!same) std::swap(i, j);
  const std::size_t chunk = chunk_of(i), begin = begin_of(chunk);
  auto& [groups, sections, rests_until, reach, turnings, spheres, equal, copies] = of_chunks[chunk];
  if (spheres.empty()) put_spheres(chunk, of_chunks[chunk]);
  if (groups.empty() || groups.back().used == group_width) {
    groups.push_back({});
    if (remembers_turning_) turnings.resize(group_width * groups.size());
  }
  ContactGroup& group = groups.back();
  const std::uint32_t k = group.used++;
  group.from[k] = static_cast<std::uint16_t>(i - begin);
  if (j < end_of(chunk)) {
    group.to[k] = static_cast<std::uint32_t>(j - begin);
  } else {
    group.to[k] = static_cast<std::uint32_t>(spheres.size());
    spheres.push_back(j);
  }
  group.set(k, oriented(memory, same));
  if (remembers_turning_) turnings[group_width * (groups.size() - 1) + k] = oriented(turning, same);
}

void Contacts::look(const PairList& list, const State& state, const Space& space,
                    std::span<const std::uint32_t> material, std::span<const double> margins) {
  parallel_for(
      chunks(),
      [&](std::size_t begin, std::size_t end) {
        thread_local ChunkContacts before;
        thread_local std::vector<Found> found;
        for (std::size_t c = begin; c < end; ++c) {
          std::swap(before, of(c));
          find(c, before, list, state, space, margins, found);
          put(c, before, found, state, material, margins);
        }
      },
      1);
  link();
}

// Pairs of a sphere with a gap below `limit`, in the order of `others`: visit(j, gap).
template <std::size_t width, class Visit>
[[gnu::always_inline]] inline void each_near(const Ball& ball, std::span<const std::uint32_t> others,
                                             const State& state, const Space& space, double limit,
                                             const Visit& visit) {
  using P = PackOf<width>;
  const PackVec<width> x{P(ball.position.x), P(ball.position.y), P(ball.position.z)};
  for (std::size_t first = 0; first < others.size(); first += width) {
    const std::size_t count = std::min(width, others.size() - first);
    const auto other = [&](std::size_t k) __attribute__((always_inline))->const Ball& {
      return state[others[first + (k < count ? k : 0)]];
    };
    const PackVec<width> way =
        space.shortest(vector_of<width>(columns_of_row<width>(position_row, other)) - x);
    const P gap = norm(way) - (P(ball.radius) + columns_of_row<width>(spin_row, other)[3]);
    std::uint32_t near = (P(limit) > gap).bits() & PackMaskOf<width>::first(count).bits();
    for (; near > 0; near &= near - 1) {
      const auto k = static_cast<std::size_t>(std::countr_zero(near));
      visit(others[first + k], gap[k]);
    }
  }
}

// In the order of the list. What remembers anything stays, even where it has just gone beyond the margin.
void Contacts::find(std::size_t chunk, const ChunkContacts& before, const PairList& list, const State& state,
                    const Space& space, std::span<const double> margins, std::vector<Found>& found) const {
  const std::size_t begin = begin_of(chunk), end = end_of(chunk);
  const double own_margin = margins[chunk], widest = std::ranges::max(margins);
  struct Known {
    std::uint32_t j, place;
  };
  thread_local std::vector<std::uint32_t> start;  // known ones of each first sphere
  thread_local std::vector<Known> known;
  start.assign(end - begin + 2, 0);
  each_known(before, [&](const Pair& pair, std::uint32_t) { ++start[pair.i - begin + 2]; });
  std::partial_sum(start.begin(), start.end(), start.begin());
  known.resize(start.back());
  each_known(before, [&](const Pair& pair, std::uint32_t place) {
    known[start[pair.i - begin + 1]++] = {pair.j, place};
  });
  found.clear();
  on_widest([&]<std::size_t width>() {
    for (std::size_t i = begin; i < end; ++i) {
      if (i + 4 < end)
        for (const std::uint32_t j : list.after(i + 4)) __builtin_prefetch(&state[j]);
      const auto others = list.after(i);
      const auto own = std::span(known).subspan(start[i - begin], start[i - begin + 1] - start[i - begin]);
      const std::size_t first = found.size();
      std::size_t seen = 0;
      const auto take = [&](std::uint32_t j, double gap) __attribute__((always_inline)) {
        const double margin = own_margin + (j < end ? own_margin : margins[chunk_of(j)]);
        std::uint32_t place = none;
        for (const Known& contact : own)
          if (contact.j == j) place = contact.place;
        if (place != none)
          ++seen;
        else if (!(gap < margin))
          return;
        found.push_back({static_cast<std::uint32_t>(i), j, place,
                         place == none ? level_of(gap, margin) : std::uint8_t{0}});
      };
      const bool among_themselves = others.empty() || others.back() < end;
      each_near<width>(state[i], others, state, space, own_margin + (among_themselves ? own_margin : widest),
                       take);
      if (seen == own.size()) continue;
      found.resize(first);
      each_near<width>(state[i], others, state, space, std::numeric_limits<double>::infinity(), take);
    }
  });
}

void Contacts::put(std::size_t chunk, const ChunkContacts& before, std::span<const Found> found,
                   const State& state, std::span<const std::uint32_t> material,
                   std::span<const double> margins) {
  thread_local std::vector<std::uint32_t> order;
  const auto law_of = [&](std::uint32_t n) {
    return static_cast<std::uint32_t>(material[found[n].i] * materials_) + material[found[n].j];
  };
  std::array<std::uint32_t, gap_levels + 1> start{};
  for (const Found& contact : found) ++start[contact.level + 1u];
  std::partial_sum(start.begin(), start.end(), start.begin());
  order.resize(found.size());
  for (std::uint32_t n = 0; n < order.size(); ++n) order[start[found[n].level]++] = n;
  if (materials_ > 1) std::ranges::stable_sort(order, {}, law_of);
  auto& [groups, sections, rests_until, reach, turning, spheres, equal, copies] = of(chunk);
  const std::size_t most = found.size() / group_width + materials_ * materials_;  // groups
  make_room(groups, most);
  make_room(rests_until, most);
  make_room(turning, remembers_turning_ ? group_width * most : 0);
  sections.clear();
  copies.clear();
  equal = true;
  const std::size_t begin = begin_of(chunk);
  for (const std::uint32_t n : order) {
    const Found& contact = found[n];
    const std::uint32_t law = law_of(n);
    const bool begins = sections.empty() || sections.back().law != law;
    if (begins) sections.push_back({.law = law, .first = static_cast<std::uint32_t>(groups.size())});
    if (begins || groups.back().used == group_width) {
      ++(contact.level > 0 ? sections.back().resting : sections.back().touching);
      rests_until.push_back(static_cast<double>(contact.level) / gap_levels);
      groups.push_back({});
      ContactGroup& group = groups.back();
      group.law = law;
      group.from.fill(static_cast<std::uint16_t>(contact.i - begin));
      group.to.fill(contact.j);
      group.level.fill(contact.level);
      if (remembers_turning_) turning.resize(group_width * groups.size());
    }
    ContactGroup& group = groups.back();
    const std::uint32_t k = group.used++;
    group.from[k] = static_cast<std::uint16_t>(contact.i - begin);
    group.to[k] = contact.j;  // numbered below
    group.level[k] = contact.level;
    const Ball& first = state[begin + group.from[0]];
    for (const Ball& ball : {std::cref(state[contact.i]), std::cref(state[contact.j])})
      if (ball.radius != first.radius || ball.mass != first.mass) equal = false;
    if (contact.known == none) continue;
    group.set(k, before.memory(contact.known));
    if (remembers_turning_) turning[group_width * (groups.size() - 1) + k] = before.turning[contact.known];
  }
  number_guests(chunk);
  double widest = margins[chunk];
  for (const std::uint32_t guest : guests(chunk)) widest = std::max(widest, margins[chunk_of(guest)]);
  reach = margins[chunk] + widest;
}

// Groups have the numbers of second spheres, and get those of their loads.
void Contacts::number_guests(std::size_t chunk) {
  constexpr std::uint32_t nobody = 0xffffffff;
  // Of spheres from the end of the chunk on, as loads; nobody is one between two calls.
  thread_local std::vector<std::uint32_t> number;
  thread_local std::vector<std::uint32_t> guests;
  const std::size_t begin = begin_of(chunk), end = end_of(chunk);
  ChunkContacts& contacts = of(chunk);
  guests.clear();
  for (const ContactGroup& group : contacts.groups)
    for (std::size_t k = 0; k < group.used; ++k) {
      const std::uint32_t j = group.to[k];
      if (j < end) continue;
      if (number.size() <= j - end) number.resize(j - end + 1, nobody);
      if (std::exchange(number[j - end], 0) == nobody) guests.push_back(j);
    }
  std::ranges::sort(guests);
  make_room(contacts.spheres, end - begin + guests.size());
  put_spheres(chunk, contacts);
  for (const std::uint32_t j : guests) {
    number[j - end] = static_cast<std::uint32_t>(contacts.spheres.size());
    contacts.spheres.push_back(j);
  }
  for (ContactGroup& group : contacts.groups)
    for (std::uint32_t& to : group.to)
      to = to < end ? static_cast<std::uint32_t>(to - begin) : number[to - end];
  for (const std::uint32_t j : guests) number[j - end] = nobody;
}

// Guests stand in the order of the spheres, so those of one chunk follow each other.
void Contacts::link() {
  for (Chunk& chunk : chunks_) chunk.visitors.clear();
  passed_ = 0;
  for (std::uint32_t c = 0; c < chunks(); ++c) {
    const std::span<const std::uint32_t> guests = this->guests(c);
    chunks_[c].passed_from = passed_;
    passed_ += guests.size();
    for (std::uint32_t first = 0, last = 0; first < guests.size(); first = last) {
      const std::size_t to = chunk_of(guests[first]);
      while (last < guests.size() && guests[last] < end_of(to)) ++last;
      chunks_[to].visitors.push_back({c, first, last - first});
    }
  }
}

void Contacts::lay_copies(std::size_t threads) {
  threads = std::min(threads, chunks());
  copies_ = 0;
  for (Chunk& chunk : chunks_) chunk.contacts.copies.clear();
  for (std::size_t c = 0; c < chunks(); ++c) {
    auto& [contacts, visitors, passed_from, copied, copies_from] = chunks_[c];
    const auto of_other_threads = [&](const Visitors& some) {
      return part_of(some.from, chunks(), threads) != part_of(c, chunks(), threads);
    };
    const auto spheres_of = [&](const Visitors& some) {
      return guests(some.from).subspan(some.first, some.count);
    };
    copied.clear();
    for (const Visitors& some : visitors | std::views::filter(of_other_threads))
      copied.insert(copied.end(), spheres_of(some).begin(), spheres_of(some).end());
    std::ranges::sort(copied);
    const auto again = std::ranges::unique(copied);
    copied.erase(again.begin(), again.end());
    copies_from = spheres_ + copies_;
    copies_ += copied.size();
    for (const Visitors& some : visitors | std::views::filter(of_other_threads)) {
      ChunkContacts& reader = of(some.from);
      if (reader.copies.empty()) reader.copies = reader.spheres;
      auto place = reader.copies.begin() + static_cast<std::ptrdiff_t>(spheres(some.from) + some.first);
      for (const std::uint32_t sphere : spheres_of(some)) {
        const auto n = std::ranges::lower_bound(copied, sphere) - copied.begin();
        *place++ = static_cast<std::uint32_t>(copies_from) + static_cast<std::uint32_t>(n);
      }
    }
  }
}

void Contacts::renumber(std::span<const std::uint32_t> place) {
  std::vector<ChunkContacts> anew(chunks());
  for (Chunk& chunk : chunks_) {
    const ChunkContacts before = std::move(chunk.contacts);
    each_known(before, [&](const Pair& pair, std::uint32_t n) {
      append(anew, place[pair.i], place[pair.j], before.memory(n),
             remembers_turning_ ? before.turning[n] : TurnMemory{});
    });
  }
  for (std::size_t c = 0; c < chunks(); ++c) of(c) = std::move(anew[c]);
}

// ---- saved

// In the present order, which restore() finds again.
void Contacts::save(std::span<const std::uint32_t> id, Archive& archive) const {
  struct Place {
    std::uint32_t chunk, in_chunk;
  };
  std::vector<Place> places;
  for (std::uint32_t c = 0; c < chunks(); ++c)
    for (std::uint32_t g = 0; g < of(c).groups.size(); ++g)
      for (std::uint32_t k = 0; k < of(c).groups[g].used; ++k)
        places.push_back({c, static_cast<std::uint32_t>(group_width * g + k)});
  const auto at = [&](std::size_t n) {
    const ChunkContacts& contacts = of(places[n].chunk);
    const std::uint32_t place = places[n].in_chunk;
    const auto [first, second] = contacts.pair(place);
    const std::uint32_t i = id[first], j = id[second];
    KeyedMemory saved{std::min(i, j), std::max(i, j), oriented(contacts.memory(place), i < j)};
    const std::uint8_t level = contacts.groups[place / group_width].level[place % group_width];
    saved.gap = static_cast<double>(level) / gap_levels;
    if (remembers_turning_) saved.turning = oriented(contacts.turning[place], i < j);
    return saved;
  };
  save_memories("grains/contacts", places.size(), at, archive);
}

void Contacts::restore(const Archive& archive, const State& state, std::span<const std::uint32_t> material,
                       std::span<const double> margins) {
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
  std::vector<ChunkContacts> before(chunks());
  std::vector<std::vector<Found>> found(chunks());
  for (const KeyedMemory& m : memories) {
    const auto i = static_cast<std::uint32_t>(m.first), j = static_cast<std::uint32_t>(m.second);
    const std::size_t c = chunk_of(i);
    const auto known = static_cast<std::uint32_t>(found[c].size());
    found[c].push_back({i, j, known, level_of(m.gap, 1)});
    append(before, i, j, m.memory, m.turning);
  }
  for (std::size_t c = 0; c < chunks(); ++c) put(c, before[c], found[c], state, material, margins);
  link();
}

}  // namespace hardpan::grains
