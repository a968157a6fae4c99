// Several runs beside each other: metrics with their differences, expectations, times, what differs in the
// scenarios, and the curves of all runs over one another; one HTML file like the report.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "hardpan/record/report.h"
#include "hardpan/record/run_reader.h"
#include "hardpan/record/svg.h"

namespace hardpan::record {

// Names of the folders, with as much of the path before them as tells them apart.
std::vector<std::string> run_labels(std::span<const std::filesystem::path> folders);

struct ComparedMetric {
  std::string name;
  std::vector<std::optional<double>> values;  // one per run; nothing where a run does not have it
};

// In the order of the first run, then those that only later runs have.
std::vector<ComparedMetric> compare_metrics(std::span<const RunReader> runs);

// "+0.25 (+12.5 %)"; nothing when either is missing, no relative one against zero.
std::string difference(std::optional<double> value, std::optional<double> first);

// One panel for every panel that a run has, with the curves of all runs: "run: x".
std::vector<Panel> compare_panels(std::span<const Table> series, std::span<const std::string> labels);

std::string compare_html(std::span<const RunReader> runs, const ReportOptions& options = {});

}  // namespace hardpan::record
