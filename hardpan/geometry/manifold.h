// From one normal to all points of a contact.
//
// The features of both cores that face the normal n are projected along it; at each corner of the
// intersection of the two projections stands a point, with
//
//   gap = height of B's feature - height of A's feature   along n.
//
// Nothing here asks whether the features are parallel: a corner whose gap exceeds the margin is left out, so
// points come and go at the margin, where they carry no force, and the manifold is a continuous function of
// the poses. Since n is the direction of least overlap, no gap is less than that of the witness; if no corner
// reaches it (curved features), the witness is added.
#pragma once

#include "hardpan/geometry/pair.h"

namespace hardpan::geometry {

// Points of the two shapes (cores and radii) with a gap of at most `margin`.
void manifold(const Pair& pair, const Witness& witness, double margin, LocalPoints& out);

// The corners of the intersection alone, gaps between cores. Empty if the projections miss each other.
void intersect_features(const Pair& pair, const Vec3& normal, LocalPoints& out);

// Leaves the deepest point, the farthest from it, and then those that add most area, eight in all.
void reduce(LocalPoints& points, int most = 8);

}  // namespace hardpan::geometry
