#include "hardpan/geometry/shape.h"

#include <cmath>
#include <functional>
#include <numbers>

#include <gtest/gtest.h>

#include "hardpan/core/random.h"

namespace hardpan::geometry {
namespace {

// Volume and second moments by sampling a bounding box: independent of the closed forms.
void compare_with_sampling(const Shape& shape, const Vec3& half,
                           const std::function<bool(const Vec3&)>& inside) {
  const CounterRandom random(11);
  const int n = 400'000;
  int hits = 0;
  Vec3 moment = Vec3::Zero();
  for (int i = 0; i < n; ++i) {
    const auto k = static_cast<std::uint64_t>(3 * i);
    const Vec3 x = half.cwiseProduct(
        Vec3(random.uniform(k, -1, 1), random.uniform(k + 1, -1, 1), random.uniform(k + 2, -1, 1)));
    if (!inside(x)) continue;
    ++hits;
    const Vec3 sq = x.cwiseAbs2();
    moment += Vec3(sq.y() + sq.z(), sq.z() + sq.x(), sq.x() + sq.y());
  }
  EXPECT_NEAR(8 * half.prod() * hits / n / solid(shape).volume, 1.0, 0.01);
  const Vec3 expected = solid(shape).inertia.diagonal();
  EXPECT_LT((moment / hits - expected).cwiseQuotient(expected).norm(), 0.01);
}

TEST(Shape, MassPropertiesMatchSampling) {
  compare_with_sampling(Sphere{0.7}, Vec3::Constant(0.7), [](const Vec3& x) { return x.norm() < 0.7; });
  compare_with_sampling(Box{{1, 2, 0.5}}, {0.5, 1, 0.25}, [](const Vec3&) { return true; });
  compare_with_sampling(Cylinder{0.3, 2}, {0.3, 0.3, 1},
                        [](const Vec3& x) { return std::hypot(x.x(), x.y()) < 0.3; });
}

TEST(Shape, ClosedForms) {
  EXPECT_DOUBLE_EQ(solid(Sphere{1}).volume, 4 * std::numbers::pi / 3);
  EXPECT_DOUBLE_EQ(solid(Box{{1, 2, 3}}).inertia(0, 0), 13.0 / 12);
  EXPECT_DOUBLE_EQ(solid(Cylinder{2, 1}).inertia(2, 2), 2.0);
}

}  // namespace
}  // namespace hardpan::geometry
