#include "hardpan/solve/impulse_error.h"

#include <cmath>

#include <gtest/gtest.h>

#include "hardpan/solve/test_contacts.h"

namespace hardpan::solve {
namespace {

using namespace test;

struct Solved {
  std::vector<double> v, lambda;
  SolveReport report;
};

Solved solved(const Problem& problem, const SolverOptions& options) {
  Solved s{std::vector<double>(problem.velocities()), std::vector<double>(problem.rows()), {}};
  s.report = make_solver(options)->solve(problem, s.v, s.lambda);
  return s;
}

double error_of(const Problem& problem, Friction friction, const Solved& s) {
  RowTable rows;
  EXPECT_EQ(rows.gather(problem), "");
  std::vector<double> rho, r(s.v.size()), w(s.lambda.size());
  impulse_steps(problem, rows, rho);
  problem.residual(s.v, s.lambda, r, w);
  return impulse_error(rows, friction, rho, s.lambda, w);
}

// A ball on the ground without friction that came down with v: it misses its impulse by m v, whatever rho is,
// because rho = 3/tr N_ii is m where inertia does not count.
TEST(ImpulseError, OfNoImpulseIsTheMissingOne) {
  ContactProblem t;
  add_body(t, 2.0, 1e9, Vec3(0, 0, -0.5));
  Touch touch;
  touch.a = 0;
  touch.from_a = Vec3(0, 0, -0.1);
  touch.mu = 0;
  touch.sigma_n = touch.sigma_t = 1e-12;
  write_touches(t, {touch});
  const Solved nothing{{0, 0, -0.5, 0, 0, 0}, {0, 0, 0}, {}};
  EXPECT_NEAR(error_of(t.problem, Friction::cone, nothing), 1.0, 1e-6);
  const Solved exact = solved(t.problem, {.kind = SolverKind::newton});
  EXPECT_NEAR(error_of(t.problem, Friction::cone, exact), 0, 1e-12);
}

// Sliding on the ground: |w_t| is no error under Coulomb's law, and the opening that the convex law asks for
// is one.
TEST(ImpulseError, KnowsBothLaws) {
  ContactProblem t;
  add_body(t, 1.0, 1e9, Vec3(3, 0, -0.1));
  Touch touch;
  touch.a = 0;
  touch.from_a = Vec3(0, 0, 0);
  touch.mu = 0.5;
  touch.sigma_n = touch.sigma_t = 1e-12;
  write_touches(t, {touch});
  const Solved cone = solved(t.problem, {.kind = SolverKind::newton, .friction = Friction::cone});
  EXPECT_NEAR(error_of(t.problem, Friction::cone, cone), 0, 1e-9);
  EXPECT_GT(error_of(t.problem, Friction::convex, cone), 0.1);
  const Solved convex = solved(t.problem, {.kind = SolverKind::newton, .friction = Friction::convex});
  EXPECT_NEAR(error_of(t.problem, Friction::convex, convex), 0, 1e-9);
  EXPECT_GT(error_of(t.problem, Friction::cone, convex), 0.1);
}

// What is asked for is what comes, by either solver, and not much better: they stop.
TEST(ImpulseError, SolversStopAtTheToleranceOfImpulses) {
  for (const SolverKind kind : {SolverKind::pgs, SolverKind::apgd})
    for (const double tolerance : {1e-3, 1e-5, 1e-7}) {
      const auto pile = lattice_pile(3, 4, 1, 0.5, 1e-3, 3);
      const Solved s =
          solved(pile->problem, {.kind = kind, .max_iterations = 100'000, .impulse_tolerance = tolerance});
      EXPECT_TRUE(s.report.converged);
      const double error = error_of(pile->problem, Friction::cone, s);
      EXPECT_LE(error, tolerance);
      EXPECT_NEAR(s.report.residual.impulse, error, 1e-3 * tolerance);
    }
}

// A column of 30 at rest is pushed at its top: at first only the uppermost contacts change, and the push has
// to come down to the ground, though contacts at rest are not visited in every sweep.
TEST(ImpulseError, WhatIsAtRestIsVisitedAgain) {
  constexpr std::size_t count = 30;
  constexpr double weight = 0.01, push = 1, tolerance = 1e-6;
  ContactProblem t;
  std::vector<Touch> touches(count);
  for (std::size_t k = 0; k < count; ++k) {  // upwards
    add_body(t, 1.0, 1.0, Vec3(0, 0, -weight - (k + 1 == count ? push : 0)));
    touches[k].a = k;
    touches[k].b = k > 0 ? k - 1 : ContactRows::ground;
    touches[k].from_a = Vec3::Zero();
    touches[k].mu = 0;
    touches[k].sigma_n = touches[k].sigma_t = 1e-6;
  }
  write_touches(t, touches);
  Solved s{std::vector<double>(6 * count), std::vector<double>(3 * count), {}};
  for (std::size_t k = 0; k < count; ++k) s.lambda[3 * k] = weight * static_cast<double>(count - k);
  s.report = make_solver({.kind = SolverKind::pgs, .max_iterations = 20'000, .impulse_tolerance = tolerance})
                 ->solve(t.problem, s.v, s.lambda);
  EXPECT_TRUE(s.report.converged);
  EXPECT_LE(error_of(t.problem, Friction::cone, s), tolerance);
  for (std::size_t k = 0; k < count; ++k)
    EXPECT_NEAR(s.lambda[3 * k], push + weight * static_cast<double>(count - k), 1e-3)
        << k;  // 30^2 times that
}

TEST(ImpulseError, NaNShows) {
  ContactProblem t;
  add_body(t, 1.0, 1.0, Vec3(0, 0, -1));
  Touch touch;
  touch.a = 0;
  touch.from_a = Vec3::Zero();
  write_touches(t, {touch});
  EXPECT_TRUE(std::isnan(error_of(t.problem, Friction::cone, {{0, 0, NAN, 0, 0, 0}, {0, 0, 0}, {}})));
}

}  // namespace
}  // namespace hardpan::solve
