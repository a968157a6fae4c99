#include "hardpan/solve/block_ldlt.h"

#include <limits>

#include <Eigen/LU>
#include <Eigen/SparseCholesky>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "hardpan/core/error.h"
#include "hardpan/core/test_allocations.h"
#include "hardpan/solve/test_matrices.h"

namespace hardpan::solve {
namespace {

using test::BlockMatrix;
using test::RowMajor;

std::span<double> span_of(Eigen::VectorXd& x) { return {x.data(), static_cast<std::size_t>(x.size())}; }

Eigen::VectorXd right_side(int size) {
  return Eigen::VectorXd::NullaryExpr(size, [](Eigen::Index i) { return std::sin(1.0 + 3.7 * double(i)); });
}

BlockLdlt analysed(const BlockMatrix& matrix) {
  BlockLdlt ldlt;
  ldlt.analyse(matrix.sizes, matrix.places, matrix.velocity_blocks);
  return ldlt;
}

Eigen::VectorXd solved(const BlockLdlt& ldlt) {
  Eigen::VectorXd x = right_side(ldlt.size());
  ldlt.solve(span_of(x));
  return x;
}

// Largest |b - A x| against |A| |x|, as a backward stable method keeps it near the unit round-off.
double residual(const Eigen::MatrixXd& a, const Eigen::VectorXd& x) {
  const Eigen::VectorXd r = right_side(static_cast<int>(x.size())) - a * x;
  return r.cwiseAbs().maxCoeff() / (a.cwiseAbs().rowwise().sum().maxCoeff() * x.cwiseAbs().maxCoeff());
}

void expect_solves(const BlockMatrix& matrix, double tolerance = 1e-11) {
  BlockLdlt ldlt = analysed(matrix);
  ASSERT_TRUE(ldlt.factor(matrix.values));
  const Eigen::VectorXd x = solved(ldlt),
                        expected = matrix.dense().fullPivLu().solve(right_side(matrix.size()));
  EXPECT_LE((x - expected).norm(), tolerance * (1 + expected.norm()));
}

RowMajor definite(int size, double shift = 0) {
  RowMajor m = RowMajor::NullaryExpr(size, size, [&](Eigen::Index i, Eigen::Index j) {
    return std::sin(shift + 1.3 * double(i) + 2.9 * double(j) * double(i + 1));
  });
  return m * m.transpose() + 2 * RowMajor::Identity(size, size);
}

TEST(BlockLdlt, AgreesWithDenseLuOnRandomPatterns) {
  EXPECT_TRUE(rc::check([](std::uint64_t seed) {
    const BlockMatrix matrix = test::random_matrix(seed, 1e-2);
    const Eigen::VectorXd expected = matrix.dense().fullPivLu().solve(right_side(matrix.size()));
    const int blocks = static_cast<int>(matrix.sizes.size());
    for (int velocity_blocks : {matrix.velocity_blocks, blocks}) {
      BlockLdlt ldlt;
      ldlt.analyse(matrix.sizes, matrix.places, velocity_blocks);
      RC_ASSERT(ldlt.size() == matrix.size());
      RC_ASSERT(ldlt.factor(matrix.values));
      RC_ASSERT((solved(ldlt) - expected).norm() <= 1e-9 * (1 + expected.norm()));
    }
  }));
}

TEST(BlockLdlt, SignsOfPivotsTellVelocitiesFromRows) {
  EXPECT_TRUE(rc::check([](std::uint64_t seed) {
    const BlockMatrix matrix = test::random_matrix(seed, 1e-3);
    BlockLdlt ldlt = analysed(matrix);
    RC_ASSERT(ldlt.factor(matrix.values));
    const int velocities = matrix.starts()[static_cast<std::size_t>(matrix.velocity_blocks)];
    for (int i = 0; i < ldlt.size(); ++i) RC_ASSERT((ldlt.pivot(i) > 0) == (i < velocities));
  }));
}

TEST(BlockLdlt, StaysAccurateForTinySigma) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const BlockMatrix matrix = test::random_matrix(seed, 1e-12);
    const test::ScalarMatrix scalars(matrix);
    const Eigen::MatrixXd dense = matrix.dense();
    BlockLdlt ldlt = analysed(matrix);
    Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>, Eigen::Upper> scalar(scalars.sparse(matrix.size()));
    ASSERT_TRUE(ldlt.factor(matrix.values) && scalar.info() == Eigen::Success);
    const Eigen::VectorXd x = scalar.solve(right_side(matrix.size()));
    EXPECT_LE(residual(dense, solved(ldlt)), 1e-13 + 3 * residual(dense, x)) << "seed " << seed;
  }
}

