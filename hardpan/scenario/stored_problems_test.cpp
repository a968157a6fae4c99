// The equations of real steps, written to text and read back, by every solver: 200 of them and more, taken
// from the scenarios of scenarios/verify at several moments.
#include <filesystem>
#include <sstream>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "hardpan/scenario/build.h"
#include "hardpan/scenario/run.h"

namespace hardpan::scenario {
namespace {

namespace fs = std::filesystem;

struct Dump {
  std::string name;
  std::string text;
};

std::vector<Dump> dumps_of(const fs::path& file, bool grains = false) {
  const auto simulation = build(load(file).resolved);
  std::vector<Dump> dumps;
  if ((simulation->bodies.model().grains > 0) != grains)
    return dumps;  // under Coulomb's law direct and newton do not get through beds
  for (const std::int64_t moment : {1, 2, 5, 20, 60, 150, 300}) {
    while (simulation->stepper.steps() < moment)
      if (!simulation->stepper.step().ok) return dumps;
    std::ostringstream text;
    simulation->stepper.problem().write(text);
    dumps.push_back({fmt::format("{} at step {}", file.stem().string(), moment), text.str()});
  }
  return dumps;
}

std::vector<Dump> all_dumps() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(fs::path(HARDPAN_SOURCE_DIR) / "scenarios" / "verify"))
    if (entry.path().extension() == ".yaml") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::vector<Dump> all;
  for (const fs::path& file : files)
    for (Dump& dump : dumps_of(file)) all.push_back(std::move(dump));
  return all;
}

struct Solution {
  solve::SolveReport report;
  VecX v, lambda;
};

Solution solved(const solve::Problem& problem, const solve::SolverOptions& options) {
  Solution s;
  s.v = VecX::Zero(static_cast<Eigen::Index>(problem.velocities()));
  s.lambda = VecX::Zero(static_cast<Eigen::Index>(problem.rows()));
  const std::span<double> lambda(s.lambda.data(), problem.rows());
  problem.start(lambda);
  s.report = solve::make_solver(options)->solve(problem, {s.v.data(), problem.velocities()}, lambda);
  return s;
}

double size_of(const VecX& x) { return x.size() > 0 ? x.lpNorm<Eigen::Infinity>() : 0.0; }

TEST(StoredProblems, EverySolverAgreesWithDirect) {
  const std::vector<Dump> dumps = all_dumps();
  EXPECT_GE(dumps.size(), 200u);
  int pgs_converged = 0, cg_converged = 0;
  for (const Dump& dump : dumps) {
    SCOPED_TRACE(dump.name);
    std::istringstream in(dump.text);
    const solve::StoredProblem stored = solve::read_problem(in);
    std::ostringstream again;
    stored.problem.write(again);
    ASSERT_EQ(again.str(), dump.text);

    const Solution direct = solved(stored.problem, {});
    ASSERT_TRUE(direct.report.ok && direct.report.converged) << direct.report.reason;
    const double speed = 1 + size_of(direct.v), impulse = 1e-9 + size_of(direct.lambda);
    const Solution newton = solved(stored.problem, {.kind = solve::SolverKind::newton});
    ASSERT_TRUE(newton.report.ok && newton.report.converged) << newton.report.reason;
    EXPECT_LE(size_of(newton.v - direct.v), 1e-10 * speed);
    EXPECT_LE(size_of(newton.lambda - direct.lambda), 1e-6 * impulse);

    const Solution cg = solved(stored.problem, {.kind = solve::SolverKind::newton, .matrix_free = true});
    const Solution pgs = solved(stored.problem, {.kind = solve::SolverKind::pgs});
    for (const Solution* s : {&cg, &pgs}) {
      ASSERT_TRUE(s->report.ok) << s->report.reason;
      ASSERT_TRUE(s->v.allFinite() && s->lambda.allFinite());
      if (s->report.converged) {
        EXPECT_LE(size_of(s->v - direct.v), 1e-6 * speed);
      }
    }
    cg_converged += cg.report.converged ? 1 : 0;
    pgs_converged += pgs.report.converged ? 1 : 0;
  }
  // The others stop at their limit of iterations and say so: chains and loops of rigid joints are not for
  // them.
  fmt::print("{} problems; converged: newton matrix-free {}, pgs {}\n", dumps.size(), cg_converged,
             pgs_converged);
  EXPECT_GE(cg_converged, static_cast<int>(dumps.size()) / 2);
  EXPECT_GE(pgs_converged, static_cast<int>(dumps.size()) / 4);
}

