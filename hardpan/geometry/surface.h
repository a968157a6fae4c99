// Meshes and height fields as one thing: triangles, counterclockwise seen from the front, and their
// neighbours.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "hardpan/geometry/aabb.h"
#include "hardpan/geometry/height_grid.h"
#include "hardpan/geometry/triangle_mesh.h"

namespace hardpan::geometry {

// Looks at what it is made of and owns nothing.
//
// Of a height field, cell (i, j) holds triangles 2c and 2c + 1, c = j (nx - 1) + i: the one below its
// diagonal, seen with x to the right and y up, and the one above. Vertex (i, j) is j nx + i.
class Surface {
 public:
  static constexpr std::uint32_t none = TriangleMesh::none;
  using Corners = std::array<std::uint32_t, 3>;

  explicit Surface(const TriangleMesh& mesh) : mesh_(&mesh) {}
  explicit Surface(const HeightGrid& grid) : grid_(&grid) {}

  // Is there something behind the triangles? Always below a height field; behind an open mesh there is not.
  bool has_inside() const { return grid_ || mesh_->closed; }
  const HeightGrid* grid() const { return grid_; }

  Corners corners(std::uint32_t t) const;
  Vec3 vertex(std::uint32_t v) const {
    return mesh_ ? mesh_->vertices[v] : grid_->point(v % grid_->nx, v / grid_->nx);
  }
  std::uint32_t vertices() const {
    return static_cast<std::uint32_t>(mesh_ ? mesh_->vertices.size() : grid_->z.size());
  }
  // The triangle across edge k, from corner k to corner k + 1.
  std::uint32_t across(std::uint32_t t, std::uint32_t k) const;

  // visit(t) for every triangle whose box overlaps `box`; of a height field, every one that is above or in
  // it.
  template <class Visit>
  void query(const Aabb& box, Visit&& visit) const {
    if (mesh_) return mesh_->tree.query(box, visit);
    const auto [i0, i1] = cells(box.low.x() / grid_->dx, box.high.x() / grid_->dx, grid_->nx - 1);
    const auto [j0, j1] = cells(box.low.y() / grid_->dy, box.high.y() / grid_->dy, grid_->ny - 1);
    for (std::size_t j = j0; j < j1; ++j)
      for (std::size_t i = i0; i < i1; ++i) {
        const double* z = &grid_->z[j * grid_->nx + i];
        if (std::max({z[0], z[1], z[grid_->nx], z[grid_->nx + 1]}) < box.low.z()) continue;
        const auto t = static_cast<std::uint32_t>(2 * (j * (grid_->nx - 1) + i));
        visit(t);
        visit(t + 1);
      }
  }

  // visit(t, k) for the triangles around corner k of triangle t, which is their corner k.
  template <class Visit>
  void around(std::uint32_t t, std::uint32_t k, Visit&& visit) const {
    constexpr int most = 100'000;  // a vertex where sheets touch must not trap us
    const std::uint32_t centre = corners(t)[k], first = t;
    visit(t, k);
    for (const bool forth : {true, false}) {
      std::uint32_t at = first, corner = k;
      for (int step = 0; step < most; ++step) {
        at = across(at, forth ? (corner + 2) % 3 : corner);
        if (at == none) break;
        if (at == first) return;
        const Corners c = corners(at);
        corner = c[0] == centre ? 0 : c[1] == centre ? 1 : 2;
        visit(at, corner);
      }
    }
  }

 private:
  struct Range {
    std::size_t begin, end;
  };
  // The cells of a row of `count` that touch [low, high], both in cells.
  static Range cells(double low, double high, std::size_t count) {
    if (!(high >= 0 && low <= static_cast<double>(count))) return {0, 0};
    const double last = static_cast<double>(count - 1);
    return {static_cast<std::size_t>(std::clamp(std::ceil(low) - 1, 0.0, last)),
            static_cast<std::size_t>(std::clamp(std::floor(high), 0.0, last)) + 1};
  }

  const TriangleMesh* mesh_ = nullptr;
  const HeightGrid* grid_ = nullptr;
};

}  // namespace hardpan::geometry
