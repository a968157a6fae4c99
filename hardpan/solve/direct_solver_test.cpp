#include "hardpan/solve/direct_solver.h"

#include <array>
#include <cmath>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "hardpan/solve/test_problems.h"

namespace hardpan::solve {
namespace {

using namespace test;

TEST(DirectSolver, AgreesWithDenseLuOnRandomProblems) {
  EXPECT_TRUE(rc::check([](std::uint64_t seed) {
    const int bodies = 1 + static_cast<int>(seed % 12), rows = static_cast<int>(seed / 16 % 20);
    const auto r = random_problem(seed, bodies, rows, 1e-3);
    VecX v(static_cast<Eigen::Index>(r->problem.velocities())),
        lambda(static_cast<Eigen::Index>(r->problem.rows()));
    DirectSolver solver;
    const SolveReport report = solver.solve(r->problem, span_of(v), span_of(lambda));
    RC_ASSERT(report.ok);
    const VecX expected = dense_solution(r->problem);
    RC_ASSERT((expected.head(v.size()) - v).norm() <= 1e-9 * (1 + expected.norm()));
    RC_ASSERT((expected.tail(lambda.size()) - lambda).norm() <= 1e-9 * (1 + expected.norm()));
    RC_ASSERT(report.residual.momentum <= 1e-10 * (1 + expected.norm()));
    RC_ASSERT(report.residual.velocity <= 1e-10 * (1 + expected.norm()));
  }));
}

TEST(DirectSolver, KeepsItsPatternAndFollowsAChange) {
  DirectSolver solver;
  for (int rows : {4, 4, 9, 2}) {
    const auto r = random_problem(5, 6, rows, 1e-2);
    VecX v(static_cast<Eigen::Index>(r->problem.velocities())), lambda(rows);
    ASSERT_TRUE(solver.solve(r->problem, span_of(v), span_of(lambda)).ok);
    EXPECT_LT((dense_solution(r->problem).head(v.size()) - v).norm(), 1e-10);
  }
}

TEST(DirectSolver, SurvivesRedundantRowsAndTinySigma) {
  auto r = random_problem(3, 3, 4, 1e-12);
  BlockRows twice;  // the same row again: rank deficient without Sigma
  twice.add_row(r->problem, std::array<std::size_t, 1>{0});
  twice.jacobian(0, 0)[0] = 1;
  twice.set(0, {.sigma = 1e-12, .rhs = 0.5});
  r->problem.add_group(twice);
  r->problem.add_group(twice);
  VecX v(static_cast<Eigen::Index>(r->problem.velocities())),
      lambda(static_cast<Eigen::Index>(r->problem.rows()));
  DirectSolver solver({.refinement = 2});
  const SolveReport report = solver.solve(r->problem, span_of(v), span_of(lambda));
  ASSERT_TRUE(report.ok) << report.reason;
  EXPECT_LT(report.residual.velocity, 1e-9);
  EXPECT_NEAR(v[0], 0.5, 1e-9);
  EXPECT_NEAR(lambda[4], lambda[5], 1e-3 * std::abs(lambda[4]));  // equal compliance shares the load
}

TEST(DirectSolver, NamesWhatIsWrong) {
  DirectSolver solver;
  auto r = random_problem(1, 2, 1, 1e-3);
  VecX v(static_cast<Eigen::Index>(r->problem.velocities())), lambda = VecX::Zero(1);
  for (double& x : r->problem.matrix(0)) x = -x;
  EXPECT_NE(solver.solve(r->problem, span_of(v), span_of(lambda)).reason.find("mass matrix"),
            std::string::npos);
  for (double& x : r->problem.matrix(0)) x = std::nan("");
  EXPECT_FALSE(solver.solve(r->problem, span_of(v), span_of(lambda)).ok);
  const auto reason = [&](const RowValues& values) {
    const auto bad = random_problem(1, 2, 3, 1e-3);
    bad->rows.set(2, values);
    return solved(SolverKind::direct, bad->problem).report.reason;
  };
  const double nan = std::nan("");
  EXPECT_EQ(reason({.sigma = 1}), "");
  EXPECT_EQ(reason({.sigma = 0}), "row 2: Sigma is 0, not positive");
  EXPECT_EQ(reason({.sigma = -3}), "row 2: Sigma is -3, not positive");
  EXPECT_EQ(reason({.sigma = nan}), "row 2: Sigma is nan");
  EXPECT_EQ(reason({.sigma = 1, .rhs = unbounded}), "row 2: q is inf");
  EXPECT_EQ(reason({.sigma = 1, .lower = 2, .upper = 1}), "row 2: lambda cannot lie between 2 and 1");
  EXPECT_EQ(reason({.sigma = 1, .lower = nan}), "row 2: lambda cannot lie between nan and inf");
  EXPECT_EQ(reason({.sigma = 1, .lower = unbounded}), "row 2: lambda cannot lie between inf and inf");
}

// ---- bounds

// The dual, densely: w = M lambda + b with M = G A^-1 G^T + Sigma, b = G A^-1 p - q.
struct Dual {
  Eigen::MatrixXd m;
  VecX b;
};
Dual dual_of(const Problem& problem) {
  const auto n = static_cast<Eigen::Index>(problem.velocities()),
             rows = static_cast<Eigen::Index>(problem.rows());
  const DenseSystem system = dense_system(problem);
  const Eigen::MatrixXd a = system.matrix.topLeftCorner(n, n), g = system.matrix.bottomLeftCorner(rows, n);
  const Eigen::LDLT<Eigen::MatrixXd> inverse(a);
  return {g * inverse.solve(g.transpose()) + Eigen::MatrixXd(system.matrix.bottomRightCorner(rows, rows)),
          g * inverse.solve(system.right.head(n)) - system.right.tail(rows)};
}

// All sets of held rows until one agrees. Independent of every rule of pivoting.
VecX brute_force(const Problem& problem, const RowGroup& rows) {
  const Dual dual = dual_of(problem);
  const Eigen::Index n = dual.b.size();
  const auto at = [](Eigen::Index i) { return static_cast<std::size_t>(i); };
  for (int code = 0; code < std::pow(3, n); ++code) {
    Eigen::MatrixXd m = dual.m;
    VecX right = -dual.b;
    std::vector<int> state(at(n));
    bool possible = true;
    for (Eigen::Index i = 0, c = code; i < n; ++i, c /= 3) {
      state[at(i)] = static_cast<int>(c % 3);
      if (state[at(i)] == 0) continue;
      m.row(i).setZero();
      m(i, i) = 1;
      right[i] = state[at(i)] == 1 ? rows.lower()[at(i)] : rows.upper()[at(i)];
      possible = possible && std::isfinite(right[i]);
    }
    if (!possible) continue;
    const VecX lambda = m.partialPivLu().solve(right), w = dual.m * lambda + dual.b;
    bool agrees = true;
    for (Eigen::Index i = 0; i < n; ++i) {
      if (rows.lower()[at(i)] == rows.upper()[at(i)]) {
        agrees = agrees && state[at(i)] == 1;
      } else {
        agrees = agrees && lambda[i] >= rows.lower()[at(i)] - 1e-9 && lambda[i] <= rows.upper()[at(i)] + 1e-9;
        agrees = agrees && (state[at(i)] != 1 || w[i] >= -1e-9) && (state[at(i)] != 2 || w[i] <= 1e-9);
      }
    }
    if (agrees) return lambda;
  }
  return VecX::Constant(n, std::nan(""));
}

TEST(DirectSolver, FindsTheSetThatEnumerationFinds) {
  EXPECT_TRUE(rc::check([](std::uint64_t seed) {
    const auto r =
        random_problem(seed, 1 + static_cast<int>(seed % 3), 1 + static_cast<int>(seed / 3 % 7), 1e-2);
    add_random_bounds(*r, seed);
    const Solved s = solved(SolverKind::direct, r->problem);
    RC_ASSERT(s.report.ok);
    RC_ASSERT(s.report.converged);
    const VecX expected = brute_force(r->problem, r->rows);
    RC_ASSERT(expected.allFinite());
    RC_ASSERT((expected - s.lambda).norm() <= 1e-7 * (1 + expected.norm()));
  }));
}

// Complementarity by itself, without a second solver.
void expect_complementary(const Problem& problem, const RowGroup& rows, const Solved& s, double tolerance) {
  VecX r(s.v.size()), w(s.lambda.size()), v = s.v, lambda = s.lambda;
  problem.residual(span_of(v), span_of(lambda), span_of(r), span_of(w));
  EXPECT_LE(r.cwiseAbs().maxCoeff(), tolerance * (1 + lambda.cwiseAbs().maxCoeff()));
  for (Eigen::Index k = 0; k < w.size(); ++k) {
    const auto i = static_cast<std::size_t>(k);
    EXPECT_GE(lambda[k], rows.lower()[i]);
    EXPECT_LE(lambda[k], rows.upper()[i]);
    EXPECT_LE(lambda[k] > rows.lower()[i] ? w[k] : 0.0, tolerance) << k;
    EXPECT_GE(lambda[k] < rows.upper()[i] ? w[k] : 0.0, -tolerance) << k;
  }
}

TEST(DirectSolver, IsComplementaryOnLargerProblems) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto r = random_problem(seed, 20, 120, seed % 2 ? 1e-3 : 1e-8);
    add_random_bounds(*r, seed);
    const Solved s = solved(SolverKind::direct, r->problem);
    ASSERT_TRUE(s.report.ok && s.report.converged) << s.report.reason;
    expect_complementary(r->problem, r->rows, s, 1e-11);
    EXPECT_LE(s.report.residual.velocity, 1e-11);
  }
  const auto grid = grid_on_floor(12, 1e-9, 1e4, 5);
  const Solved s = solved(SolverKind::direct, grid->problem);
  ASSERT_TRUE(s.report.ok && s.report.converged);
  expect_complementary(grid->problem, grid->rows, s, 1e-10);
  EXPECT_LT(s.report.iterations, 60);
}

