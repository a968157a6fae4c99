#include "hardpan/geometry/collide_triangle.h"

#include "hardpan/geometry/collide_convex.h"

namespace hardpan::geometry {
void collide_triangle(const Shape& shape, const Pose& pose, const std::array<Vec3, 3>& triangle,
                      double margin, std::vector<ContactPoint>& out) {
  const std::optional<Convex> b = convex(shape);
  if (!b) return;
  // Coordinates relative to the shape keep their digits far from the origin.
  Convex a{.core = Core::triangle};
  for (std::size_t k = 0; k < 3; ++k) a.corners[k] = triangle[k] - pose.x;
  collide_convex(a, {pose.x, Quat::Identity()}, *b, pose, margin, false, out);
}

}  // namespace hardpan::geometry
