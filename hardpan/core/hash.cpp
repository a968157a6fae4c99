#include "hardpan/core/hash.h"

#include <fmt/core.h>

namespace hardpan {

std::string Hash64::hex() const { return fmt::format("{:016x}", value_); }

std::string checksum(std::string_view bytes) {
  Hash64 hash;
  hash.bytes(bytes.data(), bytes.size());
  return hash.hex();
}

}  // namespace hardpan
