#include "hardpan/solve/newton_solver.h"

#include <array>
#include <cmath>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "hardpan/solve/test_problems.h"

namespace hardpan::solve {
namespace {

using namespace test;

VecX random_vector(Eigen::Index size, std::uint64_t seed) {
  Dice dice(seed);
  return VecX::NullaryExpr(size, [&](auto) { return dice.number(); });
}

double objective(const Problem& problem, const VecX& v) {
  return primal_objective(problem, {v.data(), static_cast<std::size_t>(v.size())});
}

TEST(NewtonSolver, GradientIsThatOfTheObjective) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto t = random_problem(seed, 4, 10, 0.1);
    add_random_bounds(*t, seed);
    VecX v = random_vector(static_cast<Eigen::Index>(t->problem.velocities()), seed), gradient(v.size());
    primal_gradient(t->problem, span_of(v), span_of(gradient));
    constexpr double h = 1e-6;
    for (Eigen::Index j = 0; j < v.size(); ++j) {
      VecX a = v, b = v;
      a[j] -= h;
      b[j] += h;
      const double slope = (objective(t->problem, b) - objective(t->problem, a)) / (2 * h);
      EXPECT_NEAR(gradient[j], slope, 1e-4 * (1 + std::abs(slope)));  // f has kinks in its second derivative
    }
  }
}

TEST(NewtonSolver, EveryStepDescends) {
  for (const bool matrix_free : {false, true})
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
      const auto t = grid_on_floor(5, 1e-4, 10, seed);
      double before = std::numeric_limits<double>::infinity();
      int steps = 0;
      for (bool done = false; !done && steps < 100;) {
        NewtonSolver solver(
            {.kind = SolverKind::newton, .max_iterations = ++steps, .matrix_free = matrix_free});
        const Solved s = solved(solver, t->problem);
        ASSERT_TRUE(s.report.ok);
        const double now = objective(t->problem, s.v);
        EXPECT_LE(now, before + 1e-9 * std::abs(now)) << "step " << steps << " seed " << seed;
        before = now;
        done = s.report.converged;
      }
      EXPECT_GT(steps, 2);
      EXPECT_LT(steps, 40);
    }
}

TEST(NewtonSolver, RaySearchFindsTheMinimum) {
  EXPECT_TRUE(rc::check([](std::uint64_t seed) {
    const auto t = random_problem(seed, 3, 12, 0.05);
    add_random_bounds(*t, seed);
    RowTable rows;
    RC_ASSERT(rows.gather(t->problem).empty());
    PrimalPath path;
    const VecX guess = random_vector(12, seed + 1);
    path.start(t->problem, rows, {guess.data(), 12});
    VecX d = random_vector(static_cast<Eigen::Index>(t->problem.velocities()), seed + 2);
    const VecX v = Eigen::Map<const VecX>(path.v().data(), d.size());
    if (dot(path.descent(), span_of(d)) < 0) d = -d;
    RC_ASSERT(path.advance_along(t->problem, rows, span_of(d)));
    const VecX found = Eigen::Map<const VecX>(path.v().data(), d.size());
    const double least = objective(t->problem, found), reach = (found - v).norm() / d.norm();
    for (int k = 0; k <= 400; ++k)
      RC_ASSERT(objective(t->problem, v + (k / 100.0) * reach * d) >= least - 1e-9 * (1 + std::abs(least)));
    VecX gradient(d.size()), at = found;
    primal_gradient(t->problem, span_of(at), span_of(gradient));
    RC_ASSERT(std::abs(gradient.dot(d)) <= 1e-8 * (1 + gradient.norm() * d.norm()));
  }));
}

TEST(NewtonSolver, AssembledMatrixFreeAndDirectAgree) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const auto t = random_problem(seed, 8, 40, seed % 2 ? 1e-2 : 1e-5);
    add_random_bounds(*t, seed);
    const Solved direct = solved(SolverKind::direct, t->problem),
                 newton = solved(SolverKind::newton, t->problem);
    NewtonSolver free({.kind = SolverKind::newton, .matrix_free = true});
    const Solved cg = solved(free, t->problem);
    ASSERT_TRUE(direct.report.converged && newton.report.converged && cg.report.converged) << seed;
    EXPECT_LE((newton.v - direct.v).cwiseAbs().maxCoeff(), 1e-11);
    EXPECT_LE((newton.lambda - direct.lambda).norm(), 1e-8 * (1 + direct.lambda.norm()));
    EXPECT_LE((cg.v - direct.v).cwiseAbs().maxCoeff(), 1e-8);
    EXPECT_LE((cg.lambda - direct.lambda).norm(), 1e-5 * (1 + direct.lambda.norm()));
    EXPECT_EQ(cg.report.factorisations, 0);
    EXPECT_GT(cg.report.inner_iterations, 0);
  }
}

// 1,000 kg on 99 links of 0.1 kg with stiff rows, and a row at link 50 that lifts with all of its 2 N s:
// tensions are the weights below, less that lift above it, and nothing moves.
TEST(NewtonSolver, StiffChainWithAGreatLoadIsExact) {
  constexpr Eigen::Index links = 100, lifted = 50;
  constexpr double lift = 2;
  for (const std::size_t size : {1, 3, 6})
    for (const double sigma : {1e-6, 1e-9, 1e-12})
      for (const SolverKind kind : {SolverKind::newton, SolverKind::direct}) {
        Chain chain = hanging_chain(links, size, 0.1, 1000, sigma);
        const Eigen::Index axes = size == 1 ? 1 : 3;
        for (Eigen::Index k = 0; k <= lifted; ++k) {
          chain.tension[k] -= lift;
          chain.t->rows.set(static_cast<std::size_t>(axes * k + axes - 1),
                            {.sigma = sigma, .rhs = sigma * chain.tension[k]});
        }
        const std::size_t row = add_row(*chain.t, std::array<std::size_t, 1>{lifted},
                                        {.sigma = sigma, .rhs = 1, .lower = 0, .upper = lift, .start = 1});
        chain.t->rows.jacobian(row, 0)[static_cast<std::size_t>(axes - 1)] = 1;
        const Solved s = solved(kind, chain.t->problem);
        ASSERT_TRUE(s.report.ok && s.report.converged) << s.report.reason;
        EXPECT_EQ(s.lambda[axes * links], lift);
        for (Eigen::Index k = 0; k < links; ++k)
          EXPECT_NEAR(s.lambda[axes * k + axes - 1], chain.tension[k], 1e-6 * chain.tension[k])
              << size << " " << sigma;
        EXPECT_LT(s.v.cwiseAbs().maxCoeff(), 1e-12);
        EXPECT_GT(s.report.iterations, 1);
      }
}

}  // namespace
}  // namespace hardpan::solve
