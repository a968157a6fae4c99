#include "hardpan/geometry/shape.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include <gtest/gtest.h>

#include "hardpan/core/error.h"
#include "hardpan/geometry/test_shapes.h"

namespace hardpan::geometry {
namespace {

using std::numbers::pi;

// Volume, centre and second moments by sampling a bounding box: independent of the closed forms.
void compare_with_sampling(const Shape& shape, const Vec3& low, const Vec3& high,
                           const std::function<bool(const Vec3&)>& inside) {
  const CounterRandom random(11);
  const int n = 400'000;
  int hits = 0;
  Vec3 sum = Vec3::Zero();
  Mat3 moment = Mat3::Zero();
  for (int i = 0; i < n; ++i) {
    const auto k = static_cast<std::uint64_t>(3 * i);
    const Vec3 x =
        low +
        (high - low).cwiseProduct(Vec3(random.uniform(k), random.uniform(k + 1), random.uniform(k + 2)));
    if (!inside(x)) continue;
    ++hits;
    sum += x;
    moment += x.squaredNorm() * Mat3::Identity() - x * x.transpose();
  }
  const Solid found = solid(shape);
  const Vec3 c = sum / hits;
  const double reach = (high - low).norm();
  EXPECT_TRUE(is_solid(shape));
  EXPECT_NEAR((high - low).prod() * hits / n / found.volume, 1.0, 0.01);
  EXPECT_LT((c - found.centre).norm(), 0.005 * reach);
  const Mat3 expected = moment / hits - (c.squaredNorm() * Mat3::Identity() - c * c.transpose());
  EXPECT_LT((expected - found.inertia).norm(), 0.01 * found.inertia.norm());
}

bool in_hull(const Polyhedron& body, const Vec3& x) {
  for (std::size_t f = 0; f < body.faces(); ++f)
    if (body.normals[f].dot(x - body.vertices[body.face(f)[0]]) > 0) return false;
  return true;
}

TEST(Shape, MassPropertiesMatchSampling) {
  const auto centred = [](const Shape& shape, const Vec3& half,
                          const std::function<bool(const Vec3&)>& inside) {
    compare_with_sampling(shape, -half, half, inside);
  };
  const auto across = [](const Vec3& x) { return std::hypot(x.x(), x.y()); };
  centred(Sphere{0.7}, Vec3::Constant(0.7), [](const Vec3& x) { return x.norm() < 0.7; });
  centred(Box{{1, 2, 0.5}}, {0.5, 1, 0.25}, [](const Vec3&) { return true; });
  centred(Cylinder{0.3, 2}, {0.3, 0.3, 1}, [&](const Vec3& x) { return across(x) < 0.3; });
  centred(Capsule{0.3, 0.8}, {0.3, 0.3, 0.7},
          [](const Vec3& x) { return (x - Vec3(0, 0, std::clamp(x.z(), -0.4, 0.4))).norm() < 0.3; });
  centred(Ellipsoid{{0.3, 0.5, 0.9}}, {0.3, 0.5, 0.9},
          [](const Vec3& x) { return x.cwiseQuotient(Vec3(0.3, 0.5, 0.9)).norm() < 1; });
  compare_with_sampling(Cone{0.4, 1.2}, {-0.4, -0.4, -0.3}, {0.4, 0.4, 0.9},
                        [&](const Vec3& x) { return across(x) < 0.4 * (0.9 - x.z()) / 1.2; });
}

TEST(Shape, HullsAndMeshesMatchSampling) {
  RandomVectors random(5);
  for (int trial = 0; trial < 3; ++trial) {
    std::vector<Vec3> points;
    for (int i = 0; i < 30; ++i) points.push_back(Vec3(4, -2, 1) + random.in_cube());
    const Hull hull = hull_of(points);
    const Vec3 low(3, -3, 0), high(5, -1, 2);
    compare_with_sampling(hull, low, high, [&](const Vec3& x) { return in_hull(*hull.body, x); });
    compare_with_sampling(mesh_of(*hull.body), low, high,
                          [&](const Vec3& x) { return in_hull(*hull.body, x); });
  }
}

TEST(Shape, ClosedForms) {
  EXPECT_DOUBLE_EQ(solid(Sphere{1}).volume, 4 * pi / 3);
  EXPECT_DOUBLE_EQ(solid(Box{{1, 2, 3}}).inertia(0, 0), 13.0 / 12);
  EXPECT_DOUBLE_EQ(solid(Cylinder{2, 1}).inertia(2, 2), 2.0);
  EXPECT_DOUBLE_EQ(solid(Cone{1, 2}).volume, 2 * pi / 3);
  EXPECT_DOUBLE_EQ(solid(Cone{1, 2}).inertia(0, 0), 0.3);
  // A round ellipsoid and a capsule without length are balls; a long capsule is nearly a rod.
  EXPECT_TRUE(solid(Ellipsoid{{2, 2, 2}}).inertia.isApprox(solid(Sphere{2}).inertia, 1e-15));
  EXPECT_TRUE(solid(Capsule{2, 0}).inertia.isApprox(solid(Sphere{2}).inertia, 1e-15));
  EXPECT_NEAR(solid(Capsule{1e-3, 12}).inertia(0, 0), 12, 0.01);
}

// Corners 0 and the unit points: V = 1/6, centre (1, 1, 1)/4, integral of x^2 = 1/60, of x y = 1/120.
TEST(Shape, TetrahedronHasItsClosedForm) {
  const std::vector<Vec3> corners = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const TriangleMesh surface = make_mesh(corners, {{{0, 2, 1}}, {{0, 1, 3}}, {{1, 2, 3}}, {{2, 0, 3}}});
  for (const Shape& shape : {Shape(Mesh{std::make_shared<TriangleMesh>(surface)}), Shape(hull_of(corners))}) {
    const Solid found = solid(shape);
    EXPECT_NEAR(found.volume, 1.0 / 6, 1e-16);
    EXPECT_LT((found.centre - Vec3::Constant(0.25)).norm(), 1e-15);
    EXPECT_NEAR(found.inertia(0, 0), 2 * (6.0 / 60 - 1.0 / 16), 1e-15);
    EXPECT_NEAR(found.inertia(0, 1), -(6.0 / 120 - 1.0 / 16), 1e-15);
  }
}

TEST(Shape, HullOfABoxIsTheBox) {
  const Vec3 size(1, 2, 0.5), away(1000, -200, 30);
  std::vector<Vec3> corners = corners_of_box(size);
  const Hull hull = hull_of(corners);
  for (Vec3& p : corners) p += away;
  const Solid box = solid(Box{size}), far = solid(hull_of(corners));
  EXPECT_NEAR(solid(hull).volume, box.volume, 1e-15);
  EXPECT_LT(solid(hull).centre.norm(), 1e-15);
  EXPECT_TRUE(solid(hull).inertia.isApprox(box.inertia, 1e-14));
  EXPECT_TRUE(solid(mesh_of(*hull.body)).inertia.isApprox(box.inertia, 1e-14));
  EXPECT_LT((far.centre - away).norm(), 1e-12);
  EXPECT_TRUE(far.inertia.isApprox(box.inertia, 1e-11));  // coordinates of 1000 carry errors of 1e-13
}

TEST(Shape, GroundsAreNoSolids) {
  const TriangleMesh triangle = make_mesh({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{{0, 1, 2}}});
  for (const Shape& ground : {Shape(Plane{}), Shape(HeightField{std::make_shared<HeightGrid>()}),
                              Shape(Mesh{std::make_shared<TriangleMesh>(triangle)})}) {
    EXPECT_FALSE(is_solid(ground));
    EXPECT_THROW(solid(ground), InvariantError);
  }
}

}  // namespace
}  // namespace hardpan::geometry
