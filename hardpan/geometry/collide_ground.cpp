#include "hardpan/geometry/collide_ground.h"

#include "hardpan/geometry/collide.h"
#include "hardpan/geometry/collide_surface.h"

namespace hardpan::geometry {
namespace {

Surface surface_of(const Shape& shape) {
  if (const Mesh* mesh = std::get_if<Mesh>(&shape)) return Surface(*mesh->surface);
  return Surface(*std::get<HeightField>(shape).grid);
}

std::shared_ptr<const Polyhedron> hull_of(const Shape& shape) {
  const Mesh* mesh = std::get_if<Mesh>(&shape);
  return mesh ? mesh->surface->hull : nullptr;
}

// Of two surfaces, each vertex of one that is near the other. Edges that cross are not looked for.
void collide_vertices(const Surface& of, const Surface& with, const Pose& pose, double margin,
                      std::vector<SurfacePointPair>& out) {
  const Convex point;
  Aabb box;
  for (std::uint32_t v = 0; v < of.vertices(); ++v) box = box.merged(of.vertex(v));
  const double reach = 0.25 * (box.high - box.low).minCoeff();
  const std::size_t first = out.size();
  for (std::uint32_t v = 0; v < of.vertices(); ++v) {
    const Pose place{pose.point(of.vertex(v)), Quat::Identity()};
    const std::size_t before = out.size();
    collide_surface(with, point, place, {place.x, place.x}, margin, out, reach);
    for (std::size_t k = before; k < out.size(); ++k) out[k].shape_part = part(PartKind::vertex, v);
  }
  reduce(out, first);
}

// The vertices of a mesh over the half-space z <= 0, in the frame of the plane.
void collide_plane(const Surface& surface, const Pose& pose, double margin,
                   std::vector<SurfacePointPair>& out) {
  const Mat3 turn = pose.q.toRotationMatrix();
  for (std::uint32_t v = 0; v < surface.vertices(); ++v) {
    const Vec3 x = turn * surface.vertex(v) + pose.x;
    if (x.z() <= margin)
      out.push_back(
          {Vec3::UnitZ(), {x.x(), x.y(), 0}, x.z(), part(PartKind::face, 0), part(PartKind::vertex, v)});
  }
  reduce(out, 0);
}

Pose relative(const Pose& to, const Pose& of) { return {to.local_point(of.x), to.q.conjugate() * of.q}; }

// Points with the surface at `pose` as A, or as B if `swapped`.
void emit(const std::vector<SurfacePointPair>& points, const Pose& pose, bool swapped,
          std::vector<ContactPoint>& out) {
  const Mat3 turn = pose.q.toRotationMatrix();
  for (const SurfacePointPair& p : points) {
    const Vec3 normal = turn * p.normal, on_surface = pose.x + turn * p.on_surface,
               on_shape = on_surface + p.gap * normal;
    const std::uint64_t mine = p.surface_part, other = p.shape_part;
    if (swapped)
      out.push_back({-normal, on_shape, on_surface, p.gap, other << 32 | mine});
    else
      out.push_back({normal, on_surface, on_shape, p.gap, mine << 32 | other});
  }
}

}  // namespace

bool is_ground(const Shape& shape) {
  return std::holds_alternative<Mesh>(shape) || std::holds_alternative<HeightField>(shape);
}

void collide_ground(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, double margin,
                    std::vector<ContactPoint>& out) {
  if (const auto hull = hull_of(a)) return collide(Hull{hull}, pose_a, b, pose_b, margin, out);
  if (const auto hull = hull_of(b)) return collide(a, pose_a, Hull{hull}, pose_b, margin, out);
  thread_local std::vector<SurfacePointPair> points;
  points.clear();
  const bool swapped = !is_ground(a);
  const Shape &ground = swapped ? b : a, &other = swapped ? a : b;
  const Pose &at_ground = swapped ? pose_b : pose_a, &at_other = swapped ? pose_a : pose_b;
  const Surface surface = surface_of(ground);
  const Pose pose = relative(at_ground, at_other);
  if (const std::optional<Convex> shape = convex(other)) {
    collide_surface(surface, *shape, pose, bounds(other, pose), margin, points);
    emit(points, at_ground, swapped, out);
  } else if (std::holds_alternative<Plane>(other)) {
    if (surface.grid()) return;
    collide_plane(surface, relative(at_other, at_ground), margin, points);
    emit(points, at_other, !swapped, out);
  } else {
    collide_vertices(surface_of(other), surface, pose, margin, points);
    emit(points, at_ground, false, out);
    if (surface.grid()) return;
    points.clear();
    collide_vertices(surface, surface_of(other), relative(at_other, at_ground), margin, points);
    emit(points, at_other, true, out);
  }
}

}  // namespace hardpan::geometry
