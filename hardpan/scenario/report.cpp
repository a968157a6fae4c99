#include "hardpan/scenario/report.h"

#include <algorithm>
#include <tuple>

#include <fmt/core.h>

namespace hardpan::scenario {

void Report::add(const SourceMark& mark, const std::string& path, const std::string& message) {
  if (full()) return;
  complaints_.push_back({mark, path.empty() ? message : path + ": " + message});
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

std::string child_path(const std::string& parent, std::string_view key) {
  return parent.empty() ? std::string(key) : fmt::format("{}.{}", parent, key);
}

}  // namespace hardpan::scenario
