#include <filesystem>
#include <optional>
#include <span>

#include <fmt/core.h>

#include "hardpan/app/commands.h"
#include "hardpan/core/file.h"
#include "hardpan/record/compare.h"
#include "hardpan/record/page.h"
#include "hardpan/record/report.h"
#include "hardpan/record/run_folder.h"

namespace hardpan::app {
namespace {

namespace fs = std::filesystem;

// A page of ours can be made again; another file may be somebody's work.
void refuse_foreign(const fs::path& file, std::string_view kind, const std::string& advice) {
  if (!fs::exists(file)) return;
  if (!fs::is_regular_file(file) || !record::is_page(read_file(file), kind))
    throw InputError(
        fmt::format("{}: is there and is no {} page of hardpan: {}", file.string(), kind, advice));
}

std::string shown(std::optional<double> value) { return value ? fmt::format("{:.9g}", *value) : "-"; }

void print_line(const std::string& line) {
  fmt::print("{}\n", line.substr(0, line.find_last_not_of(' ') + 1));
}

void print_metrics(std::span<const record::RunReader> runs, std::span<const std::string> labels) {
  std::string heading = fmt::format("{:<44}", "metric");
  for (std::size_t i = 0; i < labels.size(); ++i) {
    fmt::print("[{}] {}\n", i + 1, labels[i]);
    heading += fmt::format(" {:>16}", fmt::format("[{}]", i + 1));
    if (i > 0) heading += fmt::format("  {:<24}", fmt::format("[{}] - [1]", i + 1));
  }
  print_line(heading);
  for (const record::ComparedMetric& metric : record::compare_metrics(runs)) {
    std::string line = fmt::format("{:<44}", metric.name);
    for (std::size_t i = 0; i < metric.values.size(); ++i) {
      line += fmt::format(" {:>16}", shown(metric.values[i]));
      if (i > 0) line += fmt::format("  {:<24}", record::difference(metric.values[i], metric.values[0]));
    }
    print_line(line);
  }
}

}  // namespace

ExitCode report_command(const std::string& folder, const std::string& out) {
  const record::RunReader reader{fs::path(folder)};
  const fs::path target = out.empty() ? fs::path(folder) / record::report_name : fs::path(out);
  if (!out.empty()) refuse_foreign(target, "report", "choose another name");
  write_file_atomically(target, record::report_html(reader));
  fmt::print("report in {}\n", target.string());
  return ExitCode::done;
}

ExitCode compare_command(const CompareArguments& arguments) {
  std::vector<record::RunReader> runs;
  std::vector<fs::path> folders(arguments.folders.begin(), arguments.folders.end());
  for (const fs::path& folder : folders) runs.emplace_back(folder);
  const fs::path target = arguments.out;
  if (!arguments.force) refuse_foreign(target, "compare", "choose another name, or use --force");
  write_file_atomically(target, record::compare_html(runs));
  print_metrics(runs, record::run_labels(folders));
  fmt::print("comparison in {}\n", target.string());
  return ExitCode::done;
}

}  // namespace hardpan::app
