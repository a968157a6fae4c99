#include "hardpan/meshfree/fill.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "hardpan/core/error.h"
#include "hardpan/geometry/nearest_surface.h"
#include "hardpan/meshfree/gradient.h"

namespace hardpan::meshfree {
namespace {

Region region(const geometry::Shape& shape) {
  return {geometry::bounds(shape, Pose{}),
          [shape](const Vec3& x) { return geometry::nearest_surface(shape, x).distance; }};
}

double volume(const Cloud& cloud) {
  double sum = 0;
  for (const double v : cloud.volume) sum += v;
  return sum;
}

double affine_error(const Cloud& cloud, const Gradient& gradient) {
  double most = 0;
  for (std::size_t i = 0; i < cloud.size(); ++i) {
    const Mat3 found = gradient.of(i, [&](std::size_t j) -> const Vec3& { return cloud.position[j]; });
    most = std::max(most, (found - Mat3::Identity()).cwiseAbs().maxCoeff());
  }
  return most;
}

TEST(Fill, OfABoxIsTheLattice) {
  const Cloud cloud = filled(region(geometry::Box{Vec3(1, 2, 3)}), 0.5);
  const Cloud lattice = box_lattice(Vec3(-0.5, -1, -1.5), Vec3(0.5, 1, 1.5), {3, 5, 7});
  ASSERT_EQ(cloud.size(), lattice.size());
  for (std::size_t i = 0; i < cloud.size(); ++i) {
    EXPECT_LT((cloud.position[i] - lattice.position[i]).norm(), 1e-9);
    EXPECT_NEAR(cloud.volume[i], lattice.volume[i], 1e-12);
    EXPECT_EQ(cloud.on_surface[i], lattice.on_surface[i]);
  }
}

// Affine fields exact, no force inside, volumes of round bodies as samples see them.
TEST(Fill, OfRoundBodiesAndHolesMakesGoodClouds) {
  const geometry::Shape cylinder = geometry::Cylinder{0.5, 1.2}, ball = geometry::Sphere{0.5};
  const Region pierced = without(region(geometry::Box{Vec3(1.6, 1.6, 1.6)}), region(geometry::Sphere{0.4}));
  struct Case {
    Region region;
    double volume;
  };
  const double pi = std::numbers::pi;
  for (const Case& c : {Case{region(cylinder), pi * 0.25 * 1.2}, Case{region(ball), pi / 6},
                        Case{pierced, std::pow(1.6, 3) - 4.0 / 3.0 * pi * std::pow(0.4, 3)}})
    for (const int relaxations : {0, 5}) {
      const Cloud cloud = filled(c.region, 0.1, relaxations);
      EXPECT_NEAR(volume(cloud), c.volume, 0.01 * c.volume);
      for (std::size_t i = 0; i < cloud.size(); ++i)
        EXPECT_LE(c.region.distance(cloud.position[i]), 1e-6) << "outside";
      const Gradient gradient(cloud, 2);
      EXPECT_LT(affine_error(cloud, gradient), 1e-10) << relaxations;
      for (std::size_t i = 0; i < cloud.size(); ++i)
        if (!cloud.on_surface[i]) {
          EXPECT_LT(gradient.area(i).norm(), 1e-10 * std::pow(cloud.spacing, 2));
        }
    }
}

TEST(Fill, NeedsRoom) {
  Region nothing = region(geometry::Sphere{0.5});
  nothing.distance = [](const Vec3&) { return 1.0; };
  EXPECT_THROW(filled(nothing, 0.1), InputError);
}

}  // namespace
}  // namespace hardpan::meshfree
