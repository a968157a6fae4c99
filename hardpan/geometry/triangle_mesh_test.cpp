#include "hardpan/geometry/triangle_mesh.h"

#include <cmath>

#include <gtest/gtest.h>

#include "hardpan/core/error.h"
#include "hardpan/geometry/test_shapes.h"

namespace hardpan::geometry {
namespace {

using Triangles = std::vector<std::array<std::uint32_t, 3>>;
const std::vector<Vec3> corners = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

void expect_refusal(const std::vector<Vec3>& vertices, const Triangles& triangles,
                    const std::string& reason) {
  try {
    make_mesh(vertices, triangles);
    ADD_FAILURE() << reason;
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find(reason), std::string::npos) << error.what();
  }
}

TEST(TriangleMesh, KnowsItsNeighbours) {
  RandomVectors random(7);
  for (int trial = 0; trial < 20; ++trial) {
    std::vector<Vec3> points;
    for (int i = 0; i < 40; ++i) points.push_back(random.in_cube());
    const Mesh made = mesh_of(convex_hull(points));
    const TriangleMesh& mesh = *made.surface;
    EXPECT_TRUE(mesh.closed);
    for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t)
      for (std::size_t k = 0; k < 3; ++k) {
        const std::uint32_t other = mesh.across[t][k];
        ASSERT_NE(other, TriangleMesh::none);
        int shared = 0;
        for (std::size_t m = 0; m < 3; ++m)
          if (mesh.triangles[other][m] == mesh.triangles[t][(k + 1) % 3] &&
              mesh.triangles[other][(m + 1) % 3] == mesh.triangles[t][k]) {
            ++shared;
            EXPECT_EQ(mesh.across[other][m], t);
          }
        EXPECT_EQ(shared, 1);
      }
  }
}

TEST(TriangleMesh, OpenOnesHaveBorders) {
  const TriangleMesh mesh =
      make_mesh({{9, 9, 9}, {0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}, {{{1, 2, 3}}, {{1, 3, 4}}});
  EXPECT_FALSE(mesh.closed);
  EXPECT_EQ(mesh.vertices.size(), 4u);  // nobody uses the first
  EXPECT_EQ(mesh.triangles[0], (std::array<std::uint32_t, 3>{0, 1, 2}));
  EXPECT_EQ(mesh.across[0], (std::array{TriangleMesh::none, TriangleMesh::none, 1u}));
  EXPECT_EQ(mesh.across[1], (std::array{0u, TriangleMesh::none, TriangleMesh::none}));
}

TEST(TriangleMesh, RefusesWhatIsNoSurface) {
  expect_refusal(corners, {}, "at least one triangle");
  expect_refusal(corners, {{{0, 1, 4}}}, "triangle 1 has corner 5; there are 4 vertices");
  expect_refusal({{0, 0, 0}, {1, 0, 0}, {0, NAN, 0}}, {{{0, 1, 2}}}, "not finite");
  expect_refusal(corners, {{{0, 1, 2}}, {{0, 1, 1}}}, "triangle 2 has no area");
  expect_refusal({{0, 0, 0}, {1, 1, 1}, {3, 3, 3}}, {{{0, 1, 2}}}, "triangle 1 has no area");
  expect_refusal({{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}, {{{0, 1, 2}}}, "triangle 1 has no area");
  expect_refusal({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, -1, 0}},
                 {{{0, 1, 2}}, {{1, 0, 3}}, {{1, 0, 4}}},
                 "triangle 1, triangle 2 and triangle 3 share an edge");
  expect_refusal(corners, {{{0, 1, 2}}, {{0, 1, 3}}}, "triangle 1 and triangle 2 face different sides");
  expect_refusal(corners, {{{0, 1, 2}}, {{0, 3, 1}}, {{1, 3, 2}}, {{2, 3, 0}}}, "inside out");
  expect_refusal(corners, {{{0, 1, 2}}, {{0, 2, 1}}}, "encloses no volume");
}

}  // namespace
}  // namespace hardpan::geometry
