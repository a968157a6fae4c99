// Meshes and height fields against everything.
#pragma once

#include "hardpan/geometry/collide.h"

namespace hardpan::geometry {

// Is it for collide_ground: a mesh or a height field?
bool is_ground(const Shape& shape);

// As collide(), where at least one of the two is a mesh or a height field.
void collide_ground(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, double margin,
                    std::vector<ContactPoint>& out);

}  // namespace hardpan::geometry