// Eliminated with their links, hinges lose nothing however stiff they are.
TEST(BlockLdlt, HingesOfAChainNeedNoCompliance) {
  for (double sigma : {1e-6, 1e-12, 1e-18, 0.0}) {
    const BlockMatrix chain = test::hinge_chain(30, sigma);
    BlockLdlt ldlt = analysed(chain);
    ASSERT_TRUE(ldlt.factor(chain.values));
    EXPECT_LT(residual(chain.dense(), solved(ldlt)), 1e-12) << sigma;
  }
}

TEST(BlockLdlt, SolvesMachines) {
  expect_solves(test::hinge_chain(40), 1e-7);
  const BlockMatrix machine = test::tracked_machine();
  BlockLdlt ldlt = analysed(machine);
  ASSERT_TRUE(ldlt.factor(machine.values));
  EXPECT_LT(residual(machine.dense(), solved(ldlt)), 1e-15);
}

TEST(BlockLdlt, WorkOfAChainGrowsInProportion) {
  const BlockLdlt small = analysed(test::hinge_chain(100)), large = analysed(test::hinge_chain(1000));
  EXPECT_LT(large.factor_flops(), 10.5 * small.factor_flops());
  EXPECT_LT(large.solve_flops(), 10.5 * small.solve_flops());
}

TEST(BlockLdlt, TakesSmallAndDegenerateMatrices) {
  const BlockMatrix empty;
  BlockLdlt nothing = analysed(empty);
  EXPECT_TRUE(nothing.factor(empty.values));
  EXPECT_EQ(solved(nothing).size(), 0);
  for (int size : {1, 2, 3, 4, 5, 6, 7, 11, 12, 13, 32, 50}) {
    BlockMatrix single;
    single.add(single.add_block(size), 0, definite(size));
    expect_solves(single);
    for (int b : {1, 2}) single.add(single.add_block(size), b, definite(size, b));  // not connected
    expect_solves(single);
    single.add(0, 2, RowMajor::Zero(size, size));
    expect_solves(single);
  }
  BlockMatrix hollow;  // a block without unknowns
  hollow.add(hollow.add_block(3), 0, definite(3));
  hollow.add(hollow.add_block(0), 0, RowMajor::Zero(0, 3));
  hollow.add(hollow.add_block(2), 2, definite(2));
  expect_solves(hollow);
}

TEST(BlockLdlt, TakesADenseLastRowAndAFullMatrix) {
  for (bool full : {false, true}) {
    BlockMatrix m;
    const int blocks = 14;
    for (int b = 0; b < blocks; ++b) {
      const int size = m.sizes.emplace_back(1 + b % 7);
      m.add(b, b, definite(size, b) + 20 * RowMajor::Identity(size, size));
      for (int other = 0; other < b; ++other)
        if (full || b == blocks - 1)
          m.add(b, other, 0.3 * definite(8, b + other).topLeftCorner(size, m.sizes[std::size_t(other)]));
    }
    m.velocity_blocks = blocks;
    expect_solves(m);
  }
}

