#include "hardpan/meshfree/gradient.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "hardpan/core/error.h"
#include "hardpan/core/parallel.h"
#include "hardpan/meshfree/test_clouds.h"

namespace hardpan::meshfree {
namespace {

double affine_error(const Cloud& cloud, const Gradient& gradient) {
  Mat3 m;
  m << 1.3, -0.4, 2.1, 0.2, -1.7, 0.6, -0.9, 0.5, 1.1;
  const Vec3 c(3, -2, 5);
  double most = 0;
  for (std::size_t i = 0; i < cloud.size(); ++i) {
    const Mat3 found = gradient.of(i, [&](std::size_t j) { return Vec3(m * cloud.position[j] + c); });
    most = std::max(most, (found - m).cwiseAbs().maxCoeff());
  }
  return most;
}

double force_inside(const Cloud& cloud, const Gradient& gradient) {
  double most = 0;
  for (std::size_t j = 0; j < cloud.size(); ++j)
    if (!cloud.on_surface[j]) most = std::max(most, gradient.area(j).cwiseAbs().maxCoeff());
  return most / std::pow(cloud.spacing, 2);
}

TEST(Gradient, OfAffineFieldsIsExactInLatticesCloudsAndBlocksWithHoles) {
  const Cloud lattice = cube_lattice(7);
  const Cloud flat = box_lattice(Vec3(-1, 0, 2), Vec3(1, 0.5, 2.3), {9, 3, 2});
  for (const Cloud& cloud : {lattice, cube_lattice(2), flat, jittered(lattice, 0.25),
                             with_hole(lattice, Vec3(0.4, 0.5, 0.5), 0.25),
                             with_hole(jittered(lattice, 0.25), Vec3(0.5, 0.9, 0.4), 0.3)}) {
    const Gradient gradient(cloud, 2);
    EXPECT_LT(affine_error(cloud, gradient), 1e-10) << cloud.size() << " particles";
    EXPECT_LT(force_inside(cloud, gradient), 1e-10) << cloud.size() << " particles";
  }
}

// To rounding; without the correction edges and corners miss 0.13 d^2.
TEST(Gradient, UniformStressLeavesTheRightForcesAtTheSurfaceOfALattice) {
  for (const std::size_t n : {4u, 6u, 9u}) {
    const Cloud cloud = cube_lattice(n);
    const Gradient gradient(cloud, 2);
    for (std::size_t j = 0; j < cloud.size(); ++j)
      EXPECT_LT((gradient.area(j) - cloud.area[j]).norm(), 1e-10 * std::pow(cloud.spacing, 2))
          << n << " " << j;
  }
}

// Whatever the areas are: those of a closed surface around the volume.
TEST(Gradient, AreasOfACloudAddUpToItsSurface) {
  const Cloud cloud = jittered(cube_lattice(6), 0.2);
  const Gradient gradient(cloud, 2);
  Vec3 sum = Vec3::Zero();
  Mat3 volume = Mat3::Zero();
  for (std::size_t j = 0; j < cloud.size(); ++j) {
    sum += gradient.area(j);
    volume += gradient.area(j) * cloud.position[j].transpose();
  }
  EXPECT_LT(sum.norm(), 1e-12);
  EXPECT_LT((volume - Mat3::Identity()).norm(), 1e-10);
}

// Two layers away from any surface, l = 2 d: the difference of both neighbours along a line.
TEST(Gradient, InsideALatticeWavesAreSeenAsByCentralDifferences) {
  const Cloud cloud = cube_lattice(9);
  const Gradient gradient(cloud, 2);
  const std::size_t middle = (4 * 9 + 4) * 9 + 4;
  for (const double per_wave : {4.0, 8.0, 16.0}) {
    const double k = 2 * std::numbers::pi / (per_wave * cloud.spacing);
    const Mat3 g = gradient.of(
        middle, [&](std::size_t j) { return Vec3(std::sin(k * (cloud.position[j].x() - 0.5)), 0, 0); });
    EXPECT_NEAR(g(0, 0), std::sin(k * cloud.spacing) / cloud.spacing, 2e-3 * k) << per_wave;
  }
}

TEST(Gradient, TransposedSumsMeetTheSums) {
  const Cloud cloud = jittered(cube_lattice(4), 0.2);
  const Gradient gradient(cloud, 2);
  const CounterRandom random(3);
  const auto vector = [&](std::size_t j) {
    return Vec3(random.uniform(j), random.uniform(j + 500), random.uniform(j + 700));
  };
  const auto tensor = [&](std::size_t i) {
    return Mat3(Mat3::Constant(random.uniform(i + 900)) + Mat3::Identity());
  };
  double one = 0, other = 0;
  for (std::size_t i = 0; i < cloud.size(); ++i) {
    one += gradient.of(i, vector).cwiseProduct(tensor(i)).sum();
    other += gradient.gathered(i, tensor).dot(vector(i));
  }
  EXPECT_NEAR(one, other, 1e-10 * std::abs(one));
}

TEST(Gradient, NeedsNeighboursOutOfThePlane) {
  Cloud sheet = box_lattice(Vec3::Zero(), Vec3(1, 1, 1), {5, 5, 2});
  sheet.spacing = 0.25;
  try {
    const Gradient gradient(sheet, 2);  // the layers are 1 m apart
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("all in a plane"), std::string::npos) << error.what();
  }
}

TEST(Gradient, HasTheSameBitsForAnyThreadCount) {
  const Cloud cloud = jittered(cube_lattice(9), 0.2);
  set_thread_count(1);
  const Gradient one(cloud, 2);
  set_thread_count(3);
  const Gradient three(cloud, 2);
  set_thread_count(0);
  for (std::size_t i = 0; i < cloud.size(); ++i)
    for (std::size_t e = one.begin(i); e < one.end(i); ++e) ASSERT_EQ(one.slope(e), three.slope(e));
}

}  // namespace
}  // namespace hardpan::meshfree
