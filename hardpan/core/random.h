// Counter-based random numbers: the value depends on (seed, stream, counter) alone, never on the order of
// calls or on the number of threads. Philox 4x32-10, Salmon et al., "Parallel random numbers: as easy as 1,
// 2, 3", SC 2011.
#pragma once

#include <array>
#include <cstdint>

namespace hardpan {

class CounterRandom {
 public:
  constexpr explicit CounterRandom(std::uint64_t seed, std::uint64_t stream = 0)
      : seed_(seed), stream_(stream) {}

  // Four independent 32-bit words for this counter.
  constexpr std::array<std::uint32_t, 4> words(std::uint64_t counter) const {
    std::array<std::uint32_t, 4> x = {low(counter), high(counter), low(stream_), high(stream_)};
    std::uint32_t k0 = low(seed_), k1 = high(seed_);
    for (int round = 0; round < 10; ++round) {
      const std::uint64_t a = 0xD2511F53ull * x[0], b = 0xCD9E8D57ull * x[2];
      x = {high(b) ^ x[1] ^ k0, low(b), high(a) ^ x[3] ^ k1, low(a)};
      k0 += 0x9E3779B9u;
      k1 += 0xBB67AE85u;
    }
    return x;
  }

  // Uniform in [0, 1), 53 bits.
  constexpr double uniform(std::uint64_t counter) const {
    const auto w = words(counter);
    const std::uint64_t bits = (static_cast<std::uint64_t>(w[0]) << 32 | w[1]) >> 11;
    return static_cast<double>(bits) * 0x1.0p-53;
  }
  constexpr double uniform(std::uint64_t counter, double low_end, double high_end) const {
    return low_end + (high_end - low_end) * uniform(counter);
  }

 private:
  static constexpr std::uint32_t low(std::uint64_t v) { return static_cast<std::uint32_t>(v); }
  static constexpr std::uint32_t high(std::uint64_t v) { return static_cast<std::uint32_t>(v >> 32); }
  std::uint64_t seed_;
  std::uint64_t stream_;
};

}  // namespace hardpan
