// Shared by the tests of this module only: reading bundles and pages back, independently of the code that
// writes them and of web/src.
#pragma once

#include <array>
#include <cctype>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "hardpan/record/compress.h"

namespace hardpan::record::testing {

using Json = nlohmann::ordered_json;

struct DecodedBundle {
  Json head;
  std::vector<std::vector<double>> arrays;
};

template <class T>
std::vector<T> values_at(const std::string& bytes, std::size_t offset, std::size_t count) {
  std::vector<T> values(count);
  EXPECT_LE(offset + count * sizeof(T), bytes.size());
  if (count > 0) std::memcpy(values.data(), bytes.data() + offset, count * sizeof(T));
  return values;
}

inline std::vector<double> decode_q16(const Json& array, const std::string& data, std::size_t offset) {
  const std::size_t count = array["count"], frame = count / array["frames"].get<std::size_t>();
  const std::size_t components = array["low"].size();
  const auto low_bytes = values_at<std::uint8_t>(data, offset, count);
  const auto high_bytes = values_at<std::uint8_t>(data, offset + count, count);
  std::vector<std::uint16_t> code(count);
  std::vector<double> out;
  for (std::size_t i = 0; i < count; ++i) {
    const auto change = static_cast<unsigned>(low_bytes[i] | high_bytes[i] << 8);
    code[i] = static_cast<std::uint16_t>(change + (i < frame ? 0u : code[i - frame]));
    const double low = array["low"][i % components], high = array["high"][i % components];
    out.push_back(code[i] == 65535 ? std::numeric_limits<double>::quiet_NaN()
                                   : low + (high - low) * code[i] / 65534);
  }
  return out;
}

inline std::vector<double> decode_array(const Json& array, const std::string& data) {
  const std::string type = array["type"];
  const std::size_t count = array["count"], offset = array["offset"];
  EXPECT_EQ(offset % 8, 0u);
  std::vector<double> out;
  if (type == "f64") return values_at<double>(data, offset, count);
  if (type == "q16") return decode_q16(array, data, offset);
  if (type == "f32")
    for (float value : values_at<float>(data, offset, count))
      out.push_back(array["base"].get<double>() + static_cast<double>(value));
  if (type == "i32")
    for (std::int32_t value : values_at<std::int32_t>(data, offset, count)) out.push_back(value);
  if (type == "d32") {
    auto values = values_at<std::uint32_t>(data, offset, count);
    const std::size_t frame = count / array["frames"].get<std::size_t>();
    for (std::size_t i = 0; i < count; ++i) {
      if (i >= frame) values[i] += values[i - frame];
      out.push_back(static_cast<std::int32_t>(values[i]));
    }
  }
  return out;
}

inline DecodedBundle decode_bundle(const std::string& bytes) {
  EXPECT_EQ(bytes.substr(0, 4), "HPB1");
  const std::uint32_t length = values_at<std::uint32_t>(bytes, 4, 1)[0];
  EXPECT_EQ(length % 8, 0u);
  DecodedBundle out{Json::parse(bytes.substr(8, length)), {}};
  const std::string data = bytes.substr(8 + length);
  for (const Json& array : out.head["arrays"]) out.arrays.push_back(decode_array(array, data));
  return out;
}

inline std::string from_base64(const std::string& text) {
  static const std::string letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::array<unsigned, 256> value{};
  for (unsigned i = 0; i < letters.size(); ++i) value[static_cast<unsigned char>(letters[i])] = i;
  std::string out;
  unsigned bits = 0, held = 0;
  for (char c : text) {
    if (c == '=') break;
    held = held << 6 | value[static_cast<unsigned char>(c)];
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    out += static_cast<char>(held >> bits & 0xff);
  }
  return out;
}

// The bundle that a page carries.
inline DecodedBundle data_of_page(const std::string& html) {
  const std::string mark = "id=\"hardpan-data\">";
  const std::size_t start = html.find(mark);
  EXPECT_NE(start, html.npos);
  const std::size_t begin = start + mark.size();
  return decode_bundle(gunzip(from_base64(html.substr(begin, html.find('<', begin) - begin))));
}

// What a browser would show as elements: every tag is closed in order, and scripts and styles end where they
// should.
inline void expect_balanced(const std::string& html) {
  std::vector<std::string> open;
  for (std::size_t at = html.find('<'); at != html.npos; at = html.find('<', at)) {
    const std::size_t end = html.find('>', at);
    ASSERT_NE(end, html.npos);
    std::size_t stop = at + 1;
    while (std::isalnum(static_cast<unsigned char>(html[stop])) || html[stop] == '/') ++stop;
    const std::string name = html.substr(at + 1, stop - at - 1);
    const bool closes_itself = html[end - 1] == '/' || name == "meta";
    at = end;
    if (name.empty() || closes_itself) {
      EXPECT_FALSE(name.empty() && html[stop] != '!') << html.substr(stop - 1, 60);
    } else if (name[0] == '/') {
      ASSERT_FALSE(open.empty());
      ASSERT_EQ(open.back(), name.substr(1)) << html.substr(at < 200 ? 0 : at - 200, 200);
      open.pop_back();
    } else {
      open.push_back(name);
      if (name == "script" || name == "style") at = html.find("</" + name, at);
    }
  }
  EXPECT_TRUE(open.empty()) << open.back();
}

}  // namespace hardpan::record::testing
