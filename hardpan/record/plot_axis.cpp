#include "hardpan/record/plot_axis.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

namespace hardpan::record {
namespace {

// 1, 2 or 5 times a power of ten, so that about `wanted` steps cover the range.
double round_step(Interval range, int wanted) {
  const double rough = (range.high - range.low) / wanted;
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  for (double factor : {1.0, 2.0, 5.0})
    if (factor * power >= rough * 0.999) return factor * power;
  return 10 * power;
}

// Numbers from 0.001 to 99999 are written out.
int exponent_for(Interval range) {
  const double largest = std::max(std::abs(range.low), std::abs(range.high));
  const int magnitude = static_cast<int>(std::floor(std::log10(largest)));
  if (magnitude >= -3 && magnitude < 5) return 0;
  return static_cast<int>(std::floor(magnitude / 3.0)) * 3;
}

std::string label_of(double tick, double step, int exponent) {
  const double scale = std::pow(10.0, exponent);
  const int decimals = std::clamp(static_cast<int>(-std::floor(std::log10(step / scale) + 1e-9)), 0, 12);
  const std::string text = fmt::format("{:.{}f}", tick / scale, decimals);
  const bool is_negative_zero = text.find_first_not_of("-0.") == text.npos && text[0] == '-';
  return is_negative_zero ? text.substr(1) : text;
}

}  // namespace

bool is_plottable(double value) { return std::abs(value) < 1e300; }

void RangeFinder::add(std::span<const double> values) {
  for (double value : values) {
    if (!is_plottable(value)) continue;
    low_ = any_ ? std::min(low_, value) : value;
    high_ = any_ ? std::max(high_, value) : value;
    any_ = true;
  }
}

Interval RangeFinder::range() const {
  if (!any_) return {};
  constexpr double noise = 1e-9, smallest = 1e-290;
  const double size = std::max(std::abs(low_), std::abs(high_));
  if (high_ - low_ > std::max(noise * size, smallest)) return {low_, high_};
  const double margin = size > smallest ? 0.1 * size : 1.0;
  return {low_ - margin, high_ + margin};
}

Axis make_axis(Interval data, int wanted, bool rounded) {
  Axis axis;
  const double step = round_step(data, wanted);
  // Of a step: an end this near to a tick lies on it, so that a run of 5.999 s has an axis up to 6 s.
  const double slack = rounded ? 1e-6 : 0.02;
  double first = std::ceil(data.low / step - slack), last = std::floor(data.high / step + slack);
  if (rounded) {
    first = std::floor(data.low / step + slack);
    last = std::ceil(data.high / step - slack);
  }
  axis.range = {std::min(data.low, first * step), std::max(data.high, last * step)};
  axis.exponent = exponent_for(axis.range);
  for (double k = first; k <= last; ++k) {
    axis.ticks.push_back(k * step);
    axis.labels.push_back(label_of(k * step, step, axis.exponent));
  }
  return axis;
}

std::vector<std::vector<Point>> thin(std::span<const double> x, std::span<const double> y,
                                     std::size_t limit) {
  const std::size_t count = std::min(x.size(), y.size());
  const std::size_t buckets = count <= limit ? count : limit / 2;
  std::vector<std::vector<Point>> lines(1);
  for (std::size_t b = 0; b < buckets; ++b) {
    const std::size_t begin = b * count / buckets, end = (b + 1) * count / buckets;
    std::size_t low = end, high = end;
    bool is_broken = false;
    for (std::size_t i = begin; i < end; ++i) {
      if (!is_plottable(x[i]) || !is_plottable(y[i])) {
        is_broken = true;
        continue;
      }
      if (low == end || y[i] < y[low]) low = i;
      if (high == end || y[i] > y[high]) high = i;
    }
    if (low != end) {
      const auto [first, second] = std::minmax(low, high);
      lines.back().push_back({x[first], y[first]});
      if (second != first) lines.back().push_back({x[second], y[second]});
    }
    if (is_broken && !lines.back().empty()) lines.emplace_back();
  }
  if (lines.back().empty()) lines.pop_back();
  return lines;
}

}  // namespace hardpan::record
