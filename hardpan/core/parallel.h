// Parallel loops whose results do not depend on the number of threads.
//
// Work is cut into chunks of a fixed size, so chunk borders depend on the problem only. A reduction computes
// one partial result per chunk and joins neighbours pairwise in a fixed tree. Floating-point sums are then
// the same bits for 1 and for N threads. Chunks must not write to shared memory.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace hardpan {

// 0 asks for all cores. Holds for the whole process until called again.
void set_thread_count(int count);
int thread_count();

// Which of many have gone through their first stage, round by round. Each has a line of memory of its own,
// which nobody writes but who does it.
class Done {
 public:
  // None of so many.
  void clear(std::size_t count) {
    if (count > size_) flags_.reset(new Flag[size_ = count]), round_ = 0;
    ++round_;
  }
  bool operator()(std::size_t k) const { return flags_[k].round.load(std::memory_order_acquire) == round_; }
  void tell(std::size_t k) { flags_[k].round.store(round_, std::memory_order_release); }

 private:
  struct alignas(64) Flag {
    std::atomic<std::uint64_t> round = 0;  // in which it was last done
  };
  std::unique_ptr<Flag[]> flags_;
  std::size_t size_ = 0;
  std::uint64_t round_ = 0;
};

namespace detail {
void run_chunks(std::size_t chunk_count, const std::function<void(std::size_t)>& chunk);
}

inline constexpr std::size_t default_chunk = 256;
inline constexpr std::size_t long_chunk = 4096;  // for loops that do next to nothing with each

// body(begin, end) for consecutive pieces of [0, count).
template <class Body>
void parallel_for(std::size_t count, Body&& body, std::size_t chunk = default_chunk) {
  if (count <= chunk) {
    if (count > 0) body(std::size_t{0}, count);
    return;
  }
  const auto piece = [&](std::size_t k) { body(k * chunk, std::min(count, (k + 1) * chunk)); };
  detail::run_chunks((count + chunk - 1) / chunk, std::cref(piece));
}

// first(k, next, is_ready) for 0 to count - 1, and second(k), by the same thread, as soon as ready(k, done)
// says that all have gone through their first stage that it waits for. With one thread, k must wait for
// earlier ones only. `next` is what the same thread probably begins then, `count` if that is nothing or not
// known; `is_ready`: nothing but this first stage stands before its second.
//
// Each thread has a part of them, the same from call to call, so that what they work on stays in its cache,
// and then helps others with theirs.
struct Stages {
  std::function<void(std::size_t, std::size_t, bool)> first;
  std::function<bool(std::size_t, const Done&)> ready;
  std::function<void(std::size_t)> second;
};
void parallel_stages(std::size_t count, const Stages& stages);
// Whose part k is, among so many threads: no more than there are things to do.
inline std::size_t part_of(std::size_t k, std::size_t count, std::size_t threads) {
  return ((k + 1) * threads - 1) / count;
}

// Joins map(begin, end) over the chunks of [0, count), starting from `zero` when there is nothing to do.
template <class T, class Map, class Join>
T parallel_reduce(std::size_t count, T zero, Map&& map, Join&& join, std::size_t chunk = default_chunk) {
  if (count == 0) return zero;
  if (count <= chunk) return map(std::size_t{0}, count);
  struct Partial {  // a vector of bare bools would pack eight chunks into one byte
    T result;
  };
  std::vector<Partial> partial((count + chunk - 1) / chunk, Partial{zero});
  const auto piece = [&](std::size_t k) {
    partial[k].result = map(k * chunk, std::min(count, (k + 1) * chunk));
  };
  detail::run_chunks(partial.size(), std::cref(piece));
  for (std::size_t stride = 1; stride < partial.size(); stride *= 2)
    for (std::size_t k = 0; k + stride < partial.size(); k += 2 * stride)
      partial[k].result = join(partial[k].result, partial[k + stride].result);
  return partial[0].result;
}

}  // namespace hardpan
