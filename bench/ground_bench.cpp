// Cost of asking a mesh or height field of 2 x 10^5 triangles: its tree, and contact of one shape.
#include <cmath>
#include <memory>

#include <benchmark/benchmark.h>

#include "hardpan/core/random.h"
#include "hardpan/geometry/aabb.h"
#include "hardpan/geometry/collide.h"
#include "hardpan/geometry/height_grid.h"
#include "hardpan/geometry/triangle_mesh.h"
#include "hardpan/geometry/triangle_tree.h"

namespace {

using namespace hardpan;
using namespace hardpan::geometry;

constexpr std::uint32_t side = 317;  // points; cells of 0.1 m

double height(std::uint32_t i, std::uint32_t j) { return 0.3 * std::sin(0.11 * i) * std::cos(0.07 * j); }

const HeightField& field() {
  static const HeightField made = [] {
    auto grid = std::make_shared<HeightGrid>(HeightGrid{side, side, 0.1, 0.1, {}});
    for (std::uint32_t j = 0; j < side; ++j)
      for (std::uint32_t i = 0; i < side; ++i) grid->z.push_back(height(i, j));
    return HeightField{grid};
  }();
  return made;
}

const Mesh& mesh() {
  static const Mesh made = [] {
    std::vector<Vec3> vertices;
    std::vector<std::array<std::uint32_t, 3>> triangles;
    for (std::uint32_t j = 0; j < side; ++j)
      for (std::uint32_t i = 0; i < side; ++i) vertices.emplace_back(0.1 * i, 0.1 * j, height(i, j));
    for (std::uint32_t j = 0; j + 1 < side; ++j)
      for (std::uint32_t i = 0; i + 1 < side; ++i) {
        const std::uint32_t a = j * side + i, c = a + side + 1;
        triangles.insert(triangles.end(), {{a, a + 1, c}, {a, c, c - 1}});
      }
    return Mesh{std::make_shared<const TriangleMesh>(make_mesh(vertices, triangles))};
  }();
  return made;
}

void BuildTree(benchmark::State& state) {
  const TriangleMesh& m = *mesh().surface;
  for (auto _ : state) benchmark::DoNotOptimize(triangle_tree(m.vertices, m.triangles).nodes().size());
}
BENCHMARK(BuildTree)->Unit(benchmark::kMillisecond);

// Boxes of 0.2 m: about 20 triangles each.
void QueryTree(benchmark::State& state) {
  const CounterRandom random(3);
  std::uint64_t i = 0;
  std::size_t found = 0;
  for (auto _ : state) {
    const Vec3 c(random.uniform(2 * i, 2, 29), random.uniform(2 * i + 1, 2, 29), 0);
    mesh().surface->tree.query({c - Vec3(0.1, 0.1, 1), c + Vec3(0.1, 0.1, 1)},
                               [&](std::uint32_t) { ++found; });
    ++i;
  }
  state.counters["found"] = static_cast<double>(found) / static_cast<double>(i);
}
BENCHMARK(QueryTree);

void Contact(benchmark::State& state, const Shape& ground, const Shape& shape) {
  const CounterRandom random(4);
  const double half = -bounds(shape, {}).low.z();
  std::vector<ContactPoint> points;
  std::uint64_t i = 0, found = 0;
  for (auto _ : state) {
    const double x = random.uniform(2 * i, 2, 29), y = random.uniform(2 * i + 1, 2, 29);
    points.clear();
    collide(ground, {}, shape, {{x, y, 0.3 * std::sin(1.1 * x) * std::cos(0.7 * y) + half}, Quat::Identity()},
            0.01, points);
    found += points.size();
    ++i;
  }
  state.counters["points"] = static_cast<double>(found) / static_cast<double>(i);
}
#define CONTACT(name, ground, ...) \
  BENCHMARK_CAPTURE(Contact, name, ground, __VA_ARGS__)->Unit(benchmark::kMicrosecond)
CONTACT(sphere_on_mesh, mesh(), Sphere{0.1});
CONTACT(sphere_on_field, field(), Sphere{0.1});
CONTACT(box_on_mesh, mesh(), Box{{0.2, 0.2, 0.2}});
CONTACT(box_on_field, field(), Box{{0.2, 0.2, 0.2}});
CONTACT(cylinder_on_field, field(), Cylinder{0.3, 0.2});
CONTACT(large_box_on_field, field(), Box{{2, 1, 0.5}});

}  // namespace
