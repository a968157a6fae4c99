#include "hardpan/scenario/watch.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>

namespace hardpan::scenario {

Reduce reduce_of(const std::string& word) {
  static const std::map<std::string, Reduce> words = {
      {"at", Reduce::at},           {"final", Reduce::final}, {"max", Reduce::max},
      {"min", Reduce::min},         {"mean", Reduce::mean},   {"rms", Reduce::rms},
      {"max_abs", Reduce::max_abs}, {"range", Reduce::range}, {"period", Reduce::period}};
  const auto found = words.find(word);
  HARDPAN_CHECK(found != words.end(), "no reduction named " + word);
  return found->second;
}

void Watch::sample(double time, const Simulation& simulation) {
  const double x = observable_.read(simulation);
  if (m_.count == 0 && std::isnan(x)) return;  // not known yet
  const bool first = m_.count == 0;
  const double reach = 1e-6 * (time - m_.time);  // a product of step and count may miss "at" by rounding
  if (reduce_ == Reduce::at && std::isnan(m_.at_value) && time >= at_time_ - reach) {
    const double share = first || time <= at_time_ + reach ? 1.0 : (at_time_ - m_.time) / (time - m_.time);
    m_.at_value = first ? x : m_.last + share * (x - m_.last);
  }
  if (!first && m_.last < 0 && x >= 0) {
    const double crossing = m_.time + (time - m_.time) * m_.last / (m_.last - x);
    if (m_.crossings == 0) m_.first_crossing = crossing;
    m_.last_crossing = crossing;
    m_.crossings += 1;
  }
  m_.count += 1;
  m_.sum += x;
  m_.sum_of_squares += x * x;
  m_.min = std::min(m_.min, x);
  m_.max = std::max(m_.max, x);
  m_.time = time;
  m_.last = x;
}

double Watch::value() const {
  constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
  if (m_.count == 0) return nothing;
  switch (reduce_) {
    case Reduce::at:
      return m_.at_value;
    case Reduce::final:
      return m_.last;
    case Reduce::max:
      return m_.max;
    case Reduce::min:
      return m_.min;
    case Reduce::max_abs:
      return std::max(std::abs(m_.max), std::abs(m_.min));
    case Reduce::range:
      return m_.max - m_.min;
    case Reduce::mean:
      return m_.sum / m_.count;
    case Reduce::rms:
      return std::sqrt(m_.sum_of_squares / m_.count);
    case Reduce::period:
      return m_.crossings < 2 ? nothing : (m_.last_crossing - m_.first_crossing) / (m_.crossings - 1);
  }
  return nothing;
}

std::array<double, Watch::memory_size> Watch::pack() const {
  return std::bit_cast<std::array<double, memory_size>>(m_);
}

void Watch::unpack(std::span<const double> values) {
  std::array<double, memory_size> numbers{};
  std::copy_n(values.begin(), memory_size, numbers.begin());
  m_ = std::bit_cast<Memory>(numbers);
}

}  // namespace hardpan::scenario
