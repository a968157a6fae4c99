// Sums over neighbours of more particles than a cache holds.
#include "hardpan/meshfree/sums.h"

#include <gtest/gtest.h>

#include "hardpan/core/parallel.h"
#include "hardpan/core/random.h"
#include "hardpan/math/widest.h"
#include "hardpan/meshfree/ripple_rows.h"
#include "hardpan/meshfree/strain_rows.h"
#include "hardpan/meshfree/test_clouds.h"

namespace hardpan::meshfree {
namespace {

using Slopes = NeighbourSums::Slopes;
using Precision = NeighbourSums::Precision;

struct Lattice {
  Cloud cloud;
  Gradient gradient{cloud, Gradient::nearest};
  RippleRows ripples{cloud, gradient};
  NeighbourSums sums{gradient, ripples.coefficients()};

  explicit Lattice(std::size_t n) : cloud(cube_lattice(n)) {}
};

Mat3 random_tensor(std::uint64_t i) {
  const CounterRandom random(3);
  return Mat3::NullaryExpr(
      [&](Eigen::Index a, Eigen::Index b) { return random.uniform(9 * i + 3 * a + b, -1.0, 1.0); });
}

TEST(NeighbourSums, ParticlesOfABoxShareStencils) {
  EXPECT_EQ(Lattice(24).sums.stencils(), 125);  // two layers at each face are not as those inside
  const Cloud cloud = jittered(cube_lattice(5), 0.1);
  const Gradient gradient(cloud, 2);
  const RippleRows ripples(cloud, gradient);
  EXPECT_EQ(NeighbourSums(gradient, ripples.coefficients()).stencils(), cloud.size());
}

// By stretches, around a ring: the divergence that the gradient has by itself.
TEST(NeighbourSums, StretchesSeeAllTheirNeighbours) {
  const Lattice of(24);
  ASSERT_FALSE(of.sums.are_few());
  const int threads = thread_count();
  for (const int t : {1, 3}) {
    set_thread_count(t);
    WideRing ring;
    std::vector<double> out(3 * of.cloud.size(), 0.0);
    of.sums.by_stretches(
        ring,
        [&](std::size_t begin, std::size_t end) {
          for (std::size_t i = begin; i < end; ++i) ring[i].set(random_tensor(i), Vec3::Zero());
        },
        [&](std::size_t begin, std::size_t end) {
          of.sums.contract({Slopes::mirrored, Precision::exact}, ring, begin, end, out.data());
        });
    EXPECT_LT(ring.size(), of.cloud.size());
    for (std::size_t j = 0; j < of.cloud.size(); ++j) {
      const Vec3 right = of.gradient.gathered(j, random_tensor);
      ASSERT_LT((Eigen::Map<const Vec3>(&out[3 * j]) - right).norm(), 1e-12 * (1 + right.norm())) << j;
    }
  }
  set_thread_count(threads);
}

// Strains and ripples of a solid that is deformed, with a stiffness that differs from place to place.
struct AnyRows {
  Lattice of;
  StrainRows rows{of.gradient, of.sums};
  solve::Problem problem;
  std::vector<double> v;

  explicit AnyRows(std::size_t n) : of(n), v(3 * of.cloud.size()) {
    for (std::size_t i = 0; i < of.cloud.size(); ++i) problem.add_block(3);
    rows.place(problem, 0);
    for (std::size_t i = 0; i < of.cloud.size(); ++i) {
      const Mat6 root = Mat6::NullaryExpr([&](Eigen::Index a, Eigen::Index b) {
        return random_tensor(4 * i + static_cast<std::size_t>(a) / 2)((a % 2) + (b % 2), b / 2);
      });
      rows.set_answer(i, Mat3::Identity() + 0.2 * random_tensor(i), root * root.transpose(), Vec6::Ones());
      rows.set_ripple(i, random_tensor(i).col(0), 0.5, Vec3::Ones());
    }
    for (std::size_t k = 0; k < v.size(); ++k) v[k] = CounterRandom(8).uniform(k, -1.0, 1.0);
  }
};

// What the answer of rows changes by with velocities is their product, but for single precision.
TEST(NeighbourSums, ProductsOfManyFollowTheirAnswers) {
  const AnyRows many(24);
  const std::vector<double>& v = many.v;
  std::vector<double> at_rest(v.size(), 0.0), moving = at_rest, product = at_rest;
  const std::vector<double> still(v.size(), 0.0);
  many.rows.add_answer(still, at_rest);
  many.rows.add_answer(v, moving);
  many.rows.add_product(v, product);
  double largest = 0, off = 0;
  for (std::size_t k = 0; k < v.size(); ++k) {
    largest = std::max(largest, std::abs(product[k]));
    off = std::max(off, std::abs(at_rest[k] - moving[k] - product[k]));
  }
  EXPECT_LT(off, 4e-7 * largest);
  EXPECT_GT(off, 0);  // they are rounded
}

TEST(NeighbourSums, SameBitsOnEveryVectorUnit) {
  const Unit widest = widest_unit();
  for (const std::size_t n : {5u, 24u}) {
    const AnyRows any(n);
    const auto on = [&](Unit unit) {
      limit_unit(unit);
      std::vector<double> product(any.v.size(), 0.0), answer = product;
      any.rows.add_product(any.v, product);
      any.rows.add_answer(any.v, answer);
      return std::pair(product, answer);
    };
    const auto one_by_one = on(Unit::plain);
    for (const Unit unit : {Unit::avx2, Unit::avx512}) EXPECT_TRUE(on(unit) == one_by_one);
  }
  limit_unit(widest);
}

}  // namespace
}  // namespace hardpan::meshfree
