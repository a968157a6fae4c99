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

std::vector<Dump> dumps_of(const fs::path& file) {
  const auto simulation = build(load(file).resolved);
  std::vector<Dump> dumps;
  if (simulation->bodies.model().grains > 0) return dumps;  // beds are not for direct and newton
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

}  // namespace
}  // namespace hardpan::scenario
