#include "hardpan/core/parallel.h"

#include <memory>
#include <thread>

#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>

namespace hardpan {
namespace {

struct Threads {
  int count = tbb::info::default_concurrency();
  std::unique_ptr<tbb::global_control> limit;
};

Threads& threads() {
  static Threads instance;
  return instance;
}

}  // namespace

void set_thread_count(int count) {
  Threads& t = threads();
  t.count = count > 0 ? count : tbb::info::default_concurrency();
  t.limit = std::make_unique<tbb::global_control>(tbb::global_control::max_allowed_parallelism,
                                                  static_cast<std::size_t>(t.count));
}

int thread_count() { return threads().count; }

void detail::run_chunks(std::size_t chunk_count, const std::function<void(std::size_t)>& chunk) {
  if (thread_count() == 1) {
    for (std::size_t k = 0; k < chunk_count; ++k) chunk(k);
    return;
  }
  tbb::parallel_for(std::size_t{0}, chunk_count, chunk);
}

// Not for long, unless others have taken the core of the one that is waited for.
void InOrder::wait_for(std::size_t earlier) const {
  for (int tries = 0; !done_[earlier].load(std::memory_order_acquire); ++tries) {
    if (tries > 2000) std::this_thread::yield();
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
  }
}

// Whoever is waited for has been begun by a thread that goes on, so nobody waits for ever.
void parallel_in_order(std::size_t count, const std::function<void(std::size_t, InOrder&)>& act) {
  InOrder order(count);
  std::atomic<std::size_t> next = 0;
  const auto work = [&](std::size_t = 0) {
    try {
      for (std::size_t k; (k = next++) < count;) act(k, order);
    } catch (...) {
      order.tell_all();
      throw;
    }
  };
  const std::size_t threads = std::min(count, static_cast<std::size_t>(thread_count()));
  if (threads <= 1) return work();
  tbb::parallel_for(std::size_t{0}, threads, work, tbb::simple_partitioner{});
}

}  // namespace hardpan
