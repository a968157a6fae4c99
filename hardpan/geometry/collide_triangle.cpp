#include "hardpan/geometry/collide_triangle.h"

#include <cmath>

#include "hardpan/geometry/collide_convex.h"

namespace hardpan::geometry {
namespace {

// Within 1e-9 of the size of an edge or corner counts as on it.
std::uint32_t part_at(const std::array<Vec3, 3>& t, const Vec3& p) {
  const Vec3 normal = (t[1] - t[0]).cross(t[2] - t[0]);
  double size = 0;
  for (std::size_t k = 0; k < 3; ++k) size = std::max(size, (t[(k + 1) % 3] - t[k]).norm());
  const double close = 1e-9 * size;
  for (std::size_t k = 0; k < 3; ++k)
    if ((p - t[k]).norm() <= close) return part(PartKind::vertex, k);
  for (std::size_t k = 0; k < 3; ++k) {
    const Vec3 along = t[(k + 1) % 3] - t[k];
    if (along.cross(p - t[k]).dot(normal) <= close * along.norm() * normal.norm())
      return part(PartKind::edge, k);
  }
  return part(PartKind::face, 0);
}

}  // namespace

void collide_triangle(const Shape& shape, const Pose& pose, const std::array<Vec3, 3>& triangle,
                      double margin, std::vector<ContactPoint>& out) {
  const std::optional<Convex> b = convex(shape);
  if (!b) return;
  // Coordinates relative to the shape keep their digits far from the origin.
  Convex a{.core = Core::triangle};
  for (std::size_t k = 0; k < 3; ++k) a.corners[k] = triangle[k] - pose.x;
  const std::size_t before = out.size();
  collide_convex(a, {pose.x, Quat::Identity()}, *b, pose, margin, false, out);
  for (std::size_t k = before; k < out.size(); ++k) {
    const auto known = static_cast<std::uint32_t>(out[k].feature >> 32);
    if (kind_of_part(known) != PartKind::surface) continue;
    const std::uint64_t p = part_at(triangle, out[k].on_a);
    out[k].feature = p << 32 | (out[k].feature & 0xffffffffu);
  }
}

}  // namespace hardpan::geometry
