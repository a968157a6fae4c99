// Reduces one observable over a run to one number. What it remembers is part of the checkpoint, so that a
// resumed run gives the same metric.
#pragma once

#include <array>
#include <limits>
#include <string>

#include "hardpan/scenario/observe.h"

namespace hardpan::scenario {

enum class Reduce {
  at,     // value at a time, linear between steps
  final,  // last value
  max,
  min,
  max_abs,
  range,  // max - min
  mean,   // over the samples, one per step and the start
  rms,
  period  // mean time between rising zero crossings, linear between steps; NaN with fewer than two
};
Reduce reduce_of(const std::string& word);

class Watch {
 public:
  Watch(Observable observable, Reduce reduce, double at_time)
      : observable_(std::move(observable)), reduce_(reduce), at_time_(at_time) {}

  void sample(double time, const Simulation& simulation);
  double value() const;
  const Observable& observable() const { return observable_; }

  struct Memory {
    double count = 0, time = 0, last = 0, sum = 0, sum_of_squares = 0;
    double min = std::numeric_limits<double>::infinity(), max = -std::numeric_limits<double>::infinity();
    double first_crossing = 0, last_crossing = 0, crossings = 0;
    double at_value = std::numeric_limits<double>::quiet_NaN();
  };
  static constexpr std::size_t memory_size = sizeof(Memory) / sizeof(double);
  std::array<double, memory_size> pack() const;
  void unpack(std::span<const double> values);

 private:
  Observable observable_;
  Reduce reduce_;
  double at_time_;
  Memory m_;
};

}  // namespace hardpan::scenario
