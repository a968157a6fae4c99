// Parallel loops whose results do not depend on the number of threads.
//
// Work is cut into chunks of a fixed size, so chunk borders depend on the problem only. A reduction computes
// one partial result per chunk and joins neighbours pairwise in a fixed tree. Floating-point sums are then
// the same bits for 1 and for N threads. Chunks must not write to shared memory.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

namespace hardpan {

// 0 asks for all cores. Holds for the whole process until called again.
void set_thread_count(int count);
int thread_count();

// Who of those that are begun in their order has done what later ones wait for.
class InOrder {
 public:
  explicit InOrder(std::size_t count) : done_(new std::atomic<bool>[count]()), count_(count) {}

  void tell(std::size_t k) { done_[k].store(true, std::memory_order_release); }
  void tell_all() {
    for (std::size_t k = 0; k < count_; ++k) tell(k);
  }
  void wait_for(std::size_t earlier) const;

 private:
  std::unique_ptr<std::atomic<bool>[]> done_;
  std::size_t count_;
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
  detail::run_chunks((count + chunk - 1) / chunk,
                     [&](std::size_t k) { body(k * chunk, std::min(count, (k + 1) * chunk)); });
}

// act(k, order) for 0 to count - 1, begun in this order. Each tells when it has done what others may wait
// for, and waits for earlier ones only after that.
void parallel_in_order(std::size_t count, const std::function<void(std::size_t, InOrder&)>& act);

// Joins map(begin, end) over the chunks of [0, count), starting from `zero` when there is nothing to do.
template <class T, class Map, class Join>
T parallel_reduce(std::size_t count, T zero, Map&& map, Join&& join, std::size_t chunk = default_chunk) {
  if (count == 0) return zero;
  if (count <= chunk) return map(std::size_t{0}, count);
  struct Partial {  // a vector of bare bools would pack eight chunks into one byte
    T result;
  };
  std::vector<Partial> partial((count + chunk - 1) / chunk, Partial{zero});
  detail::run_chunks(partial.size(), [&](std::size_t k) {
    partial[k].result = map(k * chunk, std::min(count, (k + 1) * chunk));
  });
  for (std::size_t stride = 1; stride < partial.size(); stride *= 2)
    for (std::size_t k = 0; k + stride < partial.size(); k += 2 * stride)
      partial[k].result = join(partial[k].result, partial[k + stride].result);
  return partial[0].result;
}

}  // namespace hardpan
