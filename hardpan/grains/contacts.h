// Pairs of spheres that touch or are about to, eight side by side, and what they remember.
//
// All pairs of the list (pair_list.h) with a gap below the margins of both spheres are here, and so is every
// pair that touches, until a sphere has moved by its margin, which is that of its chunk: in slow ones it is
// narrow. Most of them do touch, so forces take them as they come, and what they remember lies where it is
// used: one stream of memory in every step.
//
// Those that do not touch when they are looked for come last, by their gaps as shares of both margins,
// rounded down: until some sphere may have gone that share of its own, nobody has to look at them. Most do
// not touch then either: they rest again, for what is left of their gaps (pair_forces.h).
//
// Spheres are cut into chunks by their number alone. A chunk has the contacts whose first sphere is in it, by
// laws and gaps, then in the order of the list. It sums what they do to its own spheres, and to those of
// later chunks that they reach, its guests; the loads of guests are passed on, to be added by the chunk that
// they belong to. So sums have one order for any number of threads, and no two threads write to one place.
//
// A line of memory that two threads read and one writes must be asked back from the other in every step, and
// it takes long. So spheres that chunks of other threads look at have copies, which their own chunk never
// reads: they can be asked for long before they are written (pair_forces.cpp).
//
// What is remembered belongs to two identities when it is saved, as it acts on the larger one.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "hardpan/grains/memory.h"
#include "hardpan/grains/pair_list.h"

namespace hardpan::grains {

inline constexpr std::size_t group_width = 8;
inline constexpr std::size_t gap_levels = 16;  // parts of the margins

struct alignas(64) ContactGroup {
  // Beyond those used: the first again.
  std::array<std::uint16_t, group_width> from;  // the first sphere, and its load, among those of the chunk
  std::array<std::uint32_t, group_width> to;    // likewise the second; guests come after own spheres
  std::array<std::uint8_t, group_width> level;  // of the gap when looked for; 0: they touch, or did
  std::uint32_t law, used;
  std::array<double, group_width> f_x, f_y, f_z, compliance, v_x, v_y, v_z;  // memory

  Memory memory(std::size_t k) const {
    return {{f_x[k], f_y[k], f_z[k]}, compliance[k], {v_x[k], v_y[k], v_z[k]}};
  }
  void set(std::size_t k, const Memory& memory);
};
static_assert(sizeof(ContactGroup) == 8 * 64);  // lines of the cache

// Groups of one law stand together, those first in which somebody touched when they were looked for.
struct Section {
  std::uint32_t law = 0, first = 0;         // group
  std::uint32_t touching = 0, resting = 0;  // groups, one after the other
};

struct Pair {
  std::uint32_t i, j;  // i < j
};

// Of a chunk. A contact has a place: that of its group, times their width, and its own within that.
struct ChunkContacts {
  std::vector<ContactGroup> groups;
  std::vector<Section> sections;
  std::vector<double> rests_until;     // each group: spheres may have gone this share of their margins
  double reach = 0;                    // both margins of a pair, the largest, m
  std::vector<TurnMemory> turning;     // as many as a group is wide for each, or nothing
  std::vector<std::uint32_t> spheres;  // that loads belong to: those of the chunk, then guests
  bool equal = true;                   // each group has spheres of one radius and mass
  std::vector<std::uint32_t> copies;   // where these spheres are read; empty: where they are

  std::span<const std::uint32_t> places() const { return copies.empty() ? spheres : copies; }
  Memory memory(std::size_t place) const { return groups[place / group_width].memory(place % group_width); }
  Pair pair(std::size_t place) const {
    const ContactGroup& group = groups[place / group_width];
    return {spheres[group.from[place % group_width]], spheres[group.to[place % group_width]]};
  }
};

class Contacts {
 public:
  Contacts() = default;
  Contacts(std::size_t spheres, std::size_t materials, bool remembers_turning);

