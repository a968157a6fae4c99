#include "hardpan/record/page_data.h"

#include <algorithm>
#include <limits>
#include <set>

#include <nlohmann/json.hpp>

#include "hardpan/record/bundle.h"
#include "hardpan/record/compress.h"
#include "hardpan/record/frame_bundle.h"

namespace hardpan::record {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t fewest_points = 64;  // per panel; below that, fewer panels
constexpr std::uint64_t most_frames = 300;
constexpr std::uint64_t most_memory = std::uint64_t{64} << 20;

// Fewer points first, then fewer panels; false when nothing is left to give up.
bool shrink(CurveLimits& limits) {
  if (limits.points > fewest_points)
    limits.points /= 2;
  else
    limits.panels /= 2;
  return limits.panels > 0;
}

std::size_t longest(std::span<const Panel> panels) {
  std::size_t most = 0;
  for (const Panel& panel : panels)
    for (const Curve& curve : panel.curves) most = std::max(most, curve.x.size());
  return most;
}

std::size_t compressed_size(const Bundle& bundle, const Json& head) {
  return gzip(bundle.bytes(head)).size();
}

// A curve of few points whose gaps are NaN.
Curve thinned(const Curve& curve, std::size_t points) {
  Curve out{curve.label, {}, {}};
  for (const auto& line : thin(curve.x, curve.y, points)) {
    if (!out.x.empty()) {
      out.x.push_back(line[0].x);
      out.y.push_back(std::numeric_limits<double>::quiet_NaN());
    }
    for (const Point& point : line) {
      out.x.push_back(point.x);
      out.y.push_back(point.y);
    }
  }
  return out;
}

std::vector<Panel> thinned(std::span<const Panel> panels, const CurveLimits& limits) {
  std::vector<Panel> out;
  for (const Panel& panel : panels.first(limits.panels)) {
    out.push_back({panel.title, panel.x_label, panel.y_label, {}});
    for (const Curve& curve : panel.curves)
      out.back().curves.push_back(thinned(curve, std::max<std::size_t>(2, limits.points)));
  }
  return out;
}

// ---- Frames -------------------------------------------------------------------------------------------

struct Frame {
  double time = 0;
  std::int64_t step = 0;
  Archive arrays;
  bool is_whole = true;
};

void collect_names(const Json& json, std::set<std::string>& names) {
  if (json.is_string()) names.insert(json.get<std::string>());
  if (!json.is_structured()) return;
  for (const Json& child : json) collect_names(child, names);
}

// The arrays without which nothing could be drawn: poses, joints, and those that the scene names.
std::set<std::string> drawn_names(const Json& scene) {
  std::set<std::string> names = {"bodies/position", "bodies/orientation", "joints/position",
                                 "joints/orientation", "joints/end"};
  for (const char* kind : {"spheres", "surfaces", "height_fields", "rods", "arrows"})
    if (scene.contains(kind)) collect_names(scene[kind], names);
  return names;
}

Archive only(const Archive& frame, const std::set<std::string>& names) {
  Archive out;
  for (const Archive::Entry& entry : frame.entries()) {
    if (!names.contains(entry.name)) continue;
    if (const auto* real = std::get_if<std::vector<double>>(&entry.values))
      out.put(entry.name, *real, entry.shape, entry.unit);
    else
      out.put(entry.name, std::get<std::vector<std::int64_t>>(entry.values), entry.shape);
  }
  return out;
}

void strip(Frame& frame, const std::set<std::string>& names) {
  Archive arrays = only(frame.arrays, names);
  frame.is_whole = frame.is_whole && arrays.entries().size() == frame.arrays.entries().size();
  frame.arrays = std::move(arrays);
}

// The picked frames, segment by segment; a segment that has gone (a run that is overwritten) is left out.
std::vector<Frame> read_frames(const RunReader& run, std::span<const std::uint64_t> picks,
                               const std::set<std::string>* names) {
  std::vector<Frame> frames;
  std::uint64_t first = 0;  // number of the segment's first frame
  auto next = picks.begin();
  for (const SegmentInfo& info : run.segments()) {
    const std::uint64_t end = first + info.frames;
    if (next == picks.end()) break;
    if (*next < end) {
      const std::optional<Segment> segment = run.read(info);
      for (; next != picks.end() && *next < end; ++next) {
        if (!segment) continue;
        const std::size_t i = *next - first;
        frames.push_back({segment->time[i], segment->step[i], segment->frame(i)});
        if (names) strip(frames.back(), *names);
      }
    }
    first = end;
  }
  return frames;
}

// As many as the budget of memory allows, spread evenly; only what is drawn where they are large.
std::vector<Frame> read_some_frames(const RunReader& run, const std::set<std::string>& drawn) {
  std::uint64_t size = 0;
  for (const SegmentInfo& info : run.segments()) size += info.bytes;
  const std::uint64_t per_frame = 1 + size / std::max<std::uint64_t>(1, run.frames());
  const std::uint64_t affordable = most_memory / per_frame;
  const bool is_large = affordable < std::min(most_frames, run.frames());
  const auto picks = evenly(run.frames(), std::clamp<std::uint64_t>(affordable, 2, most_frames));
  return read_frames(run, picks, is_large ? &drawn : nullptr);
}

std::vector<FrameStack> stacked(std::span<const Frame> frames, std::span<const std::uint64_t> picks) {
  std::vector<FrameStack> stacks;
  for (std::uint64_t i : picks) {
    if (stacks.empty() || !stacks.back().accepts(frames[i].arrays)) stacks.emplace_back();
    stacks.back().add(frames[i].time, frames[i].step, frames[i].arrays);
  }
  return stacks;
}

std::size_t compressed_size(std::span<const FrameStack> stacks, const Json& scene) {
  Bundle bundle;
  Json list = Json::array();
  for (const FrameStack& stack : stacks) list.push_back(add_stack(bundle, stack));
  return compressed_size(bundle, {{"scene", scene}, {"stacks", std::move(list)}});
}

}  // namespace

