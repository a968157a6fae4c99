#include "hardpan/geometry/support.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "hardpan/geometry/polyhedron.h"

namespace hardpan::geometry {
namespace {

struct MakeConvex {
  using Result = std::optional<Convex>;
  Result operator()(const Sphere& s) const { return Convex{.core = Core::point, .radius = s.radius}; }
  Result operator()(const Capsule& c) const {
    return Convex{.core = Core::segment, .radius = c.radius, .half = {0, 0, 0.5 * c.length}};
  }
  Result operator()(const Box& b) const { return Convex{.core = Core::box, .half = 0.5 * b.size}; }
  Result operator()(const Cylinder& c) const {
    return Convex{.core = Core::cylinder, .half = {c.radius, c.radius, 0.5 * c.length}};
  }
  Result operator()(const Cone& c) const {
    return Convex{.core = Core::cone, .half = {c.radius, c.radius, c.height}};
  }
  Result operator()(const Ellipsoid& e) const { return Convex{.core = Core::ellipsoid, .half = e.radii}; }
  Result operator()(const Hull& h) const { return Convex{.core = Core::hull, .hull = h.body.get()}; }
  template <class Other>
  Result operator()(const Other&) const {
    return std::nullopt;
  }
};

std::size_t farthest(const Polyhedron& hull, const Vec3& d) {
  std::size_t best = 0;
  double most = hull.vertices[0].dot(d);
  for (std::size_t k = 1; k < hull.vertices.size(); ++k) {
    const double along = hull.vertices[k].dot(d);
    if (along > most) most = along, best = k;
  }
  return best;
}

// The point of the circle of radius r about z that is farthest along d; +x where all are alike.
Vec3 on_rim(double r, const Vec3& d, double z) {
  const double length = std::hypot(d.x(), d.y());
  return length > 0 ? Vec3(r * (d.x() / length), r * (d.y() / length), z) : Vec3(r, 0, z);
}

// The corner of a box whose coordinates are positive where the bits of its name are set.
Vec3 corner(const Vec3& h, std::size_t vertex) {
  return {vertex & 1 ? h.x() : -h.x(), vertex & 2 ? h.y() : -h.y(), vertex & 4 ? h.z() : -h.z()};
}

void box_face(const Vec3& h, const Vec3& d, Feature& out) {
  Eigen::Index axis;
  d.cwiseAbs().maxCoeff(&axis);
  const Eigen::Index u = (axis + 1) % 3, v = (axis + 2) % 3;
  const std::size_t up = d[axis] >= 0 ? 1 : 0;
  out.face = static_cast<std::uint32_t>(2 * axis) + static_cast<std::uint32_t>(up);
  constexpr std::size_t up_u[] = {0, 1, 1, 0}, up_v[] = {0, 0, 1, 1};
  for (int k = 0; k < 4; ++k) {
    const std::size_t vertex = up << axis | up_u[k] << u | up_v[k] << v;
    const Vec3 p = corner(h, vertex);
    // An edge is named by its direction and the signs of its two fixed coordinates, whichever face shows it.
    const Eigen::Index along = k % 2 == 0 ? u : v;
    const std::size_t fixed_signs = vertex & ~(std::size_t{1} << along);
    out.add(p, vertex, static_cast<std::size_t>(along) * 8 + fixed_signs);
  }
}

void box_edge(const Vec3& h, const Vec3& d, Feature& out) {
  Eigen::Index along;
  d.cwiseAbs().minCoeff(&along);
  Vec3 p = h;
  std::size_t fixed_signs = 0;
  for (Eigen::Index k = 0; k < 3; ++k) {
    if (k == along) continue;
    p[k] = std::copysign(h[k], d[k]);
    if (p[k] > 0) fixed_signs |= std::size_t{1} << k;
  }
  const std::size_t edge = static_cast<std::size_t>(along) * 8 + fixed_signs;
  p[along] = -h[along];
  out.add(p, fixed_signs, edge);
  p[along] = h[along];
  out.add(p, fixed_signs | std::size_t{1} << along, edge);
}

void disc(double r, double z, int rim, std::size_t face, Feature& out) {
  out.face = static_cast<std::uint32_t>(face);
  out.round = true;
  for (int k = 0; k < rim; ++k) {
    const double angle = 2 * std::numbers::pi * k / rim;
    const std::size_t index = face * 64 + static_cast<std::size_t>(k);
    out.add({r * std::cos(angle), r * std::sin(angle), z}, index, index);
  }
}

void triangle_feature(const Convex& c, const Vec3& d, Feature& out) {
  const auto& p = c.corners;
  const Vec3 normal = (p[1] - p[0]).cross(p[2] - p[0]);
  if (std::abs(normal.dot(d)) > 0.5 * normal.norm()) {
    for (std::size_t k = 0; k < 3; ++k) out.add(p[k], k, k);
    return;
  }
  // Seen from its side: of the two edges at the farthest corner, the one that lies flatter.
  const double along[] = {p[0].dot(d), p[1].dot(d), p[2].dot(d)};
  const auto top = static_cast<std::size_t>(std::max_element(along, along + 3) - along);
  const std::size_t next = (top + 1) % 3, last = (top + 2) % 3;
  const double drop_next = (along[top] - along[next]) * (p[top] - p[last]).norm();
  const double drop_last = (along[top] - along[last]) * (p[top] - p[next]).norm();
  const std::size_t start = drop_next <= drop_last ? top : last;
  out.add(p[start], start, start);
  out.add(p[(start + 1) % 3], (start + 1) % 3, start);
}

void hull_face(const Polyhedron& hull, const Vec3& d, Feature& out) {
  const double top = hull.vertices[farthest(hull, d)].dot(d);
  std::size_t best = hull.faces();
  double facing = -2, size = 0;
  int most_on_top = 1;
  for (const Vec3& p : hull.vertices) size = std::max(size, p.cwiseAbs().maxCoeff());
  for (std::size_t f = 0; f < hull.faces(); ++f) {
    const double cosine = hull.normals[f].dot(d);
    if (cosine < 0.1) continue;
    int on_top = 0;  // an edge that looks this way belongs to two faces, its ends to more
    for (const std::uint32_t corner : hull.face(f))
      on_top += hull.vertices[corner].dot(d) >= top - 1e-12 * size;
    if (on_top < most_on_top || (on_top == most_on_top && cosine <= facing)) continue;
    best = f;
    facing = cosine;
    most_on_top = on_top;
  }
  if (best == hull.faces()) {
    const std::size_t v = farthest(hull, d);
    out.add(hull.vertices[v], v, v);
    return;
  }
  out.face = static_cast<std::uint32_t>(best);
  const auto corners = hull.face(best);
  const std::size_t n = corners.size(), kept = std::min<std::size_t>(n, Feature::most);
  for (std::size_t k = 0; k < kept; ++k) {
    const std::size_t corner = k * n / kept;
    out.add(hull.vertices[corners[corner]], corners[corner], hull.face_start[best] + corner);
  }
}

void hull_edge(const Polyhedron& hull, const Vec3& d, Feature& out) {
  const std::size_t top = farthest(hull, d);
  double flattest = HUGE_VAL;
  for (std::size_t f = 0; f < hull.faces(); ++f) {
    const auto corners = hull.face(f);
    for (std::size_t k = 0; k < corners.size(); ++k) {
      const std::size_t from = corners[k], to = corners[(k + 1) % corners.size()];
      if (from != top) continue;
      const Vec3 way = hull.vertices[from] - hull.vertices[to];
      const double slope = way.dot(d) / way.norm();
      if (slope >= flattest) continue;
      flattest = slope;
      out.count = 0;
      out.add(hull.vertices[from], from, hull.face_start[f] + k);
      out.add(hull.vertices[to], to, hull.face_start[f] + k);
    }
  }
}

}  // namespace

std::optional<Convex> convex(const Shape& shape) { return std::visit(MakeConvex{}, shape); }

Vec3 support(const Convex& c, const Vec3& d) {
  switch (c.core) {
    case Core::point:
      return Vec3::Zero();
    case Core::segment:
      return {0, 0, d.z() >= 0 ? c.half.z() : -c.half.z()};
    case Core::triangle: {
      const double a = c.corners[0].dot(d), b = c.corners[1].dot(d), e = c.corners[2].dot(d);
      return a >= b && a >= e ? c.corners[0] : b >= e ? c.corners[1] : c.corners[2];
    }
    case Core::box:
      return {std::copysign(c.half.x(), d.x() == 0 ? 1 : d.x()),
              std::copysign(c.half.y(), d.y() == 0 ? 1 : d.y()),
              std::copysign(c.half.z(), d.z() == 0 ? 1 : d.z())};
    case Core::hull:
      return c.hull->vertices[farthest(*c.hull, d)];
    case Core::cylinder:
      return on_rim(c.half.x(), d, d.z() >= 0 ? c.half.z() : -c.half.z());
    case Core::cone: {
      const Vec3 tip(0, 0, 0.75 * c.half.z()), base = on_rim(c.half.x(), d, -0.25 * c.half.z());
      return tip.dot(d) > base.dot(d) ? tip : base;
    }
    case Core::ellipsoid: {
      const Vec3 scaled = c.half.cwiseProduct(d);
      const double length = scaled.norm();
      return length > 0 ? Vec3(c.half.cwiseProduct(scaled / length)) : Vec3(c.half.x(), 0, 0);
    }
  }
  return Vec3::Zero();
}

double extent(const Convex& c) {
  switch (c.core) {
    case Core::point:
      return 0;
    case Core::segment:
      return c.half.z();
    case Core::triangle:
      return std::sqrt(
          std::max({c.corners[0].squaredNorm(), c.corners[1].squaredNorm(), c.corners[2].squaredNorm()}));
    case Core::hull: {
      double most = 0;
      for (const Vec3& p : c.hull->vertices) most = std::max(most, p.squaredNorm());
      return std::sqrt(most);
    }
    case Core::cylinder:
      return std::hypot(c.half.x(), c.half.z());
    case Core::cone:
      return std::max(0.75 * c.half.z(), std::hypot(c.half.x(), 0.25 * c.half.z()));
    case Core::box:
      return c.half.norm();
    case Core::ellipsoid:
      return c.half.maxCoeff();
  }
  return 0;
}

void feature(const Convex& c, const Vec3& d, int rim, Feature& out) {
  out.count = 0;
  out.face = 0;
  out.round = false;
  out.bend = {};
  switch (c.core) {
    case Core::point:
      out.add(Vec3::Zero(), 0, 0);
      return;
    case Core::segment:
      if (std::abs(d.z()) < 0.7) {
        out.add({0, 0, -c.half.z()}, 0, 0);
        out.add({0, 0, c.half.z()}, 1, 0);
        out.bend = {c.radius, c.radius};
      } else {
        out.add({0, 0, std::copysign(c.half.z(), d.z())}, d.z() > 0 ? 1 : 0, 0);
      }
      return;
    case Core::triangle:
      triangle_feature(c, d, out);
      return;
    case Core::box:
      box_face(c.half, d, out);
      return;
    case Core::hull:
      hull_face(*c.hull, d, out);
      return;
    case Core::cylinder:
      if (std::abs(d.z()) > std::numbers::sqrt2 / 2) {
        disc(c.half.x(), std::copysign(c.half.z(), d.z()), rim, d.z() > 0 ? 1 : 0, out);
      } else {
        out.add(on_rim(c.half.x(), d, -c.half.z()), 1000, 1000);
        out.add(on_rim(c.half.x(), d, c.half.z()), 1001, 1000);
        out.bend = {c.half.x(), c.half.x()};
      }
      return;
    case Core::cone: {
      const double r = c.half.x(), h = c.half.z(), across = std::hypot(d.x(), d.y());
      const double facing_side = (h * across + r * d.z()) / std::hypot(r, h);
      if (-d.z() > facing_side) {
        disc(r, -0.25 * h, rim, 0, out);
      } else if (facing_side > 0.5) {
        out.add(on_rim(r, d, -0.25 * h), 1000, 1000);
        out.add({0, 0, 0.75 * h}, 1001, 1000);
        out.bend = {r * std::hypot(r, h) / h, 0};
      } else {
        out.add(support(c, d), 1001, 1001);
      }
      return;
    }
    case Core::ellipsoid:
      out.add(support(c, d), 0, 0);
      return;
  }
}

void edge_feature(const Convex& c, const Vec3& d, Feature& out) {
  out.count = 0;
  out.face = 0;
  out.round = false;
  out.bend = {};
  if (c.core == Core::box) box_edge(c.half, d, out);
  if (c.core == Core::hull) hull_edge(*c.hull, d, out);
}

}  // namespace hardpan::geometry