  std::size_t chunks() const { return chunks_.size(); }
  std::size_t chunk_of(std::size_t sphere) const { return std::min(sphere / chunk_size_, chunks() - 1); }
  std::size_t begin_of(std::size_t chunk) const { return chunk * chunk_size_; }
  std::size_t end_of(std::size_t chunk) const {
    return chunk + 1 < chunks() ? begin_of(chunk + 1) : spheres_;
  }
  std::size_t spheres(std::size_t chunk) const { return end_of(chunk) - begin_of(chunk); }
  ChunkContacts& of(std::size_t chunk) { return chunks_[chunk].contacts; }
  const ChunkContacts& of(std::size_t chunk) const { return chunks_[chunk].contacts; }

  // In their order, as those of their loads.
  std::span<const std::uint32_t> guests(std::size_t chunk) const {
    return std::span(of(chunk).spheres).subspan(spheres(chunk));
  }
  std::size_t loads(std::size_t chunk) const { return of(chunk).spheres.size(); }
  // Where those of guests are among all that are passed on.
  std::size_t passed_from(std::size_t chunk) const { return chunks_[chunk].passed_from; }
  std::size_t passed() const { return passed_; }
  // Some guests of one chunk, which belong to another.
  struct Visitors {
    std::uint32_t from;          // chunk
    std::uint32_t first, count;  // of its guests
  };
  std::span<const Visitors> visitors_of(std::size_t chunk) const { return chunks_[chunk].visitors; }

  // Lays copies of spheres behind all spheres, for so many threads.
  void lay_copies(std::size_t threads);
  // Those of a chunk, in their order, from a place on.
  struct Copied {
    std::span<const std::uint32_t> spheres;
    std::size_t from;
  };
  Copied copied(std::size_t chunk) const { return {chunks_[chunk].copied, chunks_[chunk].copies_from}; }
  std::size_t copies() const { return copies_; }
  // Where guests of a chunk are read.
  std::span<const std::uint32_t> places_of_guests(std::size_t chunk) const {
    return of(chunk).places().subspan(spheres(chunk));
  }

  // What is remembered stays; all else is found anew. Margins are of each chunk, m.
  void look(const PairList& list, const State& state, const Space& space,
            std::span<const std::uint32_t> material, std::span<const double> margins);
  // Sphere i has become sphere place[i]. look() must follow.
  void renumber(std::span<const std::uint32_t> place);

  // All of them, by identities, so that the same are there after a restart.
  void save(std::span<const std::uint32_t> id, Archive& archive) const;
  void restore(const Archive& archive, const State& state, std::span<const std::uint32_t> material,
               std::span<const double> margins);

 private:
  struct Chunk {
    ChunkContacts contacts;
    std::vector<Visitors> visitors;
    std::size_t passed_from = 0;
    std::vector<std::uint32_t> copied;
    std::size_t copies_from = 0;
  };

  // As they are put into groups.
  struct Found {
    std::uint32_t i, j;
    std::uint32_t known;  // its place in the groups of before, or none
    std::uint8_t level;
  };
  template <class Visit>  // visit(pair, place), of those that remember anything
  void each_known(const ChunkContacts& contacts, const Visit& visit) const;
  void find(std::size_t chunk, const ChunkContacts& before, const PairList& list, const State& state,
            const Space& space, std::span<const double> margins, std::vector<Found>& found) const;
  void put(std::size_t chunk, const ChunkContacts& before, std::span<const Found> found, const State& state,
           std::span<const std::uint32_t> material, std::span<const double> margins);
  void put_spheres(std::size_t chunk, ChunkContacts& contacts) const;
  void append(std::vector<ChunkContacts>& of_chunks, std::uint32_t i, std::uint32_t j, const Memory& memory,
              const TurnMemory& turning) const;
  void number_guests(std::size_t chunk);
  void link();

  std::size_t spheres_ = 0, materials_ = 1, chunk_size_ = 1;
  bool remembers_turning_ = false;
  std::vector<Chunk> chunks_;
  std::size_t passed_ = 0, copies_ = 0;
};

}  // namespace hardpan::grains
