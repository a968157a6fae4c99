// The narrow phase of convex shapes and planes, for callers that know the order of the two.
#pragma once

#include <vector>

#include "hardpan/geometry/collide.h"
#include "hardpan/geometry/pair.h"

namespace hardpan::geometry {

// As collide(). `swapped`: the caller's A is `b`, so normals, points and parts change places.
void collide_ordered(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, double margin,
                     bool swapped, std::vector<ContactPoint>& out);

// The same for anything that has a support mapping: a bare triangle, say. Features are (part of A) << 32 |
// part of B, see support.h.
void collide_convex(const Convex& a, const Pose& pose_a, const Convex& b, const Pose& pose_b, double margin,
                    bool swapped, std::vector<ContactPoint>& out);

}  // namespace hardpan::geometry
