// Frames and curves as bundles (bundle.h), for the viewer and the report.
//
// A stack of frames in a head:
//   {"times": [s], "steps": [...], "fields": [{"name": "bodies/position", "unit": "m", "shape": [n, 3],
//   "array": k}]}
// where the array holds all frames one after another. Curves in a head:
//   {"title": ..., "x_label": ..., "y_label": ..., "curves": [{"label": ..., "x": k, "y": k}]}
#pragma once

#include <optional>
#include <span>

#include <nlohmann/json_fwd.hpp>

#include "hardpan/record/bundle.h"
#include "hardpan/record/plot_axis.h"
#include "hardpan/record/segment.h"
#include "hardpan/record/svg.h"

namespace hardpan::record {

// One frame in single precision; quick to make.
nlohmann::ordered_json add_frame(Bundle& bundle, const Segment& segment, std::size_t index);

// Frames of one layout, quantised to 16 bits and ready to be compressed; NaN in orientation or position stays
// NaN.
nlohmann::ordered_json add_stack(Bundle& bundle, const FrameStack& frames);

// Curves whose x ascends, as a list of panels. Those of a panel with the same x are thinned together to about
// `limit` points within `range` of x (everything by default), such that the lowest and highest value of every
// curve in every stretch survive. One point on either side of the range is kept, so that lines go on to the
// edge.
nlohmann::ordered_json add_panels(Bundle& bundle, std::span<const Panel> panels, std::size_t limit,
                                  std::optional<Interval> range = {});

}  // namespace hardpan::record
