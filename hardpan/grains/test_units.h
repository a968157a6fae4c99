// For tests that compare what vector units do with what is done one by one.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <utility>

#include <gtest/gtest.h>

#include "hardpan/grains/pair_forces.h"
#include "hardpan/math/widest.h"

namespace hardpan::grains::test {

// Calls act() on every vector unit that there is.
template <class Act>
void on_every_unit(const Act& act) {
  const Unit widest = widest_unit();
  for (const Unit unit : {Unit::plain, Unit::avx2, Unit::avx512}) {
    limit_unit(unit);
    act();
  }
  limit_unit(widest);
}

// Zeros may differ in their sign.
inline bool same_bits(double x, double y) {
  return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y) || (x == 0 && y == 0);
}
inline bool same_bits(const Vec& a, const Vec& b) {
  return same_bits(a.x, b.x) && same_bits(a.y, b.y) && same_bits(a.z, b.z);
}
inline bool same_bits(const Sums& a, const Sums& b) {
  return same_bits(a.viscous, b.viscous) && same_bits(a.friction, b.friction) &&
         same_bits(a.stiffening, b.stiffening) && same_bits(a.stored, b.stored) && a.contacts == b.contacts;
}

// But for the order of the sums.
inline void expect_the_same(const Sums& one, const Sums& other) {
  EXPECT_EQ(one.contacts, other.contacts);
  for (const auto& [a, b] : {std::pair{one.viscous, other.viscous},
                             {one.friction, other.friction},
                             {one.stiffening, other.stiffening},
                             {one.stored, other.stored}})
    EXPECT_NEAR(a, b, 1e-12 * (1 + std::abs(b)));
}

}  // namespace hardpan::grains::test
