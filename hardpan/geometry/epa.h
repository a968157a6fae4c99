// The shortest way out of an overlap.
#pragma once

#include "hardpan/geometry/pair.h"
#include "hardpan/geometry/simplex.h"

namespace hardpan::geometry {

// The expanding polytope (van den Bergen 2001; 2003, 4.3.8) from the last simplex of GJK. Ends when the
// polytope is within `tolerance` (m) of the boundary of B - A, or when rounding stops it; any direction is an
// honest upper bound of the depth, so the best one seen is returned. The origin may lie outside by a rounding
// error.
Witness way_out(const Pair& pair, const Simplex& start, double tolerance);

}  // namespace hardpan::geometry
