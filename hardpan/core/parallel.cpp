#include "hardpan/core/parallel.h"

#include <memory>

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

}  // namespace hardpan
