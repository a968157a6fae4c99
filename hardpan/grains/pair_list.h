// Pairs of grains that touch or soon may: a Verlet list with a skin, and what touching pairs remember.
//
//     |x_j - x_i| < r_i + r_j + skin,     i < j in the present order of the grains
//
// holds for every pair that touches for as long as no grain has moved further than skin/2 since the list was
// made (Verlet, Phys. Rev. 159 (1967) 98-103). Pairs stand in the order of i; a second index leads from a
// grain to the pairs in which it is j, so that sums over the pairs of a grain have a fixed order.
//
// Memory belongs to the two identities and outlives lists and orders: forces are remembered as they act on
// the grain with the larger identity. What is remembered of turning has an array of its own, which is empty
// where nothing resists it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "hardpan/grains/cell_grid.h"
#include "hardpan/grains/memory.h"

namespace hardpan::grains {

class PairList {
 public:
  explicit PairList(bool turning = false) : remembers_turning_(turning) {}

  // What was remembered of pairs that are not in the list any more is forgotten. `id` are different numbers
  // below id.size(). Grains of one clump are no pairs; 0xffffffff stands for none, nothing for none at all.
  void build(const CellGrid& grid, const Columns& at, std::span<const double> radius,
             std::span<const std::uint32_t> id, const Space& space, double skin,
             std::span<const std::uint32_t> clump = {});

  std::size_t size() const { return second_.size(); }
  // The pairs in which grain i is the first: [first_pair(i), first_pair(i + 1)).
  std::uint32_t first_pair(std::size_t i) const { return start_[i]; }
  std::uint32_t first(std::size_t pair) const { return first_[pair]; }
  std::uint32_t second(std::size_t pair) const { return second_[pair]; }
  // The pairs in which it is the second, in order.
  std::span<const std::uint32_t> pairs_as_second(std::size_t i) const {
    return std::span(as_second_).subspan(second_start_[i], second_start_[i + 1] - second_start_[i]);
  }

  // All of these, grain by grain.
  std::span<const std::uint32_t> as_second() const { return as_second_; }
  std::uint32_t first_as_second(std::size_t i) const { return second_start_[i]; }

  std::span<Memory> memory() { return memory_; }
  std::span<TurnMemory> turning() { return turning_; }
  // Did they touch when they were last looked at? By pairs, 1 or 0.
  std::span<std::uint8_t> touched() { return touched_; }

  // The memory by identities, in their order; restore() makes it ready for the next build().
  void save(std::span<const std::uint32_t> id, Archive& archive) const;
  void restore(const Archive& archive, std::size_t grains);

 private:
  struct Remembered {
    std::uint32_t small, large;  // identities
    Memory memory;
    std::uint32_t place;  // among those found, before they were sorted
  };
  struct AllRemembered {
    std::vector<Remembered> contacts;  // by identities
    std::vector<TurnMemory> turning;   // of the same, or nothing
  };

  AllRemembered touching(std::span<const std::uint32_t> id) const;
  void recall(std::span<const std::uint32_t> id);
  void index_seconds(std::size_t grains);

  std::vector<std::uint32_t> start_ = {0}, first_, second_, second_start_, as_second_;
  std::vector<std::uint8_t> touched_;
  std::vector<Memory> memory_;
  bool remembers_turning_;
  std::vector<TurnMemory> turning_;
  std::vector<std::uint32_t> listed_id_;  // of the order in which the list was made
  AllRemembered remembered_;
  std::vector<std::uint32_t> remembered_start_;    // by the smaller one
  std::vector<std::vector<std::uint32_t>> found_;  // of each chunk of grains
};

}  // namespace hardpan::grains
