#include "hardpan/geometry/surface_part.h"

#include <cmath>

#include "hardpan/geometry/closest_point.h"
#include "hardpan/geometry/polyhedron.h"

namespace hardpan::geometry {
namespace {

using Form = SurfacePart::Form;

Vec3 box_corner(const Vec3& h, std::size_t k) {
  return {k & 1 ? h.x() : -h.x(), k & 2 ? h.y() : -h.y(), k & 4 ? h.z() : -h.z()};
}

// The affine hull of all corners within a slope of `angle` below the highest.
template <class Corner>
SurfacePart flat_part(std::size_t count, Corner&& corner, const Vec3& n, const Vec3& p, double angle) {
  std::size_t top = 0;
  double highest = corner(0).dot(n);
  for (std::size_t k = 1; k < count; ++k) {
    const double height = corner(k).dot(n);
    if (height > highest) highest = height, top = k;
  }
  SurfacePart out;
  out.origin = corner(top);
  if (angle == 0) return out;
  for (std::size_t k = 0; k < count && out.free < 2; ++k) {
    Vec3 way = corner(k) - out.origin;
    const double length = way.norm();
    if (length == 0 || -way.dot(n) > angle * length) continue;
    if (out.free == 1) way -= out.along[0] * out.along[0].dot(way);
    if (way.norm() <= 1e-3 * length) continue;
    out.along[static_cast<std::size_t>(out.free++)] = way.normalized();
  }
  for (int i = 0; i < out.free; ++i) out.t[i] = out.along[static_cast<std::size_t>(i)].dot(p - out.origin);
  return out;
}

SurfacePart disc_part(const Vec3& centre, const Vec3& p) {
  SurfacePart out;
  out.free = 2;
  out.origin = centre;
  out.along = {Vec3::UnitX(), Vec3::UnitY()};
  out.t = (p - centre).head<2>();
  return out;
}

SurfacePart vertex_part(const Vec3& at) {
  SurfacePart out;
  out.origin = at;
  return out;
}

SurfacePart curved_part(Form form, const Vec3& size, const Vec3& origin, int free, double t) {
  SurfacePart out;
  out.form = form;
  out.free = free;
  out.origin = origin;
  out.size = size;
  out.t[0] = t;
  return out;
}

SurfacePart cylinder_part(const Vec3& h, const Vec3& n, const Vec3& p, double angle) {
  const Vec3 cap(0, 0, std::copysign(h.z(), n.z()));
  if (std::hypot(n.x(), n.y()) < angle) return disc_part(cap, p);
  if (std::abs(n.z()) < angle) return curved_part(Form::cylinder_side, h, Vec3::Zero(), 1, p.z());
  return curved_part(Form::rim, h, cap, 0, 0);
}

SurfacePart cone_part(const Vec3& size, const Vec3& n, const Vec3& p, double angle) {
  const double r = size.x(), h = size.z(), slant = std::hypot(r, h), rho = std::hypot(n.x(), n.y());
  const Vec3 tip(0, 0, 0.75 * h), base(0, 0, -0.25 * h);
  if (rho < angle && n.z() < 0) return disc_part(base, p);
  const double above = (h * n.z() - r * rho) / slant;
  if (std::abs(above) < angle)
    return curved_part(Form::cone_side, size, tip, 1, (tip.z() - p.z()) * slant / h);
  return above > 0 ? vertex_part(tip) : curved_part(Form::rim, size, base, 0, 0);
}

bool in_triangle(const std::array<Vec3, 3>& t, const Vec3& p, double tolerance) {
  const Vec3 normal = (t[1] - t[0]).cross(t[2] - t[0]);
  const double area = normal.norm();
  if (area == 0 || std::abs(normal.dot(p - t[0])) > tolerance * area) return false;
  for (std::size_t k = 0; k < 3; ++k) {
    const Vec3 along = t[(k + 1) % 3] - t[k];
    if (along.cross(p - t[k]).dot(normal) < -tolerance * along.norm() * area) return false;
  }
  return true;
}

}  // namespace

PartValue evaluate(const SurfacePart& part, const Vec3& n) {
  PartValue v;
  if (part.form == Form::flat) {
    v.point = part.origin;
    for (int i = 0; i < part.free; ++i) {
      const auto k = static_cast<std::size_t>(i);
      v.point += part.t[i] * part.along[k];
      v.by_t[k] = v.condition_by_normal[k] = part.along[k];
      v.condition[k] = n.dot(part.along[k]);
    }
    return v;
  }
  if (part.form == Form::ellipsoid) {
    const Vec3 squares = part.size.cwiseAbs2();
    const double h = part.size.cwiseProduct(n).norm();
    v.point = squares.cwiseProduct(n) / h;
    v.by_normal = (Mat3(squares.asDiagonal()) - v.point * v.point.transpose()) / h;
    return v;
  }
  // Surfaces of revolution: u is the direction of n away from the axis, du/dn = (1 - u u^T)/rho across it.
  const double rho = std::hypot(n.x(), n.y());
  const Vec3 u(n.x() / rho, n.y() / rho, 0);
  const Mat3 turn = (Vec3(1, 1, 0).asDiagonal().toDenseMatrix() - u * u.transpose()) / rho;
  const double r = part.size.x();
  if (part.form == Form::rim) {
    v.point = part.origin + r * u;
    v.by_normal = r * turn;
  } else if (part.form == Form::cylinder_side) {
    v.point = r * u + part.t[0] * Vec3::UnitZ();
    v.by_normal = r * turn;
    v.by_t[0] = v.condition_by_normal[0] = Vec3::UnitZ();
    v.condition[0] = n.z();
  } else {
    const double slant = std::hypot(r, part.size.z());
    const Vec3 down = (r * u - part.size.z() * Vec3::UnitZ()) / slant;
    v.point = part.origin + part.t[0] * down;
    v.by_normal = part.t[0] * (r / slant) * turn;
    v.by_t[0] = v.condition_by_normal[0] = down;
    v.condition[0] = n.dot(down);
  }
  return v;
}

SurfacePart part_facing(const Convex& c, const Vec3& n, const Vec3& p, double angle) {
  switch (c.core) {
    case Core::point:
      return vertex_part(Vec3::Zero());
    case Core::segment:
      return flat_part(
          2, [&](std::size_t k) { return Vec3(0, 0, k == 0 ? -c.half.z() : c.half.z()); }, n, p, angle);
    case Core::triangle:
      return flat_part(
          3, [&](std::size_t k) { return c.corners[k]; }, n, p, angle);
    case Core::box:
      return flat_part(
          8, [&](std::size_t k) { return box_corner(c.half, k); }, n, p, angle);
    case Core::hull:
      return flat_part(
          c.hull->vertices.size(), [&](std::size_t k) { return c.hull->vertices[k]; }, n, p, angle);
    case Core::cylinder:
      return cylinder_part(c.half, n, p, angle);
    case Core::cone:
      return cone_part(c.half, n, p, angle);
    case Core::ellipsoid:
      return curved_part(Form::ellipsoid, c.half, Vec3::Zero(), 0, 0);
  }
  return {};
}

bool contains(const Convex& c, const Vec3& p, double tolerance) {
  if (c.core == Core::triangle) return in_triangle(c.corners, p, tolerance);
  if (c.core != Core::hull) return closest_point(c, p).distance <= tolerance;
  for (std::size_t f = 0; f < c.hull->faces(); ++f)
    if (c.hull->normals[f].dot(p - c.hull->vertices[c.hull->face(f)[0]]) > tolerance) return false;
  return true;
}

}  // namespace hardpan::geometry
