#include "hardpan/record/tessellate.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "hardpan/geometry/height_grid.h"
#include "hardpan/geometry/polyhedron.h"
#include "hardpan/geometry/triangle_mesh.h"

namespace hardpan::record {
namespace {

constexpr std::size_t around = 24, rings = 11;  // meridians; parallels without the poles
constexpr std::size_t most_heights = 200;       // of a height field, along each side

struct Circle {
  double radius, z;
};

// Points of a circle about the z axis, starting on the x axis.
void add_circle(PolygonMesh& mesh, Circle circle) {
  for (std::size_t i = 0; i < around; ++i) {
    const double angle = 2 * std::numbers::pi * static_cast<double>(i) / around;
    mesh.points.push_back({circle.radius * std::cos(angle), circle.radius * std::sin(angle), circle.z});
  }
}

// Quadrilaterals between two circles whose points start at `lower` and `upper`.
void add_band(PolygonMesh& mesh, std::size_t lower, std::size_t upper) {
  for (std::size_t i = 0; i < around; ++i) {
    const std::size_t next = (i + 1) % around;
    mesh.polygons.push_back({lower + i, lower + next, upper + next, upper + i});
  }
}

// Circles from below to above, closed by points on the axis.
PolygonMesh turned(const std::vector<Circle>& circles, double lowest, double highest) {
  PolygonMesh mesh;
  for (std::size_t ring = 0; ring < circles.size(); ++ring) {
    add_circle(mesh, circles[ring]);
    if (ring > 0) add_band(mesh, (ring - 1) * around, ring * around);
  }
  const std::size_t south = mesh.points.size(), north = south + 1, top = (circles.size() - 1) * around;
  mesh.points.push_back({0, 0, lowest});
  mesh.points.push_back({0, 0, highest});
  for (std::size_t i = 0; i < around; ++i) {
    const std::size_t next = (i + 1) % around;
    mesh.polygons.push_back({south, next, i});
    mesh.polygons.push_back({north, top + i, top + next});
  }
  return mesh;
}

// Of a ball cut at its equator and drawn apart by `length`.
PolygonMesh ball(double radius, double length) {
  std::vector<Circle> circles;
  for (std::size_t ring = 0; ring < rings; ++ring) {
    const double latitude = std::numbers::pi * (static_cast<double>(ring + 1) / (rings + 1) - 0.5);
    const Circle circle = {radius * std::cos(latitude), radius * std::sin(latitude)};
    const bool equator = 2 * ring + 1 == rings;
    if (equator && length > 0) circles.push_back({circle.radius, circle.z - length / 2});
    circles.push_back({circle.radius, circle.z + (2 * ring + 1 < rings ? -length : length) / 2});
  }
  return turned(circles, -radius - length / 2, radius + length / 2);
}

struct Tessellator {
  PolygonMesh operator()(const geometry::Sphere& sphere) const { return ball(sphere.radius, 0); }

  PolygonMesh operator()(const geometry::Box& box) const {
    PolygonMesh mesh;
    for (std::size_t corner = 0; corner < 8; ++corner) {
      const auto side = [&](std::size_t axis) { return (corner >> axis & 1) ? 0.5 : -0.5; };
      mesh.points.push_back({side(0) * box.size[0], side(1) * box.size[1], side(2) * box.size[2]});
    }
    mesh.polygons = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    return mesh;
  }

  PolygonMesh operator()(const geometry::Cylinder& cylinder) const {
    PolygonMesh mesh;
    add_circle(mesh, {cylinder.radius, -cylinder.length / 2});
    add_circle(mesh, {cylinder.radius, cylinder.length / 2});
    add_band(mesh, 0, around);
    std::vector<std::size_t> low, high;
    for (std::size_t i = 0; i < around; ++i) {
      low.push_back(around - 1 - i);
      high.push_back(around + i);
    }
    mesh.polygons.push_back(low);
    mesh.polygons.push_back(high);
    return mesh;
  }

