// What all solvers have in common: closed forms, agreement, honesty about bad data.
#include "hardpan/solve/solver.h"

#include <array>
#include <cmath>
#include <functional>
#include <sstream>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "hardpan/solve/test_problems.h"

namespace hardpan::solve {
namespace {

using namespace test;

const std::array every_solver = {
    SolverOptions{.kind = SolverKind::direct}, SolverOptions{.kind = SolverKind::newton},
    SolverOptions{.kind = SolverKind::newton, .matrix_free = true}, SolverOptions{.kind = SolverKind::pgs}};

std::string name_of(const SolverOptions& options) {
  if (options.kind == SolverKind::direct) return "direct";
  if (options.kind == SolverKind::pgs) return "pgs";
  return options.matrix_free ? "newton matrix-free" : "newton";
}

// ---- closed forms

// A block of 2 kg on the floor, pushed: normal row, friction row with the bounds mu N h.
TEST(Solvers, BlockSticksBelowAndSlidesAboveTheFrictionBound) {
  constexpr double m = 2, h = 1e-2, mu = 0.4, sigma = 1e-6, limit = mu * m * 9.81 * h;
  for (const SolverOptions& options : every_solver)
    for (const double push : {0.5 * limit, 0.999 * limit, 1.001 * limit, 3 * limit}) {
      TestProblem t;
      const auto p = t.problem.momentum(add_mass(t, 3, m));
      p[0] = push;
      p[2] = -m * 9.81 * h;
      const std::array<std::size_t, 1> body = {0};
      t.rows.jacobian(add_row(t, body, {.sigma = sigma, .lower = 0}), 0)[2] = 1;
      t.rows.jacobian(add_row(t, body, {.sigma = sigma, .lower = -limit, .upper = limit}), 0)[0] = 1;
      t.problem.add_group(t.rows);
      const Solved s = solved(*make_solver(options), t.problem);
      ASSERT_TRUE(s.report.ok && s.report.converged) << name_of(options);
      EXPECT_NEAR(s.lambda[0], m * 9.81 * h / (1 + m * sigma), 1e-8);
      // Stick: lambda = -push/(1 + m sigma). The bound is met a hair above push = limit.
      const double friction = -std::min(limit, push / (1 + m * sigma));
      EXPECT_NEAR(s.lambda[1], friction, 1e-8) << name_of(options) << " " << push;
      EXPECT_NEAR(s.v[0], (push + friction) / m, 1e-9) << name_of(options) << " " << push;
    }
}

TEST(Solvers, AOneSidedStopHoldsOneWayOnly) {
  for (const SolverOptions& options : every_solver)
    for (const double p : {-3.0, 5.0}) {
      TestProblem t;
      t.problem.momentum(add_mass(t, 1, 2))[0] = p;
      t.rows.jacobian(add_row(t, std::array<std::size_t, 1>{0}, {.sigma = 0.25, .rhs = 1, .lower = 0}),
                      0)[0] = 1;
      t.problem.add_group(t.rows);
      const Solved s = solved(*make_solver(options), t.problem);
      // 2 v - lambda = p, v + lambda/4 = 1: lambda = (4 - 2 p)/3 where that is positive.
      const double lambda = std::max(0.0, (4 - 2 * p) / 3);
      EXPECT_NEAR(s.lambda[0], lambda, 1e-8) << name_of(options);
      EXPECT_NEAR(s.v[0], (p + lambda) / 2, 1e-9) << name_of(options);
    }
}

TEST(Solvers, TwoRowsShareALoadByCompliance) {
  for (const SolverOptions& options : every_solver) {
    TestProblem t;
    t.problem.momentum(add_mass(t, 1, 5))[0] = -7;
    for (const double sigma : {1e-3, 4e-3})
      t.rows.jacobian(add_row(t, std::array<std::size_t, 1>{0}, {.sigma = sigma, .lower = 0}), 0)[0] = 1;
    t.problem.add_group(t.rows);
    const Solved s = solved(*make_solver(options), t.problem);
    ASSERT_TRUE(s.report.converged) << name_of(options);
    EXPECT_NEAR(s.lambda[0] / s.lambda[1], 4, 1e-5) << name_of(options);
    EXPECT_NEAR(5 * s.v[0] - s.lambda.sum(), -7, 1e-9);
  }
}

// 100 struts under a platform, of compliances 1 to 2: the load is shared as 1/Sigma where the platform stays
// level.
TEST(Solvers, PlatformOnRedundantStrutsSharesByCompliance) {
  for (const SolverOptions& options : every_solver) {
    if (options.kind == SolverKind::pgs) continue;  // does not get there: Sigma far below 1/m
    auto t = platform(0, 1, 500, false, 1);
    double sum = 0;
    for (int k = 0; k < 100; ++k) {
      // In pairs on opposite sides, of one compliance.
      const double x = 1 + 0.01 * (k / 2), side = k % 2 ? -1 : 1, sigma = 1e-9 * (1 + 0.02 * (k / 2));
      const auto g =
          t->rows.jacobian(add_row(*t, std::array<std::size_t, 1>{0}, {.sigma = sigma, .lower = 0}), 0);
      g[2] = 1, g[4] = -x * side;
      sum += 1 / sigma;
    }
    const Solved s = solved(*make_solver(options), t->problem);
    ASSERT_TRUE(s.report.ok && s.report.converged) << name_of(options) << s.report.reason;
    const double load = 500 * 9.81e-3 / (1 + 500 / sum);
    for (int k = 0; k < 100; ++k) {
      const double expected = load / (sum * 1e-9 * (1 + 0.02 * (k / 2)));
      EXPECT_NEAR(s.lambda[k], expected, 1e-6 * expected) << name_of(options) << k;
    }
  }
}

// ---- agreement

// The bound of solver.h on |v - v*|_A^2 + |lambda - lambda*|_Sigma^2 from the residuals of a result.
double energy_bound(const Problem& problem, const RowGroup& rows, const Solved& s) {
  VecX r(s.v.size()), w(s.lambda.size()), v = s.v, lambda = s.lambda;
  problem.residual(span_of(v), span_of(lambda), span_of(r), span_of(w));
  double sum = 0;
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    const double e = row_error(w[k], lambda[k], rows.lower()[i], rows.upper()[i]);
    if (e != 0) sum += e * e / rows.sigma()[i];
  }
  const auto n = s.v.size();
  const Eigen::MatrixXd a = dense_system(problem).matrix.topLeftCorner(n, n);
  return sum + r.dot(a.ldlt().solve(r));
}

double energy_distance(const Problem& problem, const RowGroup& rows, const Solved& a, const Solved& b) {
  const VecX dv = a.v - b.v, dl = a.lambda - b.lambda;
  double sum = dv.dot(dense_system(problem).matrix.topLeftCorner(dv.size(), dv.size()) * dv);
  for (std::size_t i = 0; i < rows.rows(); ++i)
    if (rows.lower()[i] != rows.upper()[i])
      sum += rows.sigma()[i] * dl[static_cast<Eigen::Index>(i)] * dl[static_cast<Eigen::Index>(i)];
  return sum;
}

struct Tally {
  int solved = 0, converged = 0;
};

// Every solver against direct on one problem, within what it promises.
void compare(const StoredProblem& stored, int number, std::array<Tally, every_solver.size()>& tally) {
  const Problem& problem = stored.problem;
  const RowGroup& rows = *stored.groups.at(0);
  const Solved direct = solved(SolverKind::direct, problem);
  ASSERT_TRUE(direct.report.ok && direct.report.converged) << number << direct.report.reason;
  const double speed = 1 + direct.v.cwiseAbs().maxCoeff();
  const double impulse = 1e-6 + direct.lambda.lpNorm<Eigen::Infinity>();
  for (std::size_t k = 0; k < every_solver.size(); ++k) {
    const Solved s = solved(*make_solver(every_solver[k]), problem);
    const std::string what = name_of(every_solver[k]) + " on problem " + std::to_string(number);
    ASSERT_TRUE(s.report.ok) << what << s.report.reason;
    ASSERT_TRUE(s.v.allFinite() && s.lambda.allFinite()) << what;
    ++tally[k].solved;
    EXPECT_LE(std::sqrt(energy_distance(problem, rows, s, direct)),
              1.001 * std::sqrt(energy_bound(problem, rows, s)) +
                  std::sqrt(energy_bound(problem, rows, direct)) + 1e-12 * speed)
        << what;  // holds whether it converged or not
    if (!s.report.converged) continue;
    ++tally[k].converged;
    EXPECT_LE(s.report.residual.velocity, 1e-10 * speed) << what;
    const bool exact = every_solver[k].kind != SolverKind::pgs && !every_solver[k].matrix_free;
    EXPECT_LE((s.v - direct.v).cwiseAbs().maxCoeff(), (exact ? 1e-10 : 1e-7) * speed) << what;
    EXPECT_LE((s.lambda - direct.lambda).lpNorm<Eigen::Infinity>(), (exact ? 1e-7 : 1e-3) * impulse) << what;
  }
}

TEST(Solvers, AgreeOnTwoHundredStoredProblems) {
  std::array<Tally, every_solver.size()> tally;
  for (int k = 0; k < 200; ++k) {
    std::stringstream file;
    varied_problem(static_cast<std::uint64_t>(k))->problem.write(file);
    compare(read_problem(file), k, tally);
  }
  for (std::size_t k = 0; k < every_solver.size(); ++k)
    RecordProperty(name_of(every_solver[k]), tally[k].converged);
  EXPECT_EQ(tally[0].converged, 200);
  EXPECT_EQ(tally[1].converged, 200);
  EXPECT_GE(tally[2].converged, 190);
  EXPECT_GE(tally[3].converged, 70);
}

// ---- bad data

double nasty_number(Dice& dice) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  constexpr std::array special = {0.0,    -0.0,  -1.0,      1e-300,     1e300, -1e300,
                                  5e-324, 1e-12, unbounded, -unbounded, nan};
  const double sign = dice.pick(2) ? 1 : -1;
  return dice.pick(2) ? special[dice.pick(special.size())] : sign * dice.decade(-300, 300);
}

