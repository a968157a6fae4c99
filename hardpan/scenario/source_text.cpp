#include "hardpan/scenario/source_text.h"

#include <algorithm>
#include <cstddef>

#include <fmt/core.h>

#include "hardpan/core/error.h"
#include "hardpan/scenario/yaml_reader.h"

namespace hardpan::scenario {
namespace {

SourceMark mark_of_byte(std::string_view text, std::size_t position, const std::string& file_name) {
  const std::string_view before = text.substr(0, position);
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  const std::size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0
  return {file_name, static_cast<int>(line), static_cast<int>(position - line_start) + 1};
}

bool is_control(unsigned char byte) {
  return byte == 0x7f || (byte < 0x20 && byte != '\t' && byte != '\n' && byte != '\r');
}

// Smallest code point that needs a sequence of this length: shorter ones are overlong and refused.
constexpr unsigned smallest_code_point[] = {0, 0, 0x80, 0x800, 0x10000};

std::size_t announced_length(unsigned char lead) {
  if (lead < 0x80) return 1;
  if ((lead & 0xe0) == 0xc0) return 2;
  if ((lead & 0xf0) == 0xe0) return 3;
  if ((lead & 0xf8) == 0xf0) return 4;
  return 0;
}

// Length of the UTF-8 sequence at the start of `text`, 0 when there is no valid one (RFC 3629).
std::size_t sequence_length(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  const std::size_t length = announced_length(lead);
  if (length <= 1) return length;
  if (length > text.size()) return 0;
  unsigned code_point = lead & (0xffu >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if ((byte & 0xc0) != 0x80) return 0;
    code_point = code_point << 6 | (byte & 0x3fu);
  }
  const bool surrogate = code_point >= 0xd800 && code_point < 0xe000;
  return code_point < smallest_code_point[length] || code_point > 0x10ffff || surrogate ? 0 : length;
}

}  // namespace

void check_source_text(std::string_view text, const std::string& file_name) {
  if (text.size() > max_file_bytes)
    throw InputError(SourceMark{file_name, 0, 0},
                     fmt::format("larger than the allowed {} MiB", max_file_bytes >> 20));
  bool indenting = true;
  for (std::size_t i = 0; i < text.size();) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (is_control(byte))
      throw InputError(mark_of_byte(text, i, file_name),
                       fmt::format("control character (byte 0x{:02x}): a scenario is plain text", byte));
    // YAML forbids tabs in indentation; yaml-cpp reads on and complains elsewhere.
    if (indenting && byte == '\t')
      throw InputError(mark_of_byte(text, i, file_name), "a tab in the indentation: use spaces");
    const std::size_t length = sequence_length(text.substr(i));
    if (length == 0)
      throw InputError(mark_of_byte(text, i, file_name),
                       fmt::format("byte 0x{:02x} is not valid UTF-8: save the file as UTF-8", byte));
    indenting = byte == '\n' || (indenting && byte == ' ');
    i += length;
  }
}

}  // namespace hardpan::scenario
