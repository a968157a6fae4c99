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

// Forces and torques of some contacts as their spheres take them.
template <std::size_t width>
struct LoadRows {
  PackRows<width> forces, torques;

  [[gnu::always_inline]] void take(std::size_t k, Load& load) const {
    store_pack(load_pack(row(load, 0)) - forces[k], row(load, 0));
    store_pack(load_pack(row(load, 1)) - torques[k], row(load, 1));
  }
  [[gnu::always_inline]] void give(std::size_t k, Load& load) const {
    store_pack(load_pack(row(load, 0)) + forces[k], row(load, 0));
    store_pack(load_pack(row(load, 1)) - torques[k], row(load, 1));
  }
};
// Both at once.
template <>
struct LoadRows<8> {
  std::array<PackOf<8>, 8> both;

  [[gnu::always_inline]] void take(std::size_t k, Load& load) const {
    store_pack(load_pack<8>(&load) - both[k], &load);
  }
  [[gnu::always_inline]] void give(std::size_t k, Load& load) const {
    static constexpr double signs[] = {1, 1, 1, 1, -1, -1, -1, -1};
    store_pack(load_pack<8>(&load) + load_pack<8>(signs) * both[k], &load);
  }
};
template <std::size_t width>
[[gnu::always_inline]] inline LoadRows<width> load_rows(const PackVec<width>& force,
                                                        const PackVec<width>& torque) {
  if constexpr (width == 8)
    return {rows_of_six({force.x, force.y, force.z, torque.x, torque.y, torque.z})};
  else
    return {rows_of<width>(force, PackOf<width>(0.0)), rows_of<width>(torque, PackOf<width>(0.0))};
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