TEST(BlockLdlt, AddsUpRepeatedAndTransposedPlaces) {
  const RowMajor g = definite(6).topRows(2), a = definite(6);
  BlockMatrix once, parts;
  for (BlockMatrix* m : {&once, &parts}) {
    m->add_block(6);
    m->add_block(2);
    m->velocity_blocks = 1;
    m->add(1, 1, -RowMajor::Identity(2, 2));
  }
  once.add(0, 0, a);
  once.add(1, 0, g);
  parts.add(0, 0, 0.5 * a);
  parts.add(0, 1, 0.25 * g.transpose());
  parts.add(1, 0, 0.5 * g);
  parts.add(0, 0, 0.5 * a);
  parts.add(1, 0, 0.25 * g);
  EXPECT_EQ(once.dense(), parts.dense());
  expect_solves(once);
  expect_solves(parts);
}

TEST(BlockLdlt, RowsWithoutADiagonalBlockGetOneByElimination) {
  BlockMatrix m;
  m.add_block(6);
  m.add_block(4);
  m.velocity_blocks = 1;
  m.add(0, 0, definite(6));
  m.add(1, 0, definite(6).topRows(4));
  expect_solves(m);
}

TEST(BlockLdlt, RefusesZeroAndNonFinitePivots) {
  BlockMatrix m = test::hinge_chain(3);
  const std::vector<double> good = m.values;
  BlockLdlt ldlt = analysed(m);
  ASSERT_TRUE(ldlt.factor(good));
  const Eigen::VectorXd before = solved(ldlt);
  const double infinity = std::numeric_limits<double>::infinity(), nan = std::nan("");
  for (double bad : {nan, infinity, -infinity})
    for (std::size_t i : {std::size_t{0}, std::size_t{7}, std::size_t{36 * 3 + 31}}) {
      m.values = good;
      m.values[i] = bad;
      EXPECT_FALSE(ldlt.factor(m.values)) << bad << " at " << i;
    }
  EXPECT_FALSE(ldlt.factor(std::vector<double>(good.size(), 0.0)));
  EXPECT_FALSE(ldlt.factor(std::vector<double>(good.size(), 1e-320)));  // its inverse is not finite
  ASSERT_TRUE(ldlt.factor(good));
  EXPECT_EQ(solved(ldlt), before);
}

TEST(BlockLdlt, FollowsOtherValuesAndOtherPatterns) {
  BlockLdlt ldlt;
  for (std::uint64_t seed : {1, 2, 3, 4, 5, 6, 7, 8}) {
    BlockMatrix m = test::random_matrix(seed, 1e-2);
    ldlt.analyse(m.sizes, m.places, m.velocity_blocks);
    for (double scale : {1.0, -3.0}) {  // the negative of a quasi-definite matrix has an LDL^T as well
      for (double& v : m.values) v *= scale;
      ASSERT_TRUE(ldlt.factor(m.values));
      BlockLdlt fresh = analysed(m);
      ASSERT_TRUE(fresh.factor(m.values));
      EXPECT_EQ(solved(ldlt), solved(fresh));
      EXPECT_LT(residual(m.dense(), solved(ldlt)), 1e-13);
    }
  }
}

TEST(BlockLdlt, FactorsAndSolvesWithoutAllocating) {
  const BlockMatrix machine = test::tracked_machine();
  BlockLdlt ldlt = analysed(machine);
  Eigen::VectorXd x = right_side(machine.size());
  const std::size_t before = hardpan::test::allocations();
  ldlt.analyse(machine.sizes, machine.places);
  ASSERT_GT(hardpan::test::allocations(), before);
  const std::size_t analysed_at = hardpan::test::allocations();
  const bool good = ldlt.factor(machine.values);
  ldlt.solve(span_of(x));
  EXPECT_EQ(hardpan::test::allocations(), analysed_at);
  EXPECT_TRUE(good);
}

TEST(BlockLdlt, RefusesPlacesOutsideTheMatrix) {
  BlockLdlt ldlt;
  const std::vector<int> sizes{3, 3};
  const std::vector<BlockPlace> high{{0, 2}}, low{{-1, 0}}, good{{1, 0}};
  EXPECT_THROW(ldlt.analyse(sizes, high), InvariantError);
  EXPECT_THROW(ldlt.analyse(sizes, low), InvariantError);
  EXPECT_THROW(ldlt.analyse(sizes, good, 3), InvariantError);
}

}  // namespace
}  // namespace hardpan::solve
