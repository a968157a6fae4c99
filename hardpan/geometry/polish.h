// The last digits of a contact between curved shapes.
//
// GJK and the expanding polytope find the distance to an error e, but the normal and the points only to about
// sqrt(e): near the best normal the distance is flat. The conditions of the optimum have no such flatness.
// With a and b on the parts of the two surfaces that meet they read
//
//   b - a = g n,   |n| = 1,   n normal to A at a,   -n normal to B at b.
//
// A part is flat (vertex, edge, face: a = o + E t, E^T n = 0), strictly curved (a function of n: ellipsoid,
// rim of a disc) or ruled (sides of cylinders and cones: a function of n and t, one condition on n). Newton's
// method on (n, g, t_a, t_b), from the estimate, needs two or three steps.
#pragma once

#include "hardpan/geometry/pair.h"

namespace hardpan::geometry {

// Replaces the witness and returns true if a choice of parts fits and the result is proven: a and b lie in
// the cores, and no other point of them is farther along n, which makes g the distance.
bool polish(const Pair& pair, Witness& witness);

}  // namespace hardpan::geometry
