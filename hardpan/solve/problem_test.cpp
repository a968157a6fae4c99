#include "hardpan/solve/problem.h"

#include <algorithm>
#include <sstream>

#include <gtest/gtest.h>

#include "hardpan/core/error.h"
#include "hardpan/solve/direct_solver.h"
#include "hardpan/solve/spook.h"
#include "hardpan/solve/test_problems.h"

namespace hardpan::solve {
namespace {

using namespace test;

TEST(Problem, ComesBackFromDiskWithTheSameBits) {
  const auto r = random_problem(77, 7, 9, 1e-3);
  std::stringstream file;
  r->problem.write(file);
  const StoredProblem stored = read_problem(file);
  std::stringstream again;
  stored.problem.write(again);
  EXPECT_EQ(file.str(), again.str());
  VecX v1(static_cast<Eigen::Index>(r->problem.velocities())), l1(9), v2 = v1, l2 = l1;
  ASSERT_TRUE(DirectSolver().solve(r->problem, span_of(v1), span_of(l1)).ok);
  ASSERT_TRUE(DirectSolver().solve(stored.problem, span_of(v2), span_of(l2)).ok);
  EXPECT_EQ(v1, v2);
  EXPECT_EQ(l1, l2);
}

// Bounds, starts, infinities, blocks of all sizes and rows over many of them.
TEST(Problem, EveryKindOfRowComesBack) {
  for (std::uint64_t k = 0; k < 24; ++k) {
    const auto t = varied_problem(k);
    if (t->rows.rows() > 2) t->rows.set(1, {.sigma = 0x1.123456789abcdp-30, .lower = -0.0, .start = 1e-310});
    std::stringstream file, again;
    t->problem.write(file);
    const StoredProblem stored = read_problem(file);
    stored.problem.write(again);
    EXPECT_EQ(file.str(), again.str());
    ASSERT_EQ(stored.problem.rows(), t->problem.rows());
    const RowGroup& group = *stored.groups.at(0);
    EXPECT_TRUE(std::ranges::equal(group.lower(), t->rows.lower()));
    EXPECT_TRUE(std::ranges::equal(group.upper(), t->rows.upper()));
    EXPECT_TRUE(std::ranges::equal(group.start(), t->rows.start()));
    EXPECT_TRUE(std::ranges::equal(group.sigma(), t->rows.sigma()));
    for (const SolverKind kind : {SolverKind::direct, SolverKind::newton, SolverKind::pgs}) {
      const Solved a = solved(kind, t->problem), b = solved(kind, stored.problem);
      EXPECT_EQ(a.v, b.v);
      EXPECT_EQ(a.lambda, b.lambda);
      EXPECT_EQ(a.report.iterations, b.report.iterations);
    }
  }
}

TEST(Problem, DamagedFilesAreRefused) {
  const auto r = random_problem(2, 3, 2, 1e-3);
  std::stringstream file;
  r->problem.write(file);
  const std::string text = file.str();
  for (std::size_t cut = 0; cut + 2 < text.size(); cut += 7) {
    std::stringstream damaged(text.substr(0, cut));
    try {
      const StoredProblem stored =
          read_problem(damaged);  // a cut inside the last number still reads as a number
      EXPECT_GT(cut, text.size() - 30);
    } catch (const IoError&) {
    }
  }
}

// A spring with k, c on a unit mass: the row equals the implicit rule written in spook.h.
TEST(Spook, RowIsASpringWithDamper) {
  const double h = 1e-2, k = 30, c = 0.7, g = 0.2, rate = -0.4;
  const RowTerms row = compliant_row(h, 1 / k, c / k, g, rate);
  // Unit mass: v+ = rate + lambda, v+ + sigma lambda = rhs.
  const double lambda = (row.rhs - rate) / (1 + row.sigma), after = rate + lambda;
  EXPECT_NEAR(lambda / h, -k * (g + h / 4 * (after - rate)) - c * after, 1e-12);
  // At rest the force is -g/eps (docs/models/multibody.md).
  const RowTerms rest = compliant_row(h, 1 / k, 3 * h, g, 0);
  EXPECT_NEAR(rest.rhs / rest.sigma / h, -k * g, 1e-12);
  // A damper alone is the limit of a vanishing spring.
  const RowTerms limit = compliant_row(h, 1e12, c * 1e12, g, rate);
  EXPECT_NEAR(limit.sigma, damper_row(h, c).sigma, 1e-6);
  EXPECT_NEAR(limit.rhs, damper_row(h, c).rhs, 1e-6);
}

}  // namespace
}  // namespace hardpan::solve
