#include "hardpan/core/parallel.h"

#include <chrono>
#include <deque>
#include <exception>
#include <system_error>
#include <thread>

#if defined(__linux__)
#include <sched.h>
#endif

namespace hardpan {
namespace {

// Those that this process may use.
int cores() {
#if defined(__linux__)
  if (cpu_set_t allowed; sched_getaffinity(0, sizeof(allowed), &allowed) == 0) return CPU_COUNT(&allowed);
#endif
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

std::atomic<int>& threads() {
  static std::atomic<int> count = cores();
  return count;
}

void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

// Not for long, unless others have taken the core of the one that is waited for.
template <class Condition>
void wait_until(const Condition& condition) {
  for (int tries = 0; !condition(); ++tries) {
    if (tries > 2000) std::this_thread::yield();
    pause();
  }
}

// Work that threads share. Each has a part of it, the same for the same numbers, and then helps others with
// theirs.
class Job {
 public:
  void begin(std::size_t count, const Stages& stages, std::size_t threads) {
    stages_ = &stages;
    count_ = count;
    if (stages.second) done_.clear(count);
    if (parts_.size() != threads) parts_ = std::vector<Part>(threads);
    for (std::size_t n = 0; n < threads; ++n) {
      parts_[n].taken = 0;
      parts_[n].begin = n * count / threads;
      parts_[n].count = (n + 1) * count / threads - parts_[n].begin;
    }
    failed_ = false;
    error_ = nullptr;
  }
  std::size_t threads() const { return parts_.size(); }

  // Whoever is waited for has been begun by a thread that does not wait before it is done, so nobody waits
  // for ever.
  void work(std::size_t thread) {
    try {
      thread_local std::vector<std::size_t> waiting;
      waiting.clear();
      const auto end_those_ready = [&] {
        std::erase_if(waiting, [&](std::size_t k) {
          if (!stages_->ready(k, done_)) return false;
          stages_->second(k);
          return true;
        });
        return waiting.empty();
      };
      for (std::size_t n = 0; n < threads(); ++n) {
        Part& part = parts_[(thread + n) % threads()];
        for (std::size_t taken; !failed_ && (taken = part.taken++) < part.count;) {
          const std::size_t k = part.begin + taken;
          const bool is_ready = stages_->second && stages_->ready(k, done_);
          stages_->first(k, taken + 1 < part.count ? k + 1 : count_, is_ready);
          if (!stages_->second) continue;
          done_.tell(k);
          waiting.push_back(k);
          end_those_ready();
        }
      }
      wait_until([&] { return failed_ || end_those_ready(); });
    } catch (...) {
      if (!failed_.exchange(true)) error_ = std::current_exception();
    }
  }
  std::exception_ptr error() const { return error_; }  // when nobody works on it any more

 private:
  struct alignas(64) Part {
    std::atomic<std::size_t> taken = 0;
    std::size_t begin = 0, count = 0;
  };

  const Stages* stages_ = nullptr;
  std::size_t count_ = 0;
  Done done_;
  std::vector<Part> parts_;
  std::atomic<bool> failed_ = false;
  std::exception_ptr error_;
};

// Threads beside the one that has the work. A step of grains follows another within microseconds, and to wake
// a thread takes as long: so they look out for the next job for a while before they sleep.
class Crew {
 public:
  // False where another job is under way: whoever comes then does his alone.
  bool share(std::size_t count, const Stages& stages, std::size_t threads) {
    if (taken_.test_and_set()) return false;
    hire(threads - 1);
    job_.begin(count, stages, threads);
    open_ = true;
    tell();
    job_.work(0);
    open_ = false;
    wait_until([&] { return at_work_ == 0; });
    const std::exception_ptr error = job_.error();
    taken_.clear();
    if (error) std::rethrow_exception(error);
    return true;
  }
  ~Crew() {
    closed_ = true;
    tell();
    for (std::thread& thread : threads_) thread.join();
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr auto patience = std::chrono::microseconds(200);

  // Where the system refuses one, the others do its part.
  void hire(std::size_t count) {
    try {
      while (threads_.size() < count)
        threads_.emplace_back([this, number = threads_.size() + 1] { serve(number); });
    } catch (const std::system_error&) {
    }
  }
  void tell() {
    ++jobs_;
    if (asleep_ > 0) jobs_.notify_all();
  }
  void serve(std::size_t number) {
    for (std::uint32_t seen = 0; !closed_;) {
      wait_for_other_than(seen);
      seen = jobs_;
      help(number);
    }
  }
  void wait_for_other_than(std::uint32_t seen) {
    const auto until = Clock::now() + patience;
    for (int tries = 1; jobs_ == seen; ++tries) {
      pause();
      if (tries % 64 > 0 || Clock::now() < until) continue;
      ++asleep_;
      jobs_.wait(seen);
      --asleep_;
    }
  }
  // The job stays what it is as long as somebody is at work who has seen it open.
  void help(std::size_t number) {
    ++at_work_;
    if (open_ && number < job_.threads()) job_.work(number);
    --at_work_;
  }

  std::deque<std::thread> threads_;
  std::atomic_flag taken_;
  Job job_;
  alignas(64) std::atomic<std::uint32_t> jobs_ = 0;
  std::atomic<bool> open_ = false, closed_ = false;
  alignas(64) std::atomic<std::size_t> at_work_ = 0;
  std::atomic<std::size_t> asleep_ = 0;
};

// False: nobody else is there to do it.
bool share(std::size_t count, const Stages& stages) {
  static Crew crew;
  const std::size_t threads = std::min(count, static_cast<std::size_t>(thread_count()));
  return threads > 1 && crew.share(count, stages, threads);
}

}  // namespace

void set_thread_count(int count) { threads() = count > 0 ? count : cores(); }

int thread_count() { return threads(); }

void detail::run_chunks(std::size_t chunk_count, const std::function<void(std::size_t)>& chunk) {
  if (share(chunk_count, {[&](std::size_t k, std::size_t, bool) { chunk(k); }, {}, {}})) return;
  for (std::size_t k = 0; k < chunk_count; ++k) chunk(k);
}

void parallel_stages(std::size_t count, const Stages& stages) {
  if (share(count, stages)) return;
  for (std::size_t k = 0; k < count; ++k) {
    stages.first(k, k + 1, true);
    stages.second(k);
  }
}

}  // namespace hardpan
