#include "hardpan/scenario/report.h"

#include <algorithm>
#include <tuple>

#include <fmt/core.h>

#include "hardpan/core/text.h"

namespace hardpan::scenario {
namespace {

constexpr std::size_t words_shown = 20;
constexpr std::size_t words_compared = 1'000;  // for "did you mean": a scenario may have 10^5 names

// One line of sane length, whatever keys and texts the user wrote.
std::string one_line(std::string text) {
  constexpr std::size_t longest = 2'000;
  if (text.size() > longest) {
    std::size_t end = longest;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;  // whole UTF-8 sequences
    text.resize(end);
    text += "...";
  }
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }, '?');
  return text;
}

}  // namespace

void Report::add(const SourceMark& mark, const std::string& path, const std::string& message) {
  if (full()) return;
  complaints_.push_back({mark, one_line(path.empty() ? message : path + ": " + message)});
}

void Report::throw_if_any() {
  if (empty()) return;
  std::stable_sort(complaints_.begin(), complaints_.end(), [](const Complaint& a, const Complaint& b) {
    return std::tie(a.mark.file, a.mark.line, a.mark.column) <
           std::tie(b.mark.file, b.mark.line, b.mark.column);
  });
  std::string lines;
  for (const Complaint& complaint : complaints_) {
    if (!lines.empty()) lines += '\n';
    lines += InputError(complaint.mark, complaint.text).what();
  }
  if (full()) lines += fmt::format("\n(only the first {} errors are shown)", limit);
  throw InputError(lines);
}

std::string shortened_list(std::vector<std::string> words) {
  if (words.empty()) return "none";
  if (words.size() <= words_shown) return join(words);
  words.resize(words_shown);
  return join(words) + ", ...";
}

std::string unknown_name(std::string_view noun, const std::string& name, std::vector<std::string> known) {
  if (known.size() > words_compared) known.resize(words_compared);
  const std::string guess = did_you_mean(name, known);
  return fmt::format("no {} named '{}'{}; known: {}", noun, name, guess, shortened_list(std::move(known)));
}

std::string child_path(const std::string& parent, std::string_view key) {
  return parent.empty() ? std::string(key) : fmt::format("{}.{}", parent, key);
}

}  // namespace hardpan::scenario