// ---- beds of rigid grains: the convex law, whose velocities are unique

// Ellipsoids that have fallen into a box, and a block on them.
Dump bed(int count, double edge, int steps) {
  const double wall = 0.5 * edge + 0.005, height = 7e-6 * count / (edge * edge) + 0.02;
  std::string text = fmt::format(
      "hardpan: 1\ntime: {{end: 1, step: 1.0e-3}}\n"
      "materials:\n  gravel: {{density: 2600, friction: 0.5, stiffness: 1.0e+6}}\n"
      "bodies:\n  block: {{mass: 1, material: gravel, position: [0, 0, {}], shape: {{kind: box, size: [{}, "
      "{}, 0.01]}}}}\n"
      "  box:\n    fixed: true\n    material: gravel\n    shapes:\n"
      "      - {{kind: box, size: [1, 1, 0.01], at: [0, 0, -0.005]}}\n",
      height + 0.01, 0.8 * edge, 0.8 * edge);
  for (const double side : {-wall, wall}) {
    text += fmt::format("      - {{kind: box, size: [0.01, 1, 2], at: [{}, 0, 1]}}\n", side);
    text += fmt::format("      - {{kind: box, size: [1, 0.01, 2], at: [0, {}, 1]}}\n", side);
  }
  text += fmt::format(
      "ground:\n  model: grains-complementarity\n  material: gravel\n  diameter: 0.016\n  shape_ratio: 0.6\n"
      "  fill: {{low: [{0}, {0}, 0], high: [{1}, {1}, {2}], count: {3}}}\n",
      -0.5 * edge, 0.5 * edge, height, count);
  const auto simulation = build(load_text(text, "bed").resolved);
  while (simulation->stepper.steps() < steps) HARDPAN_CHECK(simulation->stepper.step().ok, "a step of a bed");
  std::ostringstream out;
  simulation->stepper.problem().write(out);
  return {fmt::format("bed of {}", count), out.str()};
}

TEST(StoredProblems, SolversAgreeOnBedsOfGrains) {
  const fs::path verify = fs::path(HARDPAN_SOURCE_DIR) / "scenarios" / "verify";
  std::vector<Dump> dumps = {bed(6, 0.04, 200), bed(60, 0.06, 300), bed(600, 0.12, 400)};
  std::vector<std::size_t> sizes;
  for (Dump& dump : dumps_of(verify / "rigid-grains-mixed.yaml", true)) dumps.push_back(std::move(dump));
  for (const Dump& dump : dumps) {
    SCOPED_TRACE(dump.name);
    std::istringstream in(dump.text);
    const solve::StoredProblem stored = solve::read_problem(in);
    const auto by = [&](solve::SolverKind kind, bool matrix_free = false) {
      const bool exact = kind == solve::SolverKind::newton;
      return solved(stored.problem, {.kind = kind,
                                     .max_iterations = exact ? 0 : 500'000,
                                     .tolerance = 1e-10,
                                     .matrix_free = matrix_free,
                                     .friction = solve::Friction::convex});
    };
    const Solution newton = by(solve::SolverKind::newton), cg = by(solve::SolverKind::newton, true),
                   pgs = by(solve::SolverKind::pgs), apgd = by(solve::SolverKind::apgd);
    fmt::print("{}: {} rows; pgs {} sweeps, {:.1e} m/s off, apgd {}, {:.1e}; cg {:.1e}\n", dump.name,
               stored.problem.rows(), pgs.report.iterations, size_of(pgs.v - newton.v),
               apgd.report.iterations, size_of(apgd.v - newton.v), size_of(cg.v - newton.v));
    for (const Solution* s : {&newton, &cg, &pgs, &apgd}) {
      ASSERT_TRUE(s->report.ok) << s->report.reason;
      EXPECT_TRUE(s->report.converged);
      EXPECT_LE(size_of(s->v - newton.v), 1e-6);
    }
    sizes.push_back(stored.problem.rows());
  }
  EXPECT_LE(std::ranges::min(sizes), 3 * 20u);
  EXPECT_GE(std::ranges::max(sizes), 3 * 1500u);
}

}  // namespace
}  // namespace hardpan::scenario
