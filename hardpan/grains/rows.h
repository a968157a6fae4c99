// Records of rows of four numbers (state.h), by packs: what vector units do with spheres and their contacts.
#pragma once

#include <cstddef>
#include <type_traits>

#include "hardpan/grains/pair_forces.h"
#include "hardpan/material/grain_law.h"
#include "hardpan/math/pack.h"
#include "hardpan/math/vector3.h"

namespace hardpan::grains {

template <std::size_t width>
using PackVec = Vector3<PackOf<width>>;

template <class Record>
[[gnu::always_inline]] inline auto row(Record& record, std::size_t number) {
  using Byte = std::conditional_t<std::is_const_v<Record>, const std::byte, std::byte>;
  static_assert(std::is_trivially_copyable_v<Record>);
  return reinterpret_cast<Byte*>(&record) + number * pack_width * sizeof(double);
}

// One row of each of the records at(0), at(1), ...
template <std::size_t width, class At>
[[gnu::always_inline]] inline PackColumns<width> columns_of_row(std::size_t number, const At& at) {
  PackRows<width> rows;
  for (std::size_t k = 0; k < width; ++k) rows[k] = load_pack(row(at(k), number));
  return columns_of(rows);
}

template <std::size_t width>
[[gnu::always_inline]] inline PackVec<width> vector_of(const PackColumns<width>& columns) {
  return {columns[0], columns[1], columns[2]};
}

template <std::size_t width>
[[gnu::always_inline]] inline PackRows<width> rows_of(const PackVec<width>& v, const PackOf<width>& last) {
  return rows_of(PackColumns<width>{v.x, v.y, v.z, last});
}

// 0, 1, 2, ...
template <std::size_t width>
[[gnu::always_inline]] inline PackOf<width> lane_numbers() {
  static constexpr double numbers[] = {0, 1, 2, 3, 4, 5, 6, 7};
  return load_pack<width>(numbers);
}

// Energies of a step by columns, so that their sums have one order.
template <std::size_t width>
struct EnergyColumns {
  using P = PackOf<width>;
  P viscous{0.0}, friction{0.0}, stiffening{0.0}, stored{0.0}, contacts{0.0};

  // `lost`: what those held that do not touch any more.
  [[gnu::always_inline]] void add(const PackMaskOf<width>& touches, const material::GrainForce<P>& force,
                                  const P& lost = P(0.0)) {
    const auto only = [&](const P& x) { return select(touches, x, P(0.0)); };
    viscous = viscous + only(force.viscous);
    friction = friction + select(touches, force.friction, lost);
    stiffening = stiffening + only(force.stiffening);
    stored = stored + only(force.stored);
    contacts = contacts + only(P(1));
  }
};

// Of all eight columns, whether they stand in one pack or in two.
template <std::size_t width>
[[gnu::always_inline]] inline Sums total(std::span<const EnergyColumns<width>> parts) {
  Sums all;
  for (const EnergyColumns<width>& c : parts)
    all.add({sum(c.viscous), sum(c.friction), sum(c.stiffening), sum(c.stored),
             static_cast<std::size_t>(sum(c.contacts))});
  return all;
}

}  // namespace hardpan::grains
