// Wall time per named phase of the step.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

namespace hardpan {

class Profiler {
 public:
  struct Phase {
    std::string name;
    double seconds = 0;
    long calls = 0;
  };

  class Scope {
   public:
    Scope(Profiler& profiler, std::size_t phase)
        : profiler_(profiler), phase_(phase), start_(std::chrono::steady_clock::now()) {}
    ~Scope() {
      Phase& p = profiler_.phases_[phase_];
      p.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
      ++p.calls;
    }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    Profiler& profiler_;
    std::size_t phase_;
    std::chrono::steady_clock::time_point start_;
  };

  // The time until the returned scope ends is booked on `name`.
  [[nodiscard]] Scope measure(std::string_view name) { return Scope(*this, find(name)); }
  const std::vector<Phase>& phases() const { return phases_; }

 private:
  std::size_t find(std::string_view name) {
    for (std::size_t i = 0; i < phases_.size(); ++i)
      if (phases_[i].name == name) return i;
    phases_.push_back({std::string(name), 0, 0});
    return phases_.size() - 1;
  }
  std::vector<Phase> phases_;
};

}  // namespace hardpan