CurveLimits fit_curves(std::span<const Panel> panels, std::size_t bytes) {
  CurveLimits limits{std::min<std::size_t>(4000, longest(panels)), panels.size()};
  while (limits.panels > 0) {
    Bundle bundle;
    const Json head = {{"panels", add_panels(bundle, panels.first(limits.panels), limits.points)}};
    if (compressed_size(bundle, head) <= bytes || !shrink(limits)) break;
  }
  return limits;
}

std::string fit_svg(std::span<const Panel> panels, std::size_t bytes, std::size_t& shown) {
  CurveLimits limits{std::min<std::size_t>(1500, longest(panels)), panels.size()};
  do {
    std::string text = draw_inline("", thinned(panels, limits));
    shown = limits.panels;
    if (text.size() <= bytes) return text;
  } while (shrink(limits));
  shown = 0;
  return "";
}

std::vector<std::uint64_t> evenly(std::uint64_t count, std::uint64_t wanted) {
  if (count == 0) return {};
  wanted = std::min(wanted, count);
  if (wanted <= 1) return {count - 1};
  std::vector<std::uint64_t> picks;
  for (std::uint64_t i = 0; i < wanted; ++i) picks.push_back(i * (count - 1) / (wanted - 1));
  return picks;
}

Replay fit_replay(const RunReader& run, const Json& scene, std::size_t bytes) {
  const std::set<std::string> drawn = drawn_names(scene);
  std::vector<Frame> frames = read_some_frames(run, drawn);
  const auto is_whole = [](const Frame& frame) { return frame.is_whole; };
  bool is_stripped = false;
  for (std::uint64_t wanted = frames.size(); wanted > 0;) {
    Replay replay{stacked(frames, evenly(frames.size(), wanted)), wanted, false,
                  std::all_of(frames.begin(), frames.end(), is_whole)};
    const std::size_t needed = compressed_size(replay.stacks, scene);
    if (needed <= bytes) return replay;
    if (!is_stripped) {  // velocities and forces go before frames do
      for (Frame& frame : frames) strip(frame, drawn);
      is_stripped = true;
      if (!std::all_of(frames.begin(), frames.end(), is_whole)) continue;
    }
    // Frames further apart differ more: half of them need at least half the bytes.
    do wanted /= 2;
    while (wanted > 0 && needed * wanted / replay.frames > bytes);
  }
  return {{}, 0, !frames.empty(), true};
}

}  // namespace hardpan::record
