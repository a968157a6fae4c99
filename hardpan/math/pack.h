// Numbers that a vector unit works on at once, four or eight, for laws and loops over many points
// (vector3.h). Every operation is that of the numbers one by one, so results are the same bits on every
// machine: a function compiled for AVX2 does four in one instruction, one for AVX-512 eight, others two by
// two.
//
// Functions that take packs must be inlined where they are called for another machine than the one the
// program is built for, since packs are then passed in other registers: [[gnu::flatten]] there, always_inline
// here.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>  // declares what packs of eight use
#endif

namespace hardpan {

template <std::size_t width>
struct PackMaskOf;

template <>
struct PackMaskOf<4> {
  using Numbers [[gnu::vector_size(32)]] = double;
  using Lanes [[gnu::vector_size(32)]] = std::int64_t;
  Lanes on;  // all bits, or none

  [[gnu::always_inline]] bool operator[](std::size_t k) const { return on[k] != 0; }
  [[gnu::always_inline]] static PackMaskOf above(const Numbers& a, const Numbers& b) { return {a > b}; }
  // Of the first `count` numbers; at most all.
  [[gnu::always_inline]] static PackMaskOf first(std::size_t count) {
    const auto all = static_cast<std::int64_t>(count);
    return {Lanes{all, all, all, all} > Lanes{0, 1, 2, 3}};
  }
  [[gnu::always_inline]] std::size_t count() const {
    return static_cast<std::size_t>(-((on[0] + on[1]) + (on[2] + on[3])));
  }
  // One for each, the first the lowest.
  [[gnu::always_inline]] std::uint32_t bits() const {
    return static_cast<std::uint32_t>(((on[0] & 1) | (on[1] & 2)) | ((on[2] & 4) | (on[3] & 8)));
  }
  [[gnu::always_inline]] Numbers select(const Numbers& yes, const Numbers& no) const { return on ? yes : no; }
  [[gnu::always_inline]] friend bool any(const PackMaskOf& mask) {
    return ((mask.on[0] | mask.on[1]) | (mask.on[2] | mask.on[3])) != 0;
  }
};

// A bit for each, as AVX-512 has it, and in its own words: compilers take general ones apart.
template <>
struct PackMaskOf<8> {
  using Numbers [[gnu::vector_size(64)]] = double;
  using Lanes [[gnu::vector_size(64)]] = std::int64_t;
  std::uint8_t on;

  [[gnu::always_inline]] bool operator[](std::size_t k) const { return (on >> k & 1) != 0; }
  [[gnu::always_inline]] static PackMaskOf first(std::size_t count) {
    return {static_cast<std::uint8_t>((1u << count) - 1)};
  }
  [[gnu::always_inline]] std::size_t count() const {
    return static_cast<std::size_t>(__builtin_popcount(on));
  }
  [[gnu::always_inline]] std::uint32_t bits() const { return on; }
#if defined(__x86_64__)
  static constexpr char all = -1;
  static constexpr int any_rounding = 4;

  [[gnu::always_inline]] static PackMaskOf above(const Numbers& a, const Numbers& b) {
    constexpr int greater = 0x1e;
    return {static_cast<std::uint8_t>(__builtin_ia32_cmppd512_mask(a, b, greater, all, any_rounding))};
  }
  [[gnu::always_inline]] Numbers select(const Numbers& yes, const Numbers& no) const {
    return __builtin_ia32_blendmpd_512_mask(no, yes, on);
  }
#endif
  [[gnu::always_inline]] friend bool any(const PackMaskOf& mask) { return mask.on != 0; }
};

template <std::size_t width>
struct PackOf {
  using Mask = PackMaskOf<width>;
  using Lanes = typename Mask::Numbers;
  Lanes lanes;