  PolygonMesh operator()(const SceneMesh& shape) const {
    PolygonMesh mesh;
    for (const Vec3& p : shape.points) mesh.points.push_back({p.x(), p.y(), p.z()});
    for (const auto& t : shape.triangles)
      mesh.polygons.push_back(
          {static_cast<std::size_t>(t[0]), static_cast<std::size_t>(t[1]), static_cast<std::size_t>(t[2])});
    return mesh;
  }
};

SceneMesh triangles_of(const PolygonMesh& polygons, const Vec3& scale = Vec3::Ones()) {
  SceneMesh mesh;
  for (const auto& p : polygons.points) mesh.points.push_back(scale.cwiseProduct(Vec3(p[0], p[1], p[2])));
  for (const auto& polygon : polygons.polygons)
    for (std::size_t k = 2; k < polygon.size(); ++k)
      mesh.triangles.push_back({static_cast<std::int64_t>(polygon[0]),
                                static_cast<std::int64_t>(polygon[k - 1]),
                                static_cast<std::int64_t>(polygon[k])});
  return mesh;
}

// Every k-th of n, and the last.
std::vector<std::size_t> some_of(std::size_t n) {
  const std::size_t stride = (n + most_heights - 2) / (most_heights - 1);
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i + 1 < n; i += stride) chosen.push_back(i);
  chosen.push_back(n - 1);
  return chosen;
}

struct Drawer {
  const PlaneView& view;

  SceneShape operator()(const geometry::Sphere& shape) const { return shape; }
  SceneShape operator()(const geometry::Box& shape) const { return shape; }
  SceneShape operator()(const geometry::Cylinder& shape) const { return shape; }
  SceneShape operator()(const geometry::Capsule& c) const { return triangles_of(ball(c.radius, c.length)); }
  SceneShape operator()(const geometry::Cone& c) const {
    return triangles_of(turned({{c.radius, -c.height / 4}}, -c.height / 4, 3 * c.height / 4));
  }
  SceneShape operator()(const geometry::Ellipsoid& e) const { return triangles_of(ball(1, 0), e.radii); }
  SceneShape operator()(const geometry::Hull& hull) const {
    const geometry::Polyhedron& body = *hull.body;
    SceneMesh mesh{body.vertices, {}};
    for (std::size_t f = 0; f < body.faces(); ++f)
      for (std::size_t k = 2; k < body.face(f).size(); ++k)
        mesh.triangles.push_back({body.face(f)[0], body.face(f)[k - 1], body.face(f)[k]});
    return mesh;
  }
  SceneShape operator()(const geometry::Mesh& shape) const {
    SceneMesh mesh{shape.surface->vertices, {}};
    for (const auto& [a, b, c] : shape.surface->triangles) mesh.triangles.push_back({a, b, c});
    return mesh;
  }
  SceneShape operator()(const geometry::HeightField& field) const {
    const std::vector<std::size_t> columns = some_of(field.grid->nx), rows = some_of(field.grid->ny);
    SceneMesh mesh;
    for (std::size_t j : rows)
      for (std::size_t i : columns) mesh.points.push_back(field.grid->point(i, j));
    const auto n = static_cast<std::int64_t>(columns.size()), m = static_cast<std::int64_t>(rows.size());
    for (std::int64_t j = 0; j + 1 < m; ++j)
      for (std::int64_t i = 0; i + 1 < n; ++i) {
        const std::int64_t low = j * n + i, high = low + n + 1;
        mesh.triangles.push_back({low, low + 1, high});
        mesh.triangles.push_back({low, high, low + n});
      }
    return mesh;
  }
  SceneShape operator()(const geometry::Plane&) const {
    const double h = view.size / 2;
    SceneMesh mesh{{{-h, -h, 0}, {h, -h, 0}, {h, h, 0}, {-h, h, 0}}, {{0, 1, 2}, {0, 2, 3}}};
    for (Vec3& p : mesh.points) p += Vec3(view.middle.x(), view.middle.y(), 0);
    return mesh;
  }
};

}  // namespace

PolygonMesh tessellate(const SceneBody& body) {
  if (body.parts.empty()) return {{{0, 0, 0}}, {}};
  PolygonMesh all;
  for (const ScenePart& part : body.parts) {
    PolygonMesh mesh = std::visit(Tessellator{}, part.shape);
    const std::size_t first = all.points.size();
    for (const auto& p : mesh.points) {
      const Vec3 x = part.pose.point({p[0], p[1], p[2]});
      all.points.push_back({x.x(), x.y(), x.z()});
    }
    for (std::vector<std::size_t>& polygon : mesh.polygons) {
      for (std::size_t& corner : polygon) corner += first;
      all.polygons.push_back(std::move(polygon));
    }
  }
  return all;
}

SceneShape drawn(const geometry::Shape& shape, const PlaneView& plane) {
  return std::visit(Drawer{plane}, shape);
}

}  // namespace hardpan::record
