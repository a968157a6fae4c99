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

// Three of `v`, and the fourth of `row`.
[[gnu::always_inline]] inline Pack with_fourth_of(const Pack& row, const Pack& v) {
  return __builtin_shuffle(row.lanes, v.lanes, PackMask::Lanes{4, 5, 6, 3});
}

// Forces and torques of some contacts as their spheres take them. What is given to one is taken from the
// other, but torques are taken from both.
template <std::size_t width>
struct LoadRows {
  PackRows<width> first, last;

  [[gnu::always_inline]] void take(std::size_t k, Load& load) const {
    store_pack(load_pack(row(load, 0)) - first[k], row(load, 0));
    store_pack(load_pack(row(load, 1)) - last[k], row(load, 1));
  }
  [[gnu::always_inline]] void give(std::size_t k, Load& load) const {
    static constexpr double signs[] = {1, 1, 1, -1};
    store_pack(load_pack(row(load, 0)) + load_pack(signs) * first[k], row(load, 0));
    store_pack(load_pack(row(load, 1)) - last[k], row(load, 1));
  }
};
template <>
struct LoadRows<8> {
  std::array<PackOf<8>, 8> all;

  [[gnu::always_inline]] void take(std::size_t k, Load& load) const {
    store_pack(load_pack<8>(&load) - all[k], &load);
  }
  [[gnu::always_inline]] void give(std::size_t k, Load& load) const {
    store_pack(load_pack<8>(&load) + select(PackMaskOf<8>{0xf8}, -all[k], all[k]), &load);
  }
};
template <std::size_t width>
[[gnu::always_inline]] inline LoadRows<width> load_rows(const PackVec<width>& force,
                                                        const PackVec<width>& torque) {
  if constexpr (width == 8)
    return {rows_of_six({force.x, force.y, force.z, torque.x, torque.y, torque.z})};
  else
    return {rows_of<width>(force, torque.x),
            rows_of(PackColumns<width>{torque.y, torque.z, PackOf<width>(0.0), PackOf<width>(0.0)})};
}

// What contacts of a step do with energy (GrainForce) by columns, so that sums have one order.
template <std::size_t width>
struct EnergyColumns {
  using P = PackOf<width>;
  P viscous_power{0.0}, friction{0.0}, twice_stiffening{0.0}, twice_stored{0.0};
  std::size_t contacts = 0;

  // `lost`: what those held that do not touch any more.
  [[gnu::always_inline]] void add(const PackMaskOf<width>& touches, const material::GrainForce<P>& force,
                                  const P& lost = P(0.0)) {
    const auto only = [&](const P& x) { return select(touches, x, P(0.0)); };
    viscous_power = viscous_power + only(force.viscous_power);
    friction = friction + select(touches, force.friction, lost);
    twice_stiffening = twice_stiffening + only(force.twice_stiffening);
    twice_stored = twice_stored + only(force.twice_stored);
    contacts += touches.count();
  }
};

// Of all eight columns, whether they stand in one pack or in two.
template <std::size_t width>
[[gnu::always_inline]] inline Sums total(std::span<const EnergyColumns<width>> parts, double h) {
  Sums all;
  for (const EnergyColumns<width>& c : parts)
    all.add(
        {sum(c.viscous_power), sum(c.friction), sum(c.twice_stiffening), sum(c.twice_stored), c.contacts});
  return {h * all.viscous, all.friction, 0.5 * all.stiffening, 0.5 * all.stored, all.contacts};
}

}  // namespace hardpan::grains