  PackOf() = default;
  // Written out, so that whatever holds packs is copied pack by pack, in registers, and not as a block.
  [[gnu::always_inline]] PackOf(const PackOf& other) : lanes(other.lanes) {}
  [[gnu::always_inline]] PackOf& operator=(const PackOf& other) {
    lanes = other.lanes;
    return *this;
  }
  [[gnu::always_inline]] PackOf(Lanes given) : lanes(given) {}
  [[gnu::always_inline]] explicit PackOf(double all) : lanes(everywhere(all)) {}

  [[gnu::always_inline]] double operator[](std::size_t k) const { return lanes[k]; }
  [[gnu::always_inline]] void set(std::size_t k, double x) { lanes[k] = x; }
  [[gnu::always_inline]] PackOf pack() const { return lanes; }

  [[gnu::always_inline]] friend PackOf operator+(const PackOf& a, const PackOf& b) {
    return a.lanes + b.lanes;
  }
  [[gnu::always_inline]] friend PackOf operator-(const PackOf& a, const PackOf& b) {
    return a.lanes - b.lanes;
  }
  [[gnu::always_inline]] friend PackOf operator*(const PackOf& a, const PackOf& b) {
    return a.lanes * b.lanes;
  }
  [[gnu::always_inline]] friend PackOf operator/(const PackOf& a, const PackOf& b) {
    return a.lanes / b.lanes;
  }
  [[gnu::always_inline]] friend PackOf operator*(double a, const PackOf& b) { return a * b.lanes; }
  [[gnu::always_inline]] friend PackOf operator-(const PackOf& a) { return -a.lanes; }
  [[gnu::always_inline]] friend Mask operator>(const PackOf& a, const PackOf& b) {
    return Mask::above(a.lanes, b.lanes);
  }
  [[gnu::always_inline]] friend Mask operator<(const PackOf& a, const PackOf& b) {
    return Mask::above(b.lanes, a.lanes);
  }
  [[gnu::always_inline]] friend PackOf sqrt(const PackOf& a) {
#if defined(__x86_64__)
    if constexpr (width == 8)
      return Lanes(__builtin_ia32_sqrtpd512_mask(a.lanes, Lanes{}, Mask::all, Mask::any_rounding));
    else
#endif
      return Lanes{__builtin_sqrt(a[0]), __builtin_sqrt(a[1]), __builtin_sqrt(a[2]), __builtin_sqrt(a[3])};
  }
  [[gnu::always_inline]] friend PackOf select(const Mask& condition, const PackOf& yes, const PackOf& no) {
    return condition.select(yes.lanes, no.lanes);
  }

  // a > b ? a : b, in one instruction.
  [[gnu::always_inline]] friend PackOf larger(const PackOf& a, const PackOf& b) {
#if defined(__x86_64__)
    if constexpr (width == 8)
      return Lanes(__builtin_ia32_maxpd512_mask(a.lanes, b.lanes, Lanes{}, Mask::all, Mask::any_rounding));
    else
#endif
      return a.lanes > b.lanes ? a.lanes : b.lanes;
  }

  // In a fixed order.
  [[gnu::always_inline]] friend double sum(const PackOf& a) {
    const double first = (a[0] + a[1]) + (a[2] + a[3]);
    if constexpr (width == 4)
      return first;
    else
      return first + ((a[4] + a[5]) + (a[6] + a[7]));
  }

 private:
  [[gnu::always_inline]] static Lanes everywhere(double x) {
#if defined(__x86_64__)
    using Two [[gnu::vector_size(16)]] = double;
    if constexpr (width == 8)  // else compilers put it in lane by lane
      return __builtin_ia32_broadcastsd512(Two{x, x}, Lanes{}, Mask::all);
    else
#endif
      return x - Lanes{};
  }
};

inline constexpr std::size_t pack_width = 4;
using Pack = PackOf<pack_width>;
using PackMask = PackMaskOf<pack_width>;

// Four numbers kept in single precision.
struct RoundedPack {
  using Lanes [[gnu::vector_size(4 * pack_width)]] = float;
  Lanes lanes;