// A sound problem, a few numbers of which are replaced by anything.
TestProblemPtr damaged_problem(std::uint64_t seed) {
  Dice dice(seed);
  auto t = random_problem(seed, static_cast<int>(dice.pick(5)) + 1, static_cast<int>(dice.pick(12)),
                          dice.decade(-14, 0));
  add_random_bounds(*t, seed);
  if (dice.pick(3) == 0) add_row(*t, {}, {.sigma = 1, .rhs = dice.number(), .lower = -0.5});  // no terms
  const double scale = dice.pick(4) == 0 ? dice.decade(-300, 300) : 1;
  for (std::size_t b = 0; b < t->problem.blocks().size(); ++b)
    for (double& x : t->problem.matrix(b)) x *= scale;
  for (std::size_t hits = dice.pick(4); hits > 0; --hits) {
    const std::size_t b = dice.pick(t->problem.blocks().size());
    if (dice.pick(6) == 0) t->problem.matrix(b)[0] = nasty_number(dice);
    if (dice.pick(6) == 0) t->problem.momentum(b)[0] = nasty_number(dice);
    if (dice.pick(9) == 0) std::ranges::fill(t->problem.matrix(b), 1.0);  // singular unless 1 x 1
    if (t->rows.rows() == 0) continue;
    const std::size_t i = dice.pick(t->rows.rows());
    RowValues values = values_of(t->rows, i);
    const std::array fields = {&values.sigma, &values.rhs, &values.lower, &values.upper, &values.start};
    *fields[dice.pick(fields.size())] = nasty_number(dice);
    t->rows.set(i, values);
    if (t->rows.terms(i) > 0 && dice.pick(6) == 0) t->rows.jacobian(i, 0)[0] = nasty_number(dice);
    if (t->rows.terms(i) > 0 && dice.pick(3) == 0) {  // contradicted by a row of hardly any compliance
      const std::size_t twin = add_row(*t, std::array<std::size_t, 1>{0}, {.sigma = 1e-14, .rhs = 1});
      t->rows.jacobian(twin, 0)[0] = 1;
      t->rows.jacobian(add_row(*t, std::array<std::size_t, 1>{0}, {.sigma = 1e-14, .rhs = -1}), 0)[0] = 1;
    }
  }
  return t;
}

