#include "hardpan/geometry/surface.h"

#include <gtest/gtest.h>

#include "hardpan/core/test_allocations.h"
#include "hardpan/geometry/test_grounds.h"

namespace hardpan::geometry {
namespace {

using namespace test;

std::uint32_t count(const Shape& ground) {
  return std::holds_alternative<Mesh>(ground) ? 2 * 9 * 9 : 2 * 7 * 7;
}
std::vector<Shape> grounds() { return {irregular_mesh(9, 2, hills), height_field(7, hills)}; }
Surface surface_of(const Shape& ground) {
  if (const Mesh* mesh = std::get_if<Mesh>(&ground)) return Surface(*mesh->surface);
  return Surface(*std::get<HeightField>(ground).grid);
}

TEST(Surface, NeighboursShareAnEdge) {
  for (const Shape& ground : grounds()) {
    const Surface surface = surface_of(ground);
    int borders = 0;
    for (std::uint32_t t = 0; t < count(ground); ++t)
      for (std::uint32_t k = 0; k < 3; ++k) {
        const std::uint32_t other = surface.across(t, k);
        if (other == Surface::none) {
          ++borders;
          continue;
        }
        bool back = false;
        for (std::uint32_t j = 0; j < 3; ++j)
          back = back || (surface.across(other, j) == t &&
                          surface.corners(other)[j] == surface.corners(t)[(k + 1) % 3] &&
                          surface.corners(other)[(j + 1) % 3] == surface.corners(t)[k]);
        EXPECT_TRUE(back) << t << " " << k;
      }
    EXPECT_EQ(borders, std::holds_alternative<Mesh>(ground) ? 4 * 9 : 4 * 7);
  }
}

TEST(Surface, AroundAVertexAreAllItsTriangles) {
  for (const Shape& ground : grounds()) {
    const Surface surface = surface_of(ground);
    std::vector<int> uses(surface.vertices(), 0);
    for (std::uint32_t t = 0; t < count(ground); ++t)
      for (const std::uint32_t v : surface.corners(t)) ++uses[v];
    for (std::uint32_t t = 0; t < count(ground); ++t)
      for (std::uint32_t k = 0; k < 3; ++k) {
        int visits = 0;
        surface.around(t, k, [&](std::uint32_t at, std::uint32_t corner) {
          ++visits;
          EXPECT_EQ(surface.corners(at)[corner], surface.corners(t)[k]);
        });
        EXPECT_EQ(visits, uses[surface.corners(t)[k]]);
      }
  }
}

TEST(Surface, QueryMissesNothingAndAllocatesNothing) {
  Dice dice(6);
  for (const Shape& ground : grounds()) {
    const Surface surface = surface_of(ground);
    for (int i = 0; i < 500; ++i) {
      const Vec3 centre = dice.vec(7) + origin_of(ground).local_point(Vec3::Zero()),
                 half = dice.vec(1).cwiseAbs();
      const Aabb box{centre - half, centre + half};
      std::array<bool, 200> found{};
      const std::size_t before = hardpan::test::allocations();
      surface.query(box, [&](std::uint32_t t) { found[t] = true; });
      EXPECT_EQ(hardpan::test::allocations(), before);
      for (std::uint32_t t = 0; t < count(ground); ++t) {
        Aabb around;
        for (const std::uint32_t v : surface.corners(t)) around = around.merged(surface.vertex(v));
        if (std::holds_alternative<Mesh>(ground)) {
          EXPECT_EQ(found[t], box.overlaps(around));
        } else {
          EXPECT_TRUE(found[t] || !box.overlaps(around));
        }
      }
    }
  }
}

}  // namespace
}  // namespace hardpan::geometry
