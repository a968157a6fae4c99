// Two capsules.
#pragma once

#include "hardpan/geometry/pair.h"

namespace hardpan::geometry {

// The closest points of the axes (Ericson 2005, 5.1.9), and every end of an axis that stands over the inside
// of the other one: parallel capsules touch in two points. Each point has its own normal.
void collide_capsules(const Pair& pair, double margin, LocalPoints& out);

}  // namespace hardpan::geometry