TEST(DirectSolver, TheGuessDecidesAboutTimeNotAboutTheResult) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const auto t = varied_problem(seed);
    const Solved s = solved(SolverKind::direct, t->problem);
    ASSERT_TRUE(s.report.ok && s.report.converged);
    const Solved warm = solved(SolverKind::direct, t->problem, &s.lambda);
    EXPECT_LE(warm.report.iterations, 2);  // 2 where a solution stands exactly at a bound
    Dice dice(seed);
    for (int k = 0; k < 3; ++k) {
      const double size = k == 0 ? 1e6 : 1;
      VecX guess = VecX::NullaryExpr(s.lambda.size(), [&](auto) { return size * dice.number(); });
      if (k == 2) guess.setConstant(std::nan(""));
      const Solved other = solved(SolverKind::direct, t->problem, &guess);
      ASSERT_TRUE(other.report.ok && other.report.converged);
      EXPECT_LE((other.v - s.v).norm(), 1e-11 * (1 + s.v.norm())) << seed;
      EXPECT_LE((other.lambda - s.lambda).norm(), 1e-6 * (1 + s.lambda.norm())) << seed;
    }
  }
}

TEST(DirectSolver, WithoutBoundsItIsOneFactorisation) {
  const auto r = random_problem(8, 9, 12, 1e-6);
  const Solved s = solved(SolverKind::direct, r->problem);
  EXPECT_EQ(s.report.factorisations, 1);
  EXPECT_EQ(s.report.iterations, 1);
}

