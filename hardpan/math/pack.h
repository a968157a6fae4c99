// Four numbers that a vector unit works on at once, for laws and loops over many points (vector3.h). Every
// operation is that of the four numbers one by one, so results are the same bits on every machine: a function
// compiled for AVX2 does all four in one instruction, others two by two.
//
// Functions that take packs must be inlined where they are called for another machine than the one the
// program is built for, since packs are then passed in other registers: [[gnu::flatten]] there, always_inline
// here.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#pragma GCC diagnostic ignored "-Wpsabi"  // the note that packs are passed in other registers, see above

namespace hardpan {

inline constexpr std::size_t pack_width = 4;

struct PackMask {
  using Lanes [[gnu::vector_size(8 * pack_width)]] = std::int64_t;
  Lanes on;  // all bits, or none

  [[gnu::always_inline]] friend bool any(const PackMask& mask) {
    return ((mask.on[0] | mask.on[1]) | (mask.on[2] | mask.on[3])) != 0;
  }
};

struct Pack {
  using Lanes [[gnu::vector_size(8 * pack_width)]] = double;
  Lanes lanes;

  Pack() = default;
  [[gnu::always_inline]] Pack(Lanes given) : lanes(given) {}
  [[gnu::always_inline]] explicit Pack(double all) : lanes{all, all, all, all} {}

  [[gnu::always_inline]] double operator[](std::size_t k) const { return lanes[k]; }
  [[gnu::always_inline]] void set(std::size_t k, double x) { lanes[k] = x; }
  [[gnu::always_inline]] Pack pack() const { return lanes; }

  [[gnu::always_inline]] friend Pack operator+(const Pack& a, const Pack& b) { return a.lanes + b.lanes; }
  [[gnu::always_inline]] friend Pack operator-(const Pack& a, const Pack& b) { return a.lanes - b.lanes; }
  [[gnu::always_inline]] friend Pack operator*(const Pack& a, const Pack& b) { return a.lanes * b.lanes; }
  [[gnu::always_inline]] friend Pack operator/(const Pack& a, const Pack& b) { return a.lanes / b.lanes; }
  [[gnu::always_inline]] friend Pack operator*(double a, const Pack& b) { return a * b.lanes; }
  [[gnu::always_inline]] friend Pack operator-(const Pack& a) { return -a.lanes; }
  [[gnu::always_inline]] friend PackMask operator>(const Pack& a, const Pack& b) {
    return {a.lanes > b.lanes};
  }
  [[gnu::always_inline]] friend PackMask operator<(const Pack& a, const Pack& b) {
    return {a.lanes < b.lanes};
  }
  [[gnu::always_inline]] friend Pack sqrt(const Pack& a) {
    return Lanes{__builtin_sqrt(a.lanes[0]), __builtin_sqrt(a.lanes[1]), __builtin_sqrt(a.lanes[2]),
                 __builtin_sqrt(a.lanes[3])};
  }
  [[gnu::always_inline]] friend Pack select(const PackMask& condition, const Pack& yes, const Pack& no) {
    return condition.on ? yes.lanes : no.lanes;
  }

  // In a fixed order.
  [[gnu::always_inline]] friend double sum(const Pack& a) { return (a[0] + a[1]) + (a[2] + a[3]); }
};

// Four numbers kept in single precision.
struct RoundedPack {
  using Lanes [[gnu::vector_size(4 * pack_width)]] = float;
  Lanes lanes;

  [[gnu::always_inline]] void set(std::size_t k, double x) { lanes[k] = static_cast<float>(x); }
  [[gnu::always_inline]] Pack pack() const {
    return Pack::Lanes{double{lanes[0]}, double{lanes[1]}, double{lanes[2]}, double{lanes[3]}};
  }
};

// Four packs from four numbers each of four places, and back: component c of place k is number k of pack c.
using PackGroup = std::array<Pack, pack_width>;

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

// The bytes of four numbers, wherever they are.
[[gnu::always_inline]] inline Pack load_pack(const void* from) {
  Pack pack;
  std::memcpy(&pack.lanes, from, sizeof pack.lanes);
  return pack;
}

[[gnu::always_inline]] inline void store_pack(const Pack& pack, void* to) {
  std::memcpy(to, &pack.lanes, sizeof pack.lanes);
}

}  // namespace hardpan