TEST(Solvers, EndAndNeverReturnNanWhateverTheData) {
  int failures = 0, successes = 0;
  EXPECT_TRUE(rc::check([&](std::uint64_t seed) {
    for (std::uint64_t k = 0; k < 30; ++k) {
      const auto t = damaged_problem(seed * 30 + k);
      for (const SolverOptions& options : every_solver) {
        const Solved s = solved(*make_solver(options), t->problem);
        RC_ASSERT(s.report.ok == s.report.reason.empty());
        (s.report.ok ? successes : failures)++;
        if (!s.report.ok) continue;
        RC_ASSERT(s.v.allFinite());
        RC_ASSERT(s.lambda.allFinite());
        RC_ASSERT(std::isfinite(s.report.residual.momentum));
        RC_ASSERT(std::isfinite(s.report.residual.velocity));
      }
    }
  }));
  EXPECT_GT(failures, 100);
  EXPECT_GT(successes, 100);
}

TEST(Solvers, EmptyProblems) {
  for (const SolverOptions& options : every_solver) {
    const Problem nothing;
    EXPECT_TRUE(solved(*make_solver(options), nothing).report.ok) << name_of(options);
    TestProblem t;  // no velocities, a row without terms
    add_row(t, {}, {.sigma = 2, .rhs = 3, .lower = 0});
    t.problem.add_group(t.rows);
    Solved s = solved(*make_solver(options), t.problem);
    EXPECT_TRUE(s.report.ok && s.report.converged) << name_of(options);
    EXPECT_NEAR(s.lambda[0], 1.5, 1e-12) << name_of(options);
    TestProblem free;  // no rows
    free.problem.momentum(add_mass(free, 6, 4))[2] = 8;
    s = solved(*make_solver(options), free.problem);
    EXPECT_TRUE(s.report.ok && s.report.converged);
    EXPECT_NEAR(s.v[2], 2, 1e-14) << name_of(options);
  }
}

}  // namespace
}  // namespace hardpan::solve
