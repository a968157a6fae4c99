#include "hardpan/record/frame_bundle.h"

#include <algorithm>
#include <limits>

#include <nlohmann/json.hpp>

#include "hardpan/core/error.h"

namespace hardpan::record {
namespace {

using Json = nlohmann::ordered_json;

Json field_json(const Archive::Entry& entry, std::size_t array) {
  const std::vector<std::size_t> shape(entry.shape.begin() + 1, entry.shape.end());  // without the frames
  return {{"name", entry.name}, {"unit", entry.unit}, {"shape", shape}, {"array", array}};
}

std::size_t add_values(Bundle& bundle, std::span<const double> values) { return bundle.add_f32(values); }
std::size_t add_values(Bundle& bundle, std::span<const std::int64_t> values) {
  return bundle.add_i32(values);
}

// How many numbers have a range of their own: each one of a frame, so that a body that flies away does not
// cost the others their precision; but only the components (x, y, z) where so many ranges would outweigh the
// values.
std::size_t ranges_of(const Archive::Entry& stacked, std::size_t values) {
  constexpr std::size_t few_frames = 16, many_values = 10'000;
  constexpr std::size_t longest_component = 9;  // a tensor; a longer last axis is a row of things
  const std::size_t frames = stacked.shape.front(), in_frame = values / frames;
  if (frames >= few_frames && in_frame <= many_values && in_frame > 0) return in_frame;
  const bool has_components = stacked.shape.size() > 2 && stacked.shape.back() >= 1;
  return has_components && stacked.shape.back() <= longest_component ? stacked.shape.back() : 1;
}

double first_finite(std::span<const double> values) {
  const auto it = std::find_if(values.begin(), values.end(), is_plottable);
  return it == values.end() ? 0 : *it;
}

// The indices [first, last) of an ascending x that lie in `range`, and one more on either side.
std::pair<std::size_t, std::size_t> within(std::span<const double> x, std::optional<Interval> range) {
  if (!range) return {0, x.size()};
  const auto first = std::lower_bound(x.begin(), x.end(), range->low);
  const auto last = std::upper_bound(first, x.end(), range->high);
  return {static_cast<std::size_t>(first - x.begin()) - (first == x.begin() ? 0 : 1),
          static_cast<std::size_t>(last - x.begin()) + (last == x.end() ? 0 : 1)};
}

// Indices of [first, last) at which a curve is lowest or highest in its stretch, and of values that break a
// line; the ends are always kept.
std::vector<std::size_t> surviving(std::span<const Curve* const> curves, std::size_t first, std::size_t last,
                                   std::size_t limit) {
  std::vector<std::size_t> kept;
  const std::size_t count = last - first;
  if (count <= limit) {
    for (std::size_t i = first; i < last; ++i) kept.push_back(i);
    return kept;
  }
  const std::size_t stretches = std::max<std::size_t>(1, limit / (2 * curves.size()));
  for (std::size_t s = 0; s < stretches; ++s) {
    const std::size_t begin = first + s * count / stretches, end = first + (s + 1) * count / stretches;
    for (const Curve* curve : curves) {
      std::size_t low = end, high = end, broken = end;
      for (std::size_t i = begin; i < end; ++i) {
        const double y = curve->y[i];
        if (!is_plottable(y)) {
          broken = i;
          continue;
        }
        if (low == end || y < curve->y[low]) low = i;
        if (high == end || y > curve->y[high]) high = i;
      }
      for (std::size_t i : {low, high, broken})
        if (i != end) kept.push_back(i);
    }
  }
  kept.push_back(first);
  kept.push_back(last - 1);
  std::sort(kept.begin(), kept.end());
  kept.erase(std::unique(kept.begin(), kept.end()), kept.end());
  return kept;
}

std::vector<double> picked(std::span<const double> values, std::span<const std::size_t> indices) {
  std::vector<double> out;
  for (std::size_t i : indices) out.push_back(values[i]);
  return out;
}

// Curves of a panel with one x: thinned together, so that they share it in the bundle as well.
void add_curves(Bundle& bundle, std::span<const Curve* const> curves, std::size_t limit,
                std::optional<Interval> range, Json& out) {
  const std::vector<double>& x = curves[0]->x;
  const auto [first, last] = within(x, range);
  const auto kept = surviving(curves, first, last, limit);
  const std::size_t x_array = bundle.add_f64(picked(x, kept));
  for (const Curve* curve : curves) {
    const auto y = picked(curve->y, kept);
    out.push_back({{"label", curve->label}, {"x", x_array}, {"y", bundle.add_f32(y, first_finite(y))}});
  }
}

}  // namespace

Json add_frame(Bundle& bundle, const Segment& segment, std::size_t index) {
  HARDPAN_CHECK(index < segment.frames(), "no such frame");
  Json fields = Json::array();
  for (const Archive::Entry& entry : segment.arrays.entries())
    std::visit(
        [&](const auto& values) {
          const std::size_t size = values.size() / segment.frames();
          fields.push_back(
              field_json(entry, add_values(bundle, std::span(values).subspan(index * size, size))));
        },
        entry.values);
  return {{"times", {segment.time[index]}}, {"steps", {segment.step[index]}}, {"fields", std::move(fields)}};
}

Json add_stack(Bundle& bundle, const FrameStack& frames) {
  Json fields = Json::array();
  const Archive stacked = frames.stacked();
  for (const Archive::Entry& entry : stacked.entries()) {
    if (entry.name == "time" || entry.name == "step") continue;
    if (const auto* real = std::get_if<std::vector<double>>(&entry.values))
      fields.push_back(
          field_json(entry, bundle.add_q16(*real, frames.time().size(), ranges_of(entry, real->size()))));
    else
      fields.push_back(field_json(
          entry, bundle.add_d32(std::get<std::vector<std::int64_t>>(entry.values), frames.time().size())));
  }
  return {{"times", frames.time()}, {"steps", frames.step()}, {"fields", std::move(fields)}};
}

Json add_panels(Bundle& bundle, std::span<const Panel> panels, std::size_t limit,
                std::optional<Interval> range) {
  Json list = Json::array();
  for (const Panel& panel : panels) {
    Json curves = Json::array();
    for (auto next = panel.curves.begin(); next != panel.curves.end();) {
      const Curve& leader = *next++;
      std::vector<const Curve*> group = {&leader};  // also where x holds NaN and equals nothing
      for (; next != panel.curves.end() && next->x == leader.x; ++next) group.push_back(&*next);
      add_curves(bundle, group, limit, range, curves);
    }
    list.push_back({{"title", panel.title},
                    {"x_label", panel.x_label},
                    {"y_label", panel.y_label},
                    {"curves", std::move(curves)}});
  }
  return list;
}

}  // namespace hardpan::record
