#include "hardpan/record/tessellate.h"

#include <cmath>
#include <numbers>

namespace hardpan::record {
namespace {

constexpr std::size_t around = 24, rings = 11;  // meridians; parallels without the poles

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

struct Tessellator {
  PolygonMesh operator()(const geometry::Sphere& sphere) const {
    PolygonMesh mesh;
    for (std::size_t ring = 0; ring < rings; ++ring) {
      const double latitude = std::numbers::pi * (static_cast<double>(ring + 1) / (rings + 1) - 0.5);
      add_circle(mesh, {sphere.radius * std::cos(latitude), sphere.radius * std::sin(latitude)});
      if (ring > 0) add_band(mesh, (ring - 1) * around, ring * around);
    }
    const std::size_t south = mesh.points.size(), north = south + 1, top = (rings - 1) * around;
    mesh.points.push_back({0, 0, -sphere.radius});
    mesh.points.push_back({0, 0, sphere.radius});
    for (std::size_t i = 0; i < around; ++i) {
      const std::size_t next = (i + 1) % around;
      mesh.polygons.push_back({south, next, i});
      mesh.polygons.push_back({north, top + i, top + next});
    }
    return mesh;
  }

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

}  // namespace

PolygonMesh tessellate(const SceneBody& body) {
  if (!body.shape) return {{{0, 0, 0}}, {}};
  return std::visit(Tessellator{}, *body.shape);
}

}  // namespace hardpan::record
