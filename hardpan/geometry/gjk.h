// Distance and depth of two convex cores from their support mappings alone.
#pragma once

#include <optional>

#include "hardpan/geometry/pair.h"

namespace hardpan::geometry {

// Nothing if the shapes (cores and radii) are farther apart than the margin.
std::optional<Witness> separation(const Pair& pair, double margin);

}  // namespace hardpan::geometry
