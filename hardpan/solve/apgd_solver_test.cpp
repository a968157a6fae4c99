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
    const double mu = k % 20 == 0 ? 0.0 : any(0, 1.5);
    const double given[3] = {any(-1, 1), any(-1, 1), any(-1, 1)};
    double found[3] = {given[0], given[1], given[2]};
    apgd::project(mu, found[0], found[1], found[2]);
    EXPECT_LE(std::hypot(found[1], found[2]), mu * found[0] * (1 + 1e-14) + 1e-300);
    const double least = distance(found, given);
    for (int trial = 0; trial < 50; ++trial) {
      const double near = std::pow(10, any(-6, 0));
      double other[3] = {std::max(0.0, found[0] + any(-near, near)), found[1] + any(-near, near),
                         found[2] + any(-near, near)};
      into_disc(other + 1, 2, mu * other[0]);
      EXPECT_GE(distance(other, given), least - 1e-15);
    }
  }
}

// ---- waves: cells that follow as soon as they can have the same N as one product after the other.

TEST(ApgdCells, WavesApplyTheWholeMatrix) {
  constexpr std::uint32_t blocks = 300, wheel = 7;
  const CounterRandom random(5);
  std::uint64_t draw = 0;
  const auto any = [&](double low, double high) { return random.uniform(draw++, low, high); };
  std::vector<apgd::Cell> cells(1500);
  std::uint32_t row = 0;
  for (apgd::Cell& cell : cells) {
    cell = {};
    for (double& j : cell.j) j = any(-1, 1);
    const auto block = static_cast<std::uint32_t>(any(0, blocks));  // near ones, the wheel, or the ground
    const double kind = any(0, 1);
    cell.a = 6 * block;
    cell.b = 6 * (kind < 0.1 ? blocks : kind < 0.3 && block != wheel ? wheel : (block + 3) % blocks);
    for (std::size_t r = 0; r < 3; ++r)
      if (cell.b == 6 * blocks) std::fill_n(&cell.j[12 * r + 6], 6, 0.0);
    cell.sigma_n = any(0, 1), cell.sigma_t = any(0, 1), cell.mu = any(0, 1), cell.gauge = 1;
    for (auto& point : cell.points)
      for (std::size_t k = 0; k < 3; ++k) point.x[k] = any(-1, 1), point.nx[k] = any(-1, 1);
    for (double& g : cell.g) g = any(-1, 1);
    cell.row = row;
    row += 3;
  }
  const apgd::Step step{.ring = {}, .beta = 0.4, .over = 0.7};
  apgd::Waves waves;
  waves.plan(cells, 6 * blocks);
  std::vector<double> u(6 * (blocks + 2)), once(u.size()), x(row), nx(row);
  const apgd::Progress progress = waves.run(cells, step, u.data());

  double size = 0, bent = 0, uphill = 0, longest = 0;
  for (const apgd::Cell& cell : cells) {
    std::array<double, 3> next{};
    for (std::size_t k = 0; k < 3; ++k) next[k] = step.down(cell.points, k, cell.g[k]);
    apgd::project(cell.mu, next[0], next[1], next[2]);
    std::ranges::copy(next, &x[cell.row]);
  }
  apgd::push(cells, x.data(), once.data());
  apgd::rates(cells, once.data(), x.data(), nx.data());
  for (const apgd::Cell& cell : cells)
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_EQ(cell.points[2].x[k], x[cell.row + k]);
      EXPECT_EQ(cell.points[2].nx[k], nx[cell.row + k]);
      const double d = x[cell.row + k] - step.y(cell.points, k), ny = step.ny(cell.points, k);
      size += d * d;
      bent += d * (nx[cell.row + k] - ny);
      uphill += (ny + cell.g[k]) * (x[cell.row + k] - cell.points[0].x[k]);
      longest = std::max(longest, std::abs(d));
    }
  EXPECT_NEAR(progress.size, size, 1e-12 * size);
  EXPECT_NEAR(progress.bent, bent, 1e-12 * std::abs(bent) + 1e-9);
  EXPECT_NEAR(progress.uphill, uphill, 1e-12 * std::abs(uphill) + 1e-9);
  EXPECT_EQ(progress.longest, longest);
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
