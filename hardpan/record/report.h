// The report of a run: one HTML file that opens from a disk, can be mailed and printed, and tells what was
// run, how it went, and how to repeat it. A pure function of the run folder, at any moment of the run.
#pragma once

#include <cstddef>
#include <string>

#include "hardpan/record/pages.h"
#include "hardpan/record/run_reader.h"

namespace hardpan::record {

// With base64 (4/3) and the script all this stays below 3 MB.
struct ReportOptions {
  bool with_pages = pages::built();      // charts and a replay by script; else curves as SVG
  std::size_t curve_bytes = 750'000;     // compressed
  std::size_t replay_bytes = 750'000;    // compressed, the scene included
  std::size_t svg_bytes = 2'000'000;     // of the curves without script
  std::size_t scenario_bytes = 300'000;  // of its text
};

// IoError for damaged files of the run.
std::string report_html(const RunReader& run, const ReportOptions& options = {});

}  // namespace hardpan::record
