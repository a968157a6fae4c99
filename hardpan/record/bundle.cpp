#include "hardpan/record/bundle.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "hardpan/core/error.h"
#include "hardpan/core/text.h"
#include "hardpan/record/plot_axis.h"

namespace hardpan::record {
namespace {

static_assert(std::endian::native == std::endian::little, "bundles are little-endian");

constexpr std::size_t alignment = 8;
constexpr std::uint16_t absent = 65535;  // code of NaN
constexpr double steps = 65534;

template <class T>
std::string_view bytes_of(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

void pad(std::string& text, char filler) {
  text.resize((text.size() + alignment - 1) / alignment * alignment, filler);
}

std::int32_t narrowed(std::int64_t value) {
  return static_cast<std::int32_t>(std::clamp<std::int64_t>(value, std::numeric_limits<std::int32_t>::min(),
                                                            std::numeric_limits<std::int32_t>::max()));
}

std::uint16_t code_of(double value, double low, double high) {
  if (!is_plottable(value)) return absent;
  return static_cast<std::uint16_t>(high > low ? std::lround((value - low) / (high - low) * steps) : 0);
}

std::string numbers(std::span<const double> values) {
  std::string text;
  for (double value : values) text += (text.empty() ? "" : ",") + shortest(value);
  return text;
}

}  // namespace

std::size_t Bundle::add(std::string description, std::string_view bytes) {
  descriptions_ += fmt::format("{}{{{},\"offset\":{}}}", count_ == 0 ? "" : ",", description, data_.size());
  data_ += bytes;
  pad(data_, '\0');
  return count_++;
}

std::size_t Bundle::add_f64(std::span<const double> values) {
  return add(fmt::format(R"("type":"f64","count":{})", values.size()),
             bytes_of(std::vector<double>(values.begin(), values.end())));
}

std::size_t Bundle::add_f32(std::span<const double> values, double base) {
  std::vector<float> narrow(values.size());
  std::transform(values.begin(), values.end(), narrow.begin(),
                 [&](double v) { return static_cast<float>(v - base); });
  return add(fmt::format(R"("type":"f32","count":{},"base":{})", values.size(), shortest(base)),
             bytes_of(narrow));
}

std::size_t Bundle::add_i32(std::span<const std::int64_t> values) {
  std::vector<std::int32_t> narrow(values.size());
  std::transform(values.begin(), values.end(), narrow.begin(), narrowed);
  return add(fmt::format(R"("type":"i32","count":{})", values.size()), bytes_of(narrow));
}

std::size_t Bundle::add_q16(std::span<const double> values, std::size_t frames, std::size_t ranges) {
  HARDPAN_CHECK(frames > 0 && ranges > 0 && values.size() % (frames * ranges) == 0, "no whole frames");
  std::vector<double> low(ranges, std::numeric_limits<double>::infinity()), high(ranges, -low[0]);
  for (std::size_t i = 0; i < values.size(); ++i)
    if (is_plottable(values[i])) {
      low[i % ranges] = std::min(low[i % ranges], values[i]);
      high[i % ranges] = std::max(high[i % ranges], values[i]);
    }
  for (std::size_t c = 0; c < ranges; ++c)
    if (low[c] > high[c]) low[c] = high[c] = 0;
  const std::size_t frame = values.size() / frames;
  std::string planes(2 * values.size(), '\0');
  std::vector<std::uint16_t> before(frame, 0);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::uint16_t code = code_of(values[i], low[i % ranges], high[i % ranges]);
    const auto change = static_cast<std::uint16_t>(code - before[i % frame]);
    before[i % frame] = code;
    planes[i] = static_cast<char>(change & 0xff);
    planes[values.size() + i] = static_cast<char>(change >> 8);
  }
  return add(fmt::format(R"("type":"q16","count":{},"frames":{},"low":[{}],"high":[{}])", values.size(),
                         frames, numbers(low), numbers(high)),
             planes);
}

std::size_t Bundle::add_d32(std::span<const std::int64_t> values, std::size_t frames) {
  HARDPAN_CHECK(frames > 0 && values.size() % frames == 0, "no whole frames");
  const std::size_t frame = values.size() / frames;
  std::vector<std::uint32_t> changes(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto code = static_cast<std::uint32_t>(narrowed(values[i]));
    changes[i] = i < frame ? code : code - static_cast<std::uint32_t>(narrowed(values[i - frame]));
  }
  return add(fmt::format(R"("type":"d32","count":{},"frames":{})", values.size(), frames), bytes_of(changes));
}

std::string Bundle::bytes(const nlohmann::ordered_json& head) const {
  std::string text = head.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  HARDPAN_CHECK(text.size() >= 2 && text.back() == '}', "the head of a bundle is an object");
  text.pop_back();
  text += fmt::format("{}\"arrays\":[{}]}}", text.size() > 1 ? "," : "", descriptions_);
  pad(text, ' ');
  const auto length = static_cast<std::uint32_t>(text.size());
  std::string out = "HPB1";
  out.append(reinterpret_cast<const char*>(&length), sizeof length);
  return out + text + data_;
}

}  // namespace hardpan::record
