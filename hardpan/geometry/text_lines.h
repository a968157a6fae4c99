// Lines of a text as words, for readers of files that others wrote.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/core.h>

#include "hardpan/core/error.h"
#include "hardpan/core/text.h"

namespace hardpan::geometry {

class TextLines {
 public:
  TextLines(std::string_view text, const std::string& name) : rest_(text), name_(name) {}

  // The next line that holds words, or false at the end. Line ends are LF, CR LF or CR.
  bool next() {
    words_.clear();
    while (words_.empty() && !rest_.empty()) {
      const std::size_t end = std::min(rest_.find_first_of("\r\n"), rest_.size());
      split(rest_.substr(0, end));
      const bool pair = rest_.substr(end, 2) == "\r\n";
      rest_.remove_prefix(std::min(end + (pair ? 2 : 1), rest_.size()));
      ++line_;
    }
    return !words_.empty();
  }

  const std::vector<std::string_view>& words() const { return words_; }
  std::size_t line() const { return line_; }

  double number(std::string_view word) const {
    if (const auto value = parse_number(word)) return *value;
    fail(fmt::format("expected a finite number, found {}", quoted(word)));
  }
  [[noreturn]] void fail(const std::string& message) const {
    throw InputError(SourceMark{name_, static_cast<int>(line_), 0}, message);
  }
  // Short enough for a message, and of characters that a terminal can show.
  static std::string quoted(std::string_view word) {
    std::string shown(word.substr(0, 24));
    for (char& c : shown)
      if (c < ' ' || c > '~') c = '?';
    return "'" + shown + (word.size() > 24 ? "...'" : "'");
  }

 private:
  void split(std::string_view text) {
    constexpr std::string_view blank = " \t\v\f";
    for (std::size_t at = text.find_first_not_of(blank); at != text.npos;) {
      const std::size_t end = std::min(text.find_first_of(blank, at), text.size());
      words_.push_back(text.substr(at, end - at));
      at = text.find_first_not_of(blank, end);
    }
  }

  std::string_view rest_;
  const std::string& name_;
  std::size_t line_ = 0;
  std::vector<std::string_view> words_;
};

}  // namespace hardpan::geometry
