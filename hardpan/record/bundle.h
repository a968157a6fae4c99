// How numbers travel to a browser: a JSON head that refers to typed arrays by their index, then the arrays.
//
//   "HPB1" | length of the head, u32 | head (JSON, padded with spaces to 8 bytes) | arrays, each padded to 8
//   bytes
//
// All little-endian. The head holds what the sender put there and, under "arrays", one entry per array:
//   {"type": "f64" | "f32" | "i32" | "q16" | "d32", "offset": bytes behind the head, "count": values, ...}
// f32 has a "base" that is to be added, so that small changes of a large value survive.
// q16 and d32 are for frames stacked along the leading axis ("frames"), made to compress well: a value is
// stored as its difference from the one in the frame before. q16 are 16-bit steps between "low" and "high",
// 65535 standing for NaN, with all low bytes before all high bytes; value i has the range i modulo the number
// of ranges, so there may be one for each component (x, y, z) or one for each value of a frame. d32 are
// integers.
//
// web/src/bundle.ts reads it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "hardpan/core/archive.h"

namespace hardpan::record {

class Bundle {
 public:
  // Each returns the index by which the head refers to the array.
  std::size_t add_f64(std::span<const double> values);
  std::size_t add_f32(std::span<const double> values, double base = 0);
  std::size_t add_i32(std::span<const std::int64_t> values);
  std::size_t add_q16(std::span<const double> values, std::size_t frames, std::size_t ranges);
  std::size_t add_d32(std::span<const std::int64_t> values, std::size_t frames);

  // `head` is a JSON object without "arrays".
  std::string bytes(const nlohmann::ordered_json& head) const;

 private:
  std::size_t add(std::string description, std::string_view bytes);

  std::string descriptions_;  // JSON objects, separated by commas
  std::size_t count_ = 0;
  std::string data_;
};

}  // namespace hardpan::record