// A mass pushed onto rows of one kind or another; lambda and v by hand.
Solved one_mass(std::span<const RowValues> rows, double momentum) {
  TestProblem t;
  t.problem.momentum(add_mass(t, 1, 2))[0] = momentum;
  for (const RowValues& values : rows)
    t.rows.jacobian(add_row(t, std::array<std::size_t, 1>{0}, values), 0)[0] = 1;
  t.problem.add_group(t.rows);
  return solved(SolverKind::direct, t.problem);
}

TEST(DirectSolver, FixedOppositeAndHeldRows) {
  // Fixed rows act as given impulses, whatever their Sigma.
  const std::array fixed = {RowValues{.sigma = 0, .lower = 3, .upper = 3},
                            RowValues{.sigma = -1, .lower = -1, .upper = -1}};
  Solved s = one_mass(fixed, 4);
  ASSERT_TRUE(s.report.ok) << s.report.reason;
  EXPECT_EQ(s.v[0], 3);
  EXPECT_EQ(s.lambda[0], 3);
  // Two opposite one-sided rows ask for v >= 1 and v <= -1: they share by compliance, both press.
  const std::array opposite = {RowValues{.sigma = 1e-6, .rhs = 1, .lower = 0},
                               RowValues{.sigma = 1e-6, .rhs = -1, .upper = 0}};
  s = one_mass(opposite, 0);
  ASSERT_TRUE(s.report.ok && s.report.converged);
  EXPECT_NEAR(s.v[0], 0, 1e-9);
  EXPECT_NEAR(s.lambda[0], 1e6, 1);
  EXPECT_NEAR(s.lambda[1], -1e6, 1);
  // All held: bounds too small to stop it.
  const std::array weak = {RowValues{.sigma = 1e-9, .lower = -1, .upper = 1},
                           RowValues{.sigma = 1e-9, .lower = -2, .upper = 0.5}};
  s = one_mass(weak, 40);
  EXPECT_EQ(s.lambda[0], -1);
  EXPECT_EQ(s.lambda[1], -2);
  EXPECT_DOUBLE_EQ(s.v[0], 18.5);
}

TEST(DirectSolver, DegenerateSolutionsExactlyAtTheBound) {
  // w = 0 and lambda = 0 at once, many times over.
  std::vector<RowValues> rows(50, {.sigma = 1e-10, .rhs = 2, .lower = 0});
  Solved s = one_mass(rows, 4);
  ASSERT_TRUE(s.report.ok && s.report.converged);
  EXPECT_NEAR(s.v[0], 2, 1e-14);
  EXPECT_NEAR(s.lambda.sum(), 0, 1e-12);
  EXPECT_LT(s.report.iterations, 10);
  // The bound is exactly what is needed.
  rows.assign(1, {.sigma = 0.5, .rhs = 0, .lower = -2, .upper = 2});
  s = one_mass(rows, 4);  // lambda = -4/(1 + 2 * 0.5) = -2
  ASSERT_TRUE(s.report.converged);
  EXPECT_DOUBLE_EQ(s.lambda[0], -2);
}

TEST(DirectSolver, RedundantBoundedRowsDoNotCycle) {
  for (const double sigma : {1e-6, 1e-9, 1e-12}) {
    const auto t = platform(200, sigma, 1e3, true, 4);
    const Solved s = solved(SolverKind::direct, t->problem);
    ASSERT_TRUE(s.report.ok && s.report.converged) << sigma << s.report.reason;
    EXPECT_LT(s.report.iterations, 60) << sigma;
    EXPECT_NEAR(s.lambda.sum(), 9.81, 1e-3);
  }
}

}  // namespace
}  // namespace hardpan::solve
