#include "hardpan/core/error.h"

#include <fmt/core.h>

namespace hardpan {

std::string SourceMark::text() const {
  if (file.empty()) return {};
  if (line <= 0) return file;
  if (column <= 0) return fmt::format("{}:{}", file, line);
  return fmt::format("{}:{}:{}", file, line, column);
}

InputError::InputError(const SourceMark& mark, const std::string& message)
    : std::runtime_error(mark.file.empty() ? message : mark.text() + ": " + message) {}

void invariant_failed(const char* condition, const char* file, int line, const std::string& message) {
  throw InvariantError(fmt::format("internal error at {}:{}: {} ({})", file, line, message, condition));
}

}  // namespace hardpan
