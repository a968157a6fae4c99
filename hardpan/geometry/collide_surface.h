// A convex shape against the triangles of a mesh or height field, as one surface and not one by one.
//
// Where a convex shape touches a surface along normal n, n belongs to the part of the surface that is
// touched:
//
//   a face             its normal
//   a convex edge      the arc between the normals of its two faces
//   a convex vertex    n . (w - v) <= 0 for all neighbours w of v
//   a flat or concave edge, a vertex that is no tip in direction n: nothing of its own, the faces do it
//
// So every part is asked only for contacts with a normal of its own. That leaves no ghosts at the inner edges
// of a triangulated plane, and loses nothing, since the normals of all parts together are those of the
// surface.
//
//   faces   The points of the shape that look towards the plane of the triangle, exactly as against a plane
//   (at any
//           depth), where they stand over the triangle. Below a concave edge there is a wedge that is over
//           neither face: there, both count.
//   edges   The edge as a bare segment against the shape. A normal just outside the arc is turned to its end:
//   the
//           shape lies nearly flat on that face and the edge is the rim of the contact.
//
// A point behind a face is judged: if the way from it to the face leaves the solid, it is outside and meant
// another side of a thin wall. If it is behind several faces (a convex edge), the face counts that the whole
// shape can leave by the shorter way, as in the separating axis test.
#pragma once

#include <vector>

#include "hardpan/geometry/support.h"
#include "hardpan/geometry/surface.h"

namespace hardpan::geometry {

struct SurfacePointPair {
  Vec3 normal;      // from the surface to the shape
  Vec3 on_surface;  // the point of the shape is on_surface + gap normal
  double gap;
  std::uint32_t surface_part, shape_part;  // see support.h; faces t, edges 3 t + k, vertices
};

// All in the frame of the surface. `box` is around the shape, without margin. What lies behind an open sheet
// by less than `reach` counts as fallen through.
void collide_surface(const Surface& surface, const Convex& shape, const Pose& pose, const Aabb& box,
                     double margin, std::vector<SurfacePointPair>& out, double reach = 0);

// Of points with nearly the same normal, leaves the deepest and those farthest from the ones already chosen.
void reduce(std::vector<SurfacePointPair>& points, std::size_t first);

}  // namespace hardpan::geometry
