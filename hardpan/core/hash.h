// 64-bit FNV-1a: state hashes and file checksums. It guards against accidents, not against attackers.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

namespace hardpan {

class Hash64 {
 public:
  void bytes(const void* data, std::size_t size) {
    const auto* p = static_cast<const unsigned char*>(data);
    for (std::size_t i = 0; i < size; ++i) value_ = (value_ ^ p[i]) * 0x100000001b3ull;
  }
  template <class T>
  requires std::is_arithmetic_v<T>
  void add(T value) { bytes(&value, sizeof value); }
  template <class T>
  requires std::is_arithmetic_v<T>
  void add(std::span<const T> values) {
    add(static_cast<std::uint64_t>(values.size()));
    bytes(values.data(), values.size_bytes());
  }
  void add(std::string_view text) {
    add(static_cast<std::uint64_t>(text.size()));
    bytes(text.data(), text.size());
  }
  std::uint64_t value() const { return value_; }
  std::string hex() const;  // 16 digits

 private:
  std::uint64_t value_ = 0xcbf29ce484222325ull;
};

// Checksum of plain bytes, as 16 hexadecimal digits.
std::string checksum(std::string_view bytes);

}  // namespace hardpan
