#include "hardpan/solve/apgd_solver.h"

#include <gtest/gtest.h>

#include "hardpan/core/random.h"
#include "hardpan/solve/friction.h"
#include "hardpan/solve/test_contacts.h"

namespace hardpan::solve {
namespace {

using namespace test;

// ---- the projection, against a search: no point of the cone is nearer.

double distance(const double* x, const double* y) {
  return std::sqrt((x[0] - y[0]) * (x[0] - y[0]) + (x[1] - y[1]) * (x[1] - y[1]) +
                   (x[2] - y[2]) * (x[2] - y[2]));
}

TEST(ApgdCells, ProjectionIsTheNearestPointOfTheCone) {
  const CounterRandom random(3);
  std::uint64_t draw = 0;
  const auto any = [&](double low, double high) { return random.uniform(draw++, low, high); };
  for (int k = 0; k < 2000; ++k) {
    apgd::Cell cell{};
    cell.mu = k % 20 == 0 ? 0.0 : any(0, 1.5);
    const double given[3] = {any(-1, 1), any(-1, 1), any(-1, 1)};
    double found[3] = {given[0], given[1], given[2]};
    apgd::project(std::span(&cell, 1), found);
    EXPECT_LE(std::hypot(found[1], found[2]), cell.mu * found[0] * (1 + 1e-14) + 1e-300);
    const double least = distance(found, given);
    for (int trial = 0; trial < 50; ++trial) {
      const double near = std::pow(10, any(-6, 0));
      double other[3] = {std::max(0.0, found[0] + any(-near, near)), found[1] + any(-near, near),
                         found[2] + any(-near, near)};
      into_disc(other + 1, 2, cell.mu * other[0]);
      EXPECT_GE(distance(other, given), least - 1e-15);
    }
  }
}

// ---- the solver

SolveReport solve_by(const SolverOptions& options, const Problem& problem, std::vector<double>& v,
                     std::vector<double>& lambda) {
  v.assign(problem.velocities(), 0.0);
  lambda.assign(problem.rows(), 0.0);
  return make_solver(options)->solve(problem, v, lambda);
}

// Light bodies on a heavy one: in units of their own contacts cost few iterations.
TEST(Apgd, UnitsMakeUpForMassRatios) {
  ContactProblem t;
  const std::size_t slab = add_body(t, 1000, 500, {0, 0, -weight_step});
  std::vector<Touch> touches;
  for (const double x : {-1.0, 1.0})
    for (const double y : {-1.0, 1.0})
      touches.push_back({.a = slab, .from_a = {x, y, -0.1}, .sigma_n = 1e-7, .sigma_t = 1e-7});
  for (int k = 0; k < 20; ++k) {
    const std::size_t ball = add_body(t, 1e-3, 1e-7, {0.1, 0, -weight_step});
    touches.push_back({.a = ball,
                       .b = slab,
                       .from_a = {0, 0, -0.01},
                       .from_b = {0.05 * k - 0.5, 0, 0.1},
                       .sigma_n = 1e-3,
                       .sigma_t = 1e-3});
  }
  write_touches(t, touches);
  std::vector<double> v, lambda, exact, ignored;
  ASSERT_TRUE(solve_by({.kind = SolverKind::newton, .friction = Friction::convex}, t.problem, exact, ignored)
                  .converged);
  const SolveReport own = solve_by(
      {.kind = SolverKind::apgd, .tolerance = 1e-8, .friction = Friction::convex}, t.problem, v, lambda);
  ASSERT_TRUE(own.converged);
  for (std::size_t i = 0; i < v.size(); ++i) EXPECT_NEAR(v[i], exact[i], 1e-5);
  const SolveReport one =
      solve_by({.kind = SolverKind::apgd, .tolerance = 1e-8, .scaled = false, .friction = Friction::convex},
               t.problem, v, lambda);
  EXPECT_LT(4 * own.iterations, one.iterations);
}

// The best of what was met is returned, not the last.
TEST(Apgd, MoreIterationsAreNeverWorse) {
  const auto t = lattice_pile(4, 4, 2, 0.5, 1e-5, 11);
  double before = unbounded;
  for (int limit = 25; limit <= 800; limit += 25) {
    std::vector<double> v, lambda;
    const SolveReport report = solve_by(
        {.kind = SolverKind::apgd, .max_iterations = limit, .tolerance = 1e-12, .friction = Friction::convex},
        t->problem, v, lambda);
    ASSERT_TRUE(report.ok);
    EXPECT_LE(report.residual.velocity, before * (1 + 1e-9));
    before = report.residual.velocity;
  }
  EXPECT_LT(before, 1e-3);
}

TEST(Apgd, BoxesAreRefused) {
  const auto t = box_on_floor({1, 0, 0}, {0, 0, 0}, 0.5);
  std::vector<double> v, lambda;
  const SolveReport report =
      solve_by({.kind = SolverKind::apgd, .friction = Friction::box}, t->problem, v, lambda);
  EXPECT_FALSE(report.ok);
  EXPECT_NE(report.reason.find("not 'box'"), std::string::npos);
}

}  // namespace
}  // namespace hardpan::solve
