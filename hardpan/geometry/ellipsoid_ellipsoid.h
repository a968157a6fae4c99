// Two ellipsoids. What separates them along a unit vector n,
//
//     s(n) = n . t - |R_a n| - |R_b n|,     R: half axes, turned; t from one centre to the other
//
// is at most their distance, whatever n is, and its maximum is the distance, or less the depth. Newton's
// method on the sphere finds it: the slope is P (t - a - b), with a = R_a^2 n/|R_a n| the point of the first
// surface and b likewise, the curvature -(H_a + H_b + s 1), H = (R^2 - a a^T)/|R n|. On the way most pairs
// whose boxes meet show to be apart: s above the margin, and that is all there is to know.
#pragma once

#include "hardpan/geometry/pair.h"

namespace hardpan::geometry {

// False where they overlap by so much that there may be more than one maximum, or where Newton's method does
// not get there: then nothing is added, and a search has to decide.
bool collide_ellipsoids(const Pair& pair, double margin, LocalPoints& out);

}  // namespace hardpan::geometry
