#include "hardpan/lab/measurement.h"

#include <limits>

#include "hardpan/core/error.h"

namespace hardpan::lab {

void Recording::begin(const World& world) {
  start_ = kind_.at_start(world);
  first_ = kind_.read(world, start_);
  sum_.assign(kind_.columns.size(), 0.0);
}

void Recording::sample(const World& world) {
  const Row now = kind_.read(world, start_);
  for (std::size_t k = 0; k < sum_.size(); ++k) sum_[k] += now[k];
  if (++samples_ < stride_) return;
  for (double& value : sum_) value /= static_cast<double>(samples_);
  rows_.push_back(sum_);
  sum_.assign(sum_.size(), 0.0);
  samples_ = 0;
}

std::vector<Metric> Recording::metrics() const {
  const Row values = rows_.empty() ? Row(kind_.metrics.size(), std::numeric_limits<double>::quiet_NaN())
                                   : kind_.reduce(rows_, start_);
  std::vector<Metric> all;
  for (std::size_t k = 0; k < kind_.metrics.size(); ++k) all.push_back({kind_.metrics[k], values[k]});
  return all;
}

std::vector<double> Recording::pack() const {
  std::vector<double> values = {static_cast<double>(samples_), static_cast<double>(start_.size())};
  for (const Row* row : {&start_, &first_, &sum_}) values.insert(values.end(), row->begin(), row->end());
  for (const Row& row : rows_) values.insert(values.end(), row.begin(), row.end());
  return values;
}

void Recording::unpack(std::span<const double> values) {
  const std::size_t width = kind_.columns.size(), fixed = 2 + start_.size() + 2 * width;
  if (values.size() < fixed || values[1] != static_cast<double>(start_.size()) ||
      (values.size() - fixed) % width != 0)
    throw IoError("saved state has another measurement");
  samples_ = static_cast<std::int64_t>(values[0]);
  const auto take = [&](std::size_t& at, std::size_t count) {
    const auto part = values.subspan(at, count);
    at += count;
    return Row(part.begin(), part.end());
  };
  std::size_t at = 2;
  start_ = take(at, start_.size());
  first_ = take(at, width);
  sum_ = take(at, width);
  rows_.clear();
  while (at < values.size()) rows_.push_back(take(at, width));
}

}  // namespace hardpan::lab
