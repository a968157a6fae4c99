#include "hardpan/core/parallel.h"

#include <chrono>
#include <exception>
#include <memory>
#include <thread>

#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_group.h>

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

// Work that all threads share.
class Job {
 public:
  Job(std::size_t count, const Stages& stages, std::size_t threads)
      : stages_(stages), done_(count), parts_(threads), parts_are_long_(count > 4 * threads) {
    for (std::size_t n = 0; n < threads; ++n) {
      parts_[n].next = n * count / threads;
      parts_[n].end = (n + 1) * count / threads;
    }
  }

  // Whoever is waited for has been begun by a thread that does not wait before it is done, so nobody waits
  // for ever.
  void work(std::size_t thread) {
    try {
      std::vector<std::size_t> waiting;
      const auto end_those_ready = [&] {
        std::erase_if(waiting, [&](std::size_t k) {
          if (!stages_.ready(k, done_)) return false;
          stages_.second(k);
          return true;
        });
        return waiting.empty();
      };
      for (std::size_t n = 0; n < parts_.size(); ++n) {
        Part& part = parts_[(thread + n) % parts_.size()];
        for (std::size_t k; !failed_ && (k = part.next++) < part.end;) {
          stages_.first(k);
          done_.tell(k);
          waiting.push_back(k);
          if (parts_are_long_) end_those_ready();
        }
      }
      wait_until([&] { return failed_ || end_those_ready(); });
    } catch (...) {
      if (!failed_.exchange(true)) error_ = std::current_exception();
    }
  }
  void finish() const {  // when nobody works on it any more
    if (error_) std::rethrow_exception(error_);
  }

 private:
  struct alignas(64) Part {
    std::atomic<std::size_t> next = 0;
    std::size_t end = 0;
  };

  const Stages& stages_;
  Done done_;
  std::vector<Part> parts_;
  const bool parts_are_long_;  // in short ones all begin before the first ends, so that nobody waits
  std::atomic<bool> failed_ = false;
  std::exception_ptr error_;
};

// Threads of the pool that stay for the next job, which comes soon: a step of grains follows another within
// microseconds, and to call a thread takes as long. They go back to the pool as soon as it is asked for
// something else, or when nothing has come for a while.
class Crew {
 public:
  // Whoever comes while another job is under way does his alone.
  void share(Job& job, std::size_t threads) {
    if (taken_.test_and_set()) return job.work(0);
    job_ = &job;
    ++jobs_;
    while (hired_ + 1 < threads)
      group_.run([this, number = ++hired_, since = dismissals_.load()] { serve(number, since); });
    job.work(0);
    job_ = nullptr;
    wait_until([&] { return at_work_ == 0; });
    taken_.clear();
  }
  void dismiss() {
    if (hired_ > 0) ++dismissals_;
  }
  ~Crew() {
    dismiss();
    group_.wait();
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr auto patience = std::chrono::microseconds(200);

  void serve(std::size_t number, std::size_t dismissals) {
    std::size_t seen = 0;
    auto until = Clock::now() + patience;
    for (int tries = 1; dismissals_ == dismissals; ++tries) {
      if (jobs_ != seen) {
        seen = jobs_;
        help(number);
        until = Clock::now() + patience;
      } else if (tries % 64 == 0 && Clock::now() > until) {
        break;
      }
      pause();
    }
    --hired_;
  }
  // A job is there as long as somebody is at work who has seen it.
  void help(std::size_t number) {
    ++at_work_;
    if (Job* const job = job_) job->work(number);
    --at_work_;
  }

  tbb::task_group group_;
  std::atomic<Job*> job_ = nullptr;
  std::atomic<std::size_t> jobs_ = 0, at_work_ = 0, hired_ = 0, dismissals_ = 0;
  std::atomic_flag taken_;
};

Crew& crew() {
  static Crew instance;
  return instance;
}

}  // namespace

void set_thread_count(int count) {
  crew().dismiss();
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
  crew().dismiss();
  tbb::parallel_for(std::size_t{0}, chunk_count, chunk);
}

void parallel_stages(std::size_t count, const Stages& stages) {
  const std::size_t threads = std::min(count, static_cast<std::size_t>(thread_count()));
  if (threads <= 1) {
    for (std::size_t k = 0; k < count; ++k) {
      stages.first(k);
      stages.second(k);
    }
    return;
  }
  Job job(count, stages, threads);
  crew().share(job, threads);
  job.finish();
}

}  // namespace hardpan
