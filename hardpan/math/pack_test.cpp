#include "hardpan/math/pack.h"

#include <bit>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "hardpan/math/vector3.h"

namespace hardpan {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

Pack pack_of(const std::array<double, 4>& numbers) { return load_pack(numbers.data()); }

void expect_same_bits(double a, double b) {
  if (std::isnan(a) && std::isnan(b)) return;
  EXPECT_EQ(std::bit_cast<std::uint64_t>(a), std::bit_cast<std::uint64_t>(b));
}

RC_GTEST_PROP(Pack, EveryNumberIsAsIfItWereAlone, (std::array<double, 4> a, std::array<double, 4> b)) {
  const Pack p = pack_of(a), q = pack_of(b);
  for (std::size_t k = 0; k < 4; ++k) {
    expect_same_bits((p + q)[k], a[k] + b[k]);
    expect_same_bits((p - q)[k], a[k] - b[k]);
    expect_same_bits((p * q)[k], a[k] * b[k]);
    expect_same_bits((p / q)[k], a[k] / b[k]);
    expect_same_bits((1.5 * p)[k], 1.5 * a[k]);
    expect_same_bits((-p)[k], -a[k]);
    expect_same_bits(sqrt(p * p)[k], std::sqrt(a[k] * a[k]));
    expect_same_bits(select(p > q, p, q)[k], a[k] > b[k] ? a[k] : b[k]);
    expect_same_bits(select(p < q, p, q)[k], a[k] < b[k] ? a[k] : b[k]);
  }
}

TEST(Pack, OddNumbersDoNotSpread) {
  const Pack p = pack_of({-1, infinite, 0, 4}), root = sqrt(p), over = Pack(1) / p;
  EXPECT_TRUE(std::isnan(root[0]));
  EXPECT_EQ(root[1], infinite);
  EXPECT_EQ(root[3], 2);
  EXPECT_EQ(over[2], infinite);
  EXPECT_EQ(over[3], 0.25);
  EXPECT_EQ(select(pack_of({std::nan(""), 1, 2, 3}) > Pack(0), Pack(1), Pack(2))[0], 2);
}

TEST(Pack, GroupsTurnOverAndBack) {
  std::array<std::array<double, 4>, 4> places;
  for (std::size_t k = 0; k < 4; ++k)
    for (std::size_t c = 0; c < 4; ++c) places[k][c] = static_cast<double>(10 * k + c);
  const PackGroup rows = {pack_of(places[0]), pack_of(places[1]), pack_of(places[2]), pack_of(places[3])};
  const PackGroup columns = transposed(rows), back = transposed(columns);
  for (std::size_t k = 0; k < 4; ++k)
    for (std::size_t c = 0; c < 4; ++c) {
      EXPECT_EQ(columns[c][k], places[k][c]);
      EXPECT_EQ(back[k][c], places[k][c]);
    }
  std::array<double, 4> stored{};
  store_pack(columns[1], stored.data());
  EXPECT_EQ(stored, (std::array<double, 4>{1, 11, 21, 31}));
  EXPECT_EQ(sum(columns[1]), 64);
}

TEST(Pack, VectorsOfPacksAreVectorsOfNumbers) {
  const Vector3<Pack> a{pack_of({1, 2, 3, 4}), pack_of({5, 6, 7, 8}), pack_of({9, 1, 2, 3})};
  const Vector3<Pack> b{pack_of({2, 1, 0, 3}), pack_of({4, 3, 2, 1}), pack_of({1, 5, 1, 5})};
  const Vector3<Pack> across = cross(a, b);
  for (std::size_t k = 0; k < 4; ++k) {
    const Vector3<double> x{a.x[k], a.y[k], a.z[k]}, y{b.x[k], b.y[k], b.z[k]}, z = cross(x, y);
    EXPECT_EQ(across.x[k], z.x);
    EXPECT_EQ(across.y[k], z.y);
    EXPECT_EQ(across.z[k], z.z);
    EXPECT_EQ(norm(a)[k], norm(x));
  }
}

}  // namespace
}  // namespace hardpan
