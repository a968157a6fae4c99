#include "hardpan/scenario/scalar.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>

#include <fmt/core.h>

#include "hardpan/core/text.h"

namespace hardpan::scenario {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

std::string_view without_sign(std::string_view text) {
  if (!text.empty() && (text.front() == '+' || text.front() == '-')) text.remove_prefix(1);
  return text;
}

bool spells_not_finite(std::string_view text) {
  text = without_sign(text);
  if (!text.empty() && text.front() == '.') text.remove_prefix(1);
  std::string lower(text.substr(0, 9));
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return lower == "nan" || lower == "inf" || lower == "infinity";
}

std::size_t skip_digits(std::string_view text, std::size_t i) {
  while (i < text.size() && is_digit(text[i])) ++i;
  return i;
}

// [+-] digits [. digits] [e [+-] digits], with a digit before the exponent.
bool spells_number(std::string_view text) {
  text = without_sign(text);
  const std::size_t whole = skip_digits(text, 0);
  std::size_t i = whole;
  std::size_t digits = whole;
  if (i < text.size() && text[i] == '.') {
    const std::size_t end = skip_digits(text, i + 1);
    digits += end - i - 1;
    i = end;
  }
  if (digits == 0) return false;
  if (i == text.size()) return true;
  if (text[i] != 'e' && text[i] != 'E') return false;
  const std::string_view exponent = without_sign(text.substr(i + 1));
  return !exponent.empty() && skip_digits(exponent, 0) == exponent.size();
}

std::optional<std::int64_t> exact_integer(std::string_view text) {
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  std::int64_t value = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  if (result.ec != std::errc() || result.ptr != text.data() + text.size()) return std::nullopt;
  return value;
}

// Letters first and nothing that means something to YAML anywhere.
bool safe_plain(std::string_view text) {
  if (text.empty() || !(is_letter(text.front()) || text.front() == '_') || text.back() == ' ') return false;
  return std::all_of(text.begin(), text.end(), [](char c) {
    return is_letter(c) || is_digit(c) || c == '_' || c == '-' || c == '.' || c == '/' || c == ' ';
  });
}

bool plain_reads_as_text(std::string_view text) {
  constexpr std::array<std::string_view, 5> words = {"null", "Null", "NULL", "true", "false"};
  return std::find(words.begin(), words.end(), text) == words.end() && !spells_not_finite(text) &&
         !spells_number(text);
}

std::string double_quoted(std::string_view text) {
  std::string quoted = "\"";
  for (char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      quoted += '\\';
      quoted += c;
    } else if (c == '\n') {
      quoted += "\\n";
    } else if (byte < 0x20 || byte == 0x7f) {
      quoted += fmt::format("\\x{:02x}", byte);
    } else {
      quoted += c;
    }
  }
  return quoted + '"';
}

}  // namespace

Value plain_scalar(std::string_view text, const SourceMark& mark) {
  if (text == "~" || text == "null" || text == "Null" || text == "NULL" || text.empty()) return Value();
  if (text == "true") return Value(true);
  if (text == "false") return Value(false);
  if (spells_not_finite(text))
    throw InputError(mark,
                     fmt::format("'{}' is not a finite number (quote it if it is meant as text)", text));
  if (!spells_number(text)) return Value(std::string(text));
  const auto number = parse_number(text);
  if (!number)
    throw InputError(mark, fmt::format("the number {} is outside the range of double precision "
                                       "(about 1e-308 to 1e308)",
                                       text.substr(0, 40)));
  return Value(*number, exact_integer(text), std::string(text));
}

std::string quoted_if_needed(std::string_view text) {
  return safe_plain(text) && plain_reads_as_text(text) ? std::string(text) : double_quoted(text);
}

}  // namespace hardpan::scenario