  [[gnu::always_inline]] void set(std::size_t k, double x) { lanes[k] = static_cast<float>(x); }
  [[gnu::always_inline]] Pack pack() const {
    return Pack::Lanes{double{lanes[0]}, double{lanes[1]}, double{lanes[2]}, double{lanes[3]}};
  }
};

// Rows of four numbers, one of each place, and the same by columns: number k of column c is number c of row
// k.
template <std::size_t width>
using PackRows = std::array<Pack, width>;
template <std::size_t width>
using PackColumns = std::array<PackOf<width>, 4>;
using PackGroup = PackRows<4>;

[[gnu::always_inline]] inline PackGroup transposed(const PackGroup& rows) {
  using Choice = PackMask::Lanes;
  const Pack::Lanes &a = rows[0].lanes, &b = rows[1].lanes, &c = rows[2].lanes, &d = rows[3].lanes;
  const Pack::Lanes even_ab = __builtin_shuffle(a, b, Choice{0, 4, 2, 6}),
                    odd_ab = __builtin_shuffle(a, b, Choice{1, 5, 3, 7});
  const Pack::Lanes even_cd = __builtin_shuffle(c, d, Choice{0, 4, 2, 6}),
                    odd_cd = __builtin_shuffle(c, d, Choice{1, 5, 3, 7});
  return {Pack(__builtin_shuffle(even_ab, even_cd, Choice{0, 1, 4, 5})),
          Pack(__builtin_shuffle(odd_ab, odd_cd, Choice{0, 1, 4, 5})),
          Pack(__builtin_shuffle(even_ab, even_cd, Choice{2, 3, 6, 7})),
          Pack(__builtin_shuffle(odd_ab, odd_cd, Choice{2, 3, 6, 7}))};
}

[[gnu::always_inline]] inline PackColumns<4> columns_of(const PackRows<4>& rows) { return transposed(rows); }
[[gnu::always_inline]] inline PackRows<4> rows_of(const PackColumns<4>& columns) {
  return transposed(columns);
}

// Rows 0 and 2, 1 and 3, 4 and 6, 5 and 7 side by side: then halves of 128 bits move as wholes.
[[gnu::always_inline]] inline PackColumns<8> columns_of(const PackRows<8>& rows) {
  using Eight = PackOf<8>::Lanes;
  using Choice = PackMaskOf<8>::Lanes;
  const auto beside = [&](std::size_t k, std::size_t n) __attribute__((always_inline)) {
    return __builtin_shufflevector(rows[k].lanes, rows[n].lanes, 0, 1, 2, 3, 4, 5, 6, 7);
  };
  const Eight a = beside(0, 2), b = beside(1, 3), c = beside(4, 6), d = beside(5, 7);
  constexpr Choice even{0, 8, 2, 10, 4, 12, 6, 14}, odd{1, 9, 3, 11, 5, 13, 7, 15};
  constexpr Choice low{0, 1, 4, 5, 8, 9, 12, 13}, high{2, 3, 6, 7, 10, 11, 14, 15};
  const Eight even_ab = __builtin_shuffle(a, b, even), odd_ab = __builtin_shuffle(a, b, odd),
              even_cd = __builtin_shuffle(c, d, even), odd_cd = __builtin_shuffle(c, d, odd);
  return {PackOf<8>(__builtin_shuffle(even_ab, even_cd, low)),
          PackOf<8>(__builtin_shuffle(odd_ab, odd_cd, low)),
          PackOf<8>(__builtin_shuffle(even_ab, even_cd, high)),
          PackOf<8>(__builtin_shuffle(odd_ab, odd_cd, high))};
}
[[gnu::always_inline]] inline PackRows<8> rows_of(const PackColumns<8>& columns) {
  using Eight = PackOf<8>::Lanes;
  using Choice = PackMaskOf<8>::Lanes;
  const Eight &x = columns[0].lanes, &y = columns[1].lanes, &z = columns[2].lanes, &w = columns[3].lanes;
  constexpr Choice even{0, 8, 2, 10, 4, 12, 6, 14}, odd{1, 9, 3, 11, 5, 13, 7, 15};
  constexpr Choice first{0, 1, 8, 9, 2, 3, 10, 11}, last{4, 5, 12, 13, 6, 7, 14, 15};
  const Eight even_xy = __builtin_shuffle(x, y, even), odd_xy = __builtin_shuffle(x, y, odd),
              even_zw = __builtin_shuffle(z, w, even), odd_zw = __builtin_shuffle(z, w, odd);
  const Eight both[4] = {__builtin_shuffle(even_xy, even_zw, first), __builtin_shuffle(odd_xy, odd_zw, first),
                         __builtin_shuffle(even_xy, even_zw, last), __builtin_shuffle(odd_xy, odd_zw, last)};
  const auto left = [&](std::size_t k) __attribute__((always_inline)) {
    return Pack(__builtin_shufflevector(both[k], both[k], 0, 1, 2, 3));
  };
  const auto right = [&](std::size_t k) __attribute__((always_inline)) {
    return Pack(__builtin_shufflevector(both[k], both[k], 4, 5, 6, 7));
  };
  return {left(0), left(1), right(0), right(1), left(2), left(3), right(2), right(3)};
}

// Six columns as rows of eight: number k of each, and two that nobody asked for.
[[gnu::always_inline]] inline std::array<PackOf<8>, 8> rows_of_six(const std::array<PackOf<8>, 6>& columns) {
  using Eight = PackOf<8>::Lanes;
  using Choice = PackMaskOf<8>::Lanes;
  constexpr Choice even{0, 8, 2, 10, 4, 12, 6, 14}, odd{1, 9, 3, 11, 5, 13, 7, 15};
  constexpr Choice low{0, 1, 2, 3, 8, 9, 10, 11}, high{4, 5, 6, 7, 12, 13, 14, 15};
  // Twos of a row: those of a in places 0 and 2, or 1 and 3, and of b in place 0, 1, 2 or 3.
  constexpr Choice with_0{0, 1, 4, 5, 8, 9, 10, 11}, with_1{2, 3, 6, 7, 10, 11, 8, 9},
      with_2{0, 1, 4, 5, 12, 13, 14, 15}, with_3{2, 3, 6, 7, 14, 15, 12, 13};
  const auto twos = [&](std::size_t c, const Choice& choice) __attribute__((always_inline)) {
    return __builtin_shuffle(columns[c].lanes, columns[c + 1].lanes, choice);
  };
  // Rows 0, 2, 4, 6 and then 1, 3, 5, 7.
  const auto four = [&](const Choice& choice) __attribute__((always_inline)) {
    const Eight a = twos(0, choice), b = twos(2, choice), c = twos(4, choice);
    const Eight near = __builtin_shuffle(a, b, low), far = __builtin_shuffle(a, b, high);
    return std::array<PackOf<8>, 4>{__builtin_shuffle(near, c, with_0), __builtin_shuffle(near, c, with_1),
                                    __builtin_shuffle(far, c, with_2), __builtin_shuffle(far, c, with_3)};
  };
  const std::array<PackOf<8>, 4> evens = four(even), odds = four(odd);
  return {evens[0], odds[0], evens[1], odds[1], evens[2], odds[2], evens[3], odds[3]};
}

// The bytes of these numbers, wherever they are.
template <std::size_t width = pack_width>
[[gnu::always_inline]] inline PackOf<width> load_pack(const void* from) {
  PackOf<width> pack;
  std::memcpy(&pack.lanes, from, sizeof pack.lanes);
  return pack;
}

template <std::size_t width>
[[gnu::always_inline]] inline void store_pack(const PackOf<width>& pack, void* to) {
  std::memcpy(to, &pack.lanes, sizeof pack.lanes);
}

}  // namespace hardpan
