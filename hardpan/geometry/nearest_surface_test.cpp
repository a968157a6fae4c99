#include "hardpan/geometry/nearest_surface.h"

#include <cmath>

#include <gtest/gtest.h>

#include "hardpan/core/random.h"
#include "hardpan/geometry/triangle_mesh.h"

namespace hardpan::geometry {
namespace {

Vec3 random_point(std::uint64_t i, double reach) {
  const CounterRandom random(4);
  return {random.uniform(3 * i, -reach, reach), random.uniform(3 * i + 1, -reach, reach),
          random.uniform(3 * i + 2, -reach, reach)};
}

Shape box_mesh(const Vec3& size) {
  std::vector<Vec3> corners;
  for (int k = 0; k < 8; ++k)
    corners.push_back(0.5 * size.cwiseProduct(Vec3(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1)));
  return Mesh{std::make_shared<const TriangleMesh>(make_mesh(corners, {{0, 2, 1},
                                                                       {1, 2, 3},
                                                                       {4, 5, 6},
                                                                       {5, 7, 6},
                                                                       {0, 1, 4},
                                                                       {1, 5, 4},
                                                                       {2, 6, 3},
                                                                       {3, 6, 7},
                                                                       {0, 4, 2},
                                                                       {2, 4, 6},
                                                                       {1, 3, 5},
                                                                       {3, 7, 5}}))};
}

TEST(NearestSurface, OfAMeshIsThatOfTheBoxItIs) {
  const Vec3 size(1, 2, 3);
  const Shape mesh = box_mesh(size), box = Box{size};
  for (std::uint64_t i = 0; i < 2000; ++i) {
    const Vec3 p = random_point(i, 2.5);
    const SurfacePoint a = nearest_surface(mesh, p), b = nearest_surface(box, p);
    EXPECT_NEAR(a.distance, b.distance, 1e-12) << p.transpose();
    EXPECT_LT((p - a.distance * a.normal - a.point).norm(), 1e-12);
  }
}

TEST(NearestSurface, OfRoundShapes) {
  for (std::uint64_t i = 0; i < 200; ++i) {
    const Vec3 p = random_point(i, 2);
    EXPECT_NEAR(nearest_surface(Sphere{0.7}, p).distance, p.norm() - 0.7, 1e-12);
    const double along = std::max(0.0, std::abs(p.z()) - 0.5), across = std::hypot(p.x(), p.y());
    EXPECT_NEAR(nearest_surface(Capsule{0.3, 1.0}, p).distance, std::hypot(along, across) - 0.3, 1e-12);
  }
}

// Against points all over it.
TEST(NearestSurface, OfATriangle) {
  const Vec3 a(0, 0, 0), b(1, 0.2, 0), c(0.3, 0.8, 0.4);
  for (std::uint64_t i = 0; i < 200; ++i) {
    const Vec3 p = random_point(i, 1.5), q = nearest_on_triangle(p, a, b, c);
    for (int u = 0; u <= 20; ++u)
      for (int v = 0; v + u <= 20; ++v) {
        const Vec3 other = a + u / 20.0 * (b - a) + v / 20.0 * (c - a);
        EXPECT_LE((p - q).norm(), (p - other).norm() + 1e-12);
      }
    const Vec3 normal = (b - a).cross(c - a).normalized();
    EXPECT_NEAR(normal.dot(q - a), 0, 1e-12);
  }
}

TEST(NearestSurface, IsNotForGrounds) {
  EXPECT_FALSE(has_nearest_surface(Plane{}));
  EXPECT_TRUE(has_nearest_surface(Cylinder{1, 2}));
}

}  // namespace
}  // namespace hardpan::geometry
