// Any text: a number that is read must be finite and survive writing and reading; suggestions must not crash.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "hardpan/core/text.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto value = hardpan::parse_number(text))
    if (!std::isfinite(*value) || hardpan::parse_number(hardpan::shortest(*value)) != value) std::abort();
  static const std::vector<std::string> words = {"radius", "mass", "velocity", ""};
  (void)hardpan::did_you_mean(text, words);
  return 0;
}
