#include "hardpan/geometry/triangle_mesh.h"

#include <algorithm>
#include <tuple>

#include <fmt/core.h>

#include "hardpan/core/error.h"
#include "hardpan/geometry/polyhedron.h"
#include "hardpan/geometry/shape.h"
#include "hardpan/geometry/triangle_tree.h"

namespace hardpan::geometry {
namespace {

using Corners = std::array<std::uint32_t, 3>;

// Height over the longest edge below which a triangle has no direction worth the name.
constexpr double flattest = 1e-12;

// Hulls are searched vertex by vertex: beyond this, the tree of the triangles is quicker.
constexpr std::size_t most_of_hull = 256;
// How far a vertex of a convex mesh may stand out over the plane of a triangle, relative to the mesh.
constexpr double bulge = 1e-9;

bool is_convex(const TriangleMesh& mesh) {
  double size = 0;
  for (const Vec3& v : mesh.vertices) size = std::max(size, (v - mesh.vertices[0]).norm());
  for (const auto& [a, b, c] : mesh.triangles) {
    const Vec3 &p = mesh.vertices[a], n = (mesh.vertices[b] - p).cross(mesh.vertices[c] - p).normalized();
    for (const Vec3& v : mesh.vertices)
      if (n.dot(v - p) > bulge * size) return false;
  }
  return true;
}

std::shared_ptr<const Polyhedron> hull_of(const TriangleMesh& mesh) {
  if (!mesh.closed || mesh.triangles.size() > most_of_hull || !is_convex(mesh)) return nullptr;
  try {
    return std::make_shared<const Polyhedron>(convex_hull(mesh.vertices));
  } catch (const InputError&) {  // too thin to be a solid
    return nullptr;
  }
}

struct Edge {
  std::uint32_t low, high;  // its ends
  std::uint32_t triangle, side;
  bool rising;  // runs from low to high
};

class MeshMaker {
 public:
  MeshMaker(const std::vector<Vec3>& vertices, const std::vector<Corners>& triangles,
            const TriangleName& name)
      : vertices_(vertices), triangles_(triangles), name_(name) {}

  TriangleMesh make() const {
    if (triangles_.empty()) throw InputError("a mesh needs at least one triangle");
    if (triangles_.size() >= TriangleMesh::none || vertices_.size() >= TriangleMesh::none)
      throw InputError(fmt::format("a mesh holds fewer than {} vertices and triangles", TriangleMesh::none));
    for (std::size_t i = 0; i < triangles_.size(); ++i) check(i);
    TriangleMesh mesh = used_part();
    join(mesh);
    if (mesh.closed) check_volume(mesh);
    mesh.tree = triangle_tree(mesh.vertices, mesh.triangles);
    mesh.hull = hull_of(mesh);
    return mesh;
  }

 private:
  std::string name(std::size_t i) const { return name_ ? name_(i) : fmt::format("triangle {}", i + 1); }

  void check(std::size_t i) const {
    for (std::uint32_t corner : triangles_[i]) {
      if (corner >= vertices_.size())
        throw InputError(
            fmt::format("{} has corner {}; there are {} vertices", name(i), corner + 1, vertices_.size()));
      if (!vertices_[corner].allFinite())
        throw InputError(fmt::format("{} has a corner that is not finite", name(i)));
    }
    const Vec3 &a = vertices_[triangles_[i][0]], &b = vertices_[triangles_[i][1]],
               &c = vertices_[triangles_[i][2]];
    const double longest = std::max({(b - a).norm(), (c - b).norm(), (a - c).norm()});
    const Vec3 u = (b - a) / longest, v = (c - a) / longest;
    if (!(longest > 0) || !(u.cross(v).norm() > flattest))
      throw InputError(fmt::format("{} has no area", name(i)));
  }

  TriangleMesh used_part() const {
    std::vector<std::uint32_t> number(vertices_.size(), TriangleMesh::none);
    for (const Corners& triangle : triangles_)
      for (std::uint32_t corner : triangle) number[corner] = 0;
    TriangleMesh mesh;
    for (std::size_t i = 0; i < vertices_.size(); ++i) {
      if (number[i] == TriangleMesh::none) continue;
      number[i] = static_cast<std::uint32_t>(mesh.vertices.size());
      mesh.vertices.push_back(vertices_[i]);
    }
    for (const auto& [a, b, c] : triangles_) mesh.triangles.push_back({number[a], number[b], number[c]});
    return mesh;
  }

  void join(TriangleMesh& mesh) const {
    std::vector<Edge> edges;
    edges.reserve(3 * mesh.triangles.size());
    for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t)
      for (std::uint32_t k = 0; k < 3; ++k) {
        const std::uint32_t from = mesh.triangles[t][k], to = mesh.triangles[t][(k + 1) % 3];
        edges.push_back({std::min(from, to), std::max(from, to), t, k, from < to});
      }
    std::sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) {
      return std::tie(a.low, a.high, a.triangle) < std::tie(b.low, b.high, b.triangle);
    });
    mesh.across.assign(mesh.triangles.size(), {TriangleMesh::none, TriangleMesh::none, TriangleMesh::none});
    mesh.closed = true;
    for (std::size_t i = 0; i < edges.size();) {
      const auto same = [&](std::size_t k) {
        return k < edges.size() && edges[k].low == edges[i].low && edges[k].high == edges[i].high;
      };
      if (!same(i + 1)) {
        mesh.closed = false;
        ++i;
        continue;
      }
      const Edge &a = edges[i], &b = edges[i + 1];
      if (same(i + 2))
        throw InputError(fmt::format("{}, {} and {} share an edge: at most two may", name(a.triangle),
                                     name(b.triangle), name(edges[i + 2].triangle)));
      if (a.rising == b.rising)
        throw InputError(
            fmt::format("{} and {} face different sides: corners must run counterclockwise seen from outside",
                        name(a.triangle), name(b.triangle)));
      mesh.across[a.triangle][a.side] = b.triangle;
      mesh.across[b.triangle][b.side] = a.triangle;
      i += 2;
    }
  }

  // Cavities count negative, so only the sum tells.
  static void check_volume(const TriangleMesh& mesh) {
    const double volume = solid(Mesh{std::make_shared<TriangleMesh>(mesh)}).volume;
    if (volume < 0)
      throw InputError("the mesh is inside out: corners must run counterclockwise seen from outside");
    if (!(volume > 0)) throw InputError("the mesh is closed and encloses no volume");
  }

  const std::vector<Vec3>& vertices_;
  const std::vector<Corners>& triangles_;
  const TriangleName& name_;
};

}  // namespace

TriangleMesh make_mesh(const std::vector<Vec3>& vertices, const std::vector<Corners>& triangles,
                       const TriangleName& name) {
  return MeshMaker(vertices, triangles, name).make();
}

}  // namespace hardpan::geometry
