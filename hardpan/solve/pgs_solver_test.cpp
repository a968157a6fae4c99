#include "hardpan/solve/pgs_solver.h"

#include <cmath>

#include <gtest/gtest.h>

#include "hardpan/solve/test_contacts.h"
#include "hardpan/solve/test_problems.h"

namespace hardpan::solve {
namespace {

using namespace test;

TEST(PgsSolver, AgreesWithDirectWhereRowsAreSoft) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const auto t = random_problem(seed, 6, 15, 1.0);
    add_random_bounds(*t, seed);
    const Solved direct = solved(SolverKind::direct, t->problem), pgs = solved(SolverKind::pgs, t->problem);
    ASSERT_TRUE(direct.report.converged && pgs.report.converged) << seed;
    EXPECT_LE(pgs.report.residual.velocity, 1e-10);
    EXPECT_LE((pgs.v - direct.v).cwiseAbs().maxCoeff(), 1e-8);
    EXPECT_LE((pgs.lambda - direct.lambda).cwiseAbs().maxCoeff(), 1e-8);
  }
}

TEST(PgsSolver, AGoodGuessSavesSweeps) {
  const auto t = random_problem(3, 6, 15, 1e-1);
  add_random_bounds(*t, 3);
  const Solved cold = solved(SolverKind::pgs, t->problem);
  const Solved warm = solved(SolverKind::pgs, t->problem, &cold.lambda);
  ASSERT_TRUE(cold.report.converged && warm.report.converged);
  EXPECT_GT(cold.report.iterations, 10);
  EXPECT_LE(warm.report.iterations, 2);
}

TEST(PgsSolver, SaysThatAStiffChainIsTooMuch) {
  const Chain chain = hanging_chain(100, 6, 0.1, 1000, 1e-9);
  const Solved s = solved(SolverKind::pgs, chain.t->problem);
  ASSERT_TRUE(s.report.ok);
  EXPECT_FALSE(s.report.converged);
  EXPECT_EQ(s.report.iterations, 2000);
  EXPECT_GT(s.report.residual.velocity, 1e-10);
  EXPECT_TRUE(s.v.allFinite() && s.lambda.allFinite());
  // What it reports is what it leaves.
  VecX r(s.v.size()), w(s.lambda.size()), v = s.v, lambda = s.lambda;
  chain.t->problem.residual(span_of(v), span_of(lambda), span_of(r), span_of(w));
  EXPECT_DOUBLE_EQ(s.report.residual.velocity, w.cwiseAbs().maxCoeff());
}

TEST(PgsSolver, KeepsImpulsesWithinBoundsFromTheFirstSweep) {
  const auto t = grid_on_floor(6, 1e-6, 100, 2);
  PgsSolver one({.kind = SolverKind::pgs, .max_iterations = 1});
  VecX guess = VecX::Constant(static_cast<Eigen::Index>(t->problem.rows()), -1e30);
  const Solved s = solved(one, t->problem, &guess);
  ASSERT_TRUE(s.report.ok);
  EXPECT_EQ(s.report.iterations, 1);
  for (Eigen::Index i = 0; i < s.lambda.size(); ++i) {
    EXPECT_GE(s.lambda[i], t->rows.lower()[static_cast<std::size_t>(i)]);
    EXPECT_LE(s.lambda[i], t->rows.upper()[static_cast<std::size_t>(i)]);
  }
}

// With tolerance 0 the number of sweeps is the law, and contacts begin below their guess (pgs_solver.h).
TEST(PgsSolver, DoesAsManySweepsAsAsked) {
  const auto t = test::lattice_pile(3, 3, 4, 0.5, 1e-6, 1);
  const Solved good = solved(SolverKind::direct, t->problem);
  VecX guess = good.lambda;
  for (const int sweeps : {1, 7}) {
    PgsSolver fixed({.kind = SolverKind::pgs, .max_iterations = sweeps, .tolerance = 0});
    const Solved s = solved(fixed, t->problem, &guess);
    ASSERT_TRUE(s.report.ok);
    EXPECT_EQ(s.report.iterations, sweeps);
    // v belongs to lambda, though u was never computed anew.
    VecX r(s.v.size()), w(s.lambda.size()), v = s.v, lambda = s.lambda;
    t->problem.residual(span_of(v), span_of(lambda), span_of(r), span_of(w));
    EXPECT_LE(r.cwiseAbs().maxCoeff(), 1e-11 * s.lambda.cwiseAbs().maxCoeff());
  }
}

}  // namespace
}  // namespace hardpan::solve
