// Where the surface of a solid shape is nearest to a point, and on which side the point is: for shapes that
// are filled with something. Convex shapes with curved or flat sides (not hulls) and closed meshes.
#pragma once

#include "hardpan/geometry/closest_point.h"
#include "hardpan/geometry/shape.h"

namespace hardpan::geometry {

bool has_nearest_surface(const Shape& shape);

// In the frame of the shape, which must have one. Of a mesh, the side is told by the solid angle that its
// triangles cover (Van Oosterom & Strackee, IEEE Trans. Biomed. Eng. 30 (1983) 125-126), and all triangles
// are looked at: not for every step.
SurfacePoint nearest_surface(const Shape& shape, const Vec3& p);

// The nearest point of a triangle.
Vec3 nearest_on_triangle(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c);

}  // namespace hardpan::geometry
