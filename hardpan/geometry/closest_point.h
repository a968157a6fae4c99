// Where the surface of a core is nearest to a point: spheres against everything.
#pragma once

#include "hardpan/geometry/support.h"

namespace hardpan::geometry {

struct SurfacePoint {
  Vec3 point;
  Vec3 normal;      // outward, unit
  double distance;  // normal . (p - point); negative inside
};

// For every core but hulls and triangles. Where several points are nearest (the axis of a cylinder), one of
// them by a fixed rule.
SurfacePoint closest_point(const Convex& core, const Vec3& p);

}  // namespace hardpan::geometry
