// What a page carries of a run, within a budget: curves and frames are thinned until their compressed bundle
// fits, so that a report can be mailed whatever the run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "hardpan/record/run_reader.h"
#include "hardpan/record/svg.h"

namespace hardpan::record {

// Points per panel, and how many panels from the first one on.
struct CurveLimits {
  std::size_t points = 4000, panels = 0;
};

// The most that fits into `bytes` of gzip.
CurveLimits fit_curves(std::span<const Panel> panels, std::size_t bytes);

// An <svg> element of at most `bytes` with the first of the panels; `shown` becomes how many.
std::string fit_svg(std::span<const Panel> panels, std::size_t bytes, std::size_t& shown);

// Frames spread evenly over the run, the first and the last among them.
struct Replay {
  std::vector<FrameStack> stacks;  // one per layout
  std::size_t frames = 0;          // in the stacks
  bool is_too_large = false;       // not even one frame fits
  bool has_all_fields = true;      // else only what is needed to draw
};

// `scene` counts as well. Holds at most some 64 MB of frames in memory, one segment besides.
Replay fit_replay(const RunReader& run, const nlohmann::ordered_json& scene, std::size_t bytes);

// `wanted` of 0, 1, ... count - 1, with both ends; the last alone where one is wanted.
std::vector<std::uint64_t> evenly(std::uint64_t count, std::uint64_t wanted);

}  // namespace hardpan::record
