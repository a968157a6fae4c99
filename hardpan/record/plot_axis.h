// The arithmetic of a plot without any drawing: ranges, round tick values, thinning.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace hardpan::record {

struct Interval {
  double low = 0, high = 1;  // low < high
};

// Smallest interval around the plottable values; widened around a constant, where rounding noise counts as
// constant. [0, 1] without any value.
class RangeFinder {
 public:
  void add(std::span<const double> values);
  Interval range() const;

 private:
  bool any_ = false;
  double low_ = 0, high_ = 0;
};

// Finite, and far enough from overflow to subtract.
bool is_plottable(double value);

struct Axis {
  Interval range;                   // ends on ticks where it was `rounded`
  std::vector<double> ticks;        // multiples of 1, 2 or 5 times a power of ten
  std::vector<std::string> labels;  // of the ticks, divided by 10^exponent
  int exponent = 0;                 // 0, or a multiple of 3 where plain numbers would be long
};

// About `wanted` ticks. `rounded` widens the range to whole ticks.
Axis make_axis(Interval data, int wanted, bool rounded);

struct Point {
  double x = 0, y = 0;
};

// At most about `limit` points: lowest and highest of each stretch, in their order. Each inner vector is an
// unbroken line.
std::vector<std::vector<Point>> thin(std::span<const double> x, std::span<const double> y, std::size_t limit);

}  // namespace hardpan::record
