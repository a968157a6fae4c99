#include "hardpan/solve/direct_solver.h"

#include <array>
#include <sstream>

#include <Eigen/LU>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "hardpan/core/error.h"
#include "hardpan/core/random.h"
#include "hardpan/solve/block_rows.h"
#include "hardpan/solve/spook.h"

namespace hardpan::solve {
namespace {

struct RandomProblem {
  Problem problem;
  BlockRows rows;
};

// Bodies with random positive definite blocks of 1, 3 and 6 velocities and random rows between the
// six-blocks.
std::unique_ptr<RandomProblem> random_problem(std::uint64_t seed, int bodies, int rows, double sigma) {
  auto r = std::make_unique<RandomProblem>();
  const CounterRandom random(seed);
  std::uint64_t k = 0;
  const auto next = [&] { return random.uniform(k++, -1, 1); };
  std::vector<std::size_t> six;
  for (int b = 0; b < bodies; ++b) {
    const std::size_t size = b % 5 == 3 ? 1 : b % 5 == 4 ? 3 : 6;
    const std::size_t index = r->problem.add_block(size);
    if (size == 6) six.push_back(index);
    const auto n = static_cast<Eigen::Index>(size);
    Eigen::MatrixXd m = Eigen::MatrixXd::NullaryExpr(n, n, [&](auto, auto) { return next(); });
    m = m * m.transpose() + 0.1 * Eigen::MatrixXd::Identity(n, n);
    for (Eigen::Index i = 0; i < n; ++i)
      for (Eigen::Index j = 0; j < n; ++j)
        r->problem.matrix(index)[static_cast<std::size_t>(i * n + j)] = m(i, j);
    for (double& x : r->problem.momentum(index)) x = next();
  }
  for (int i = 0; i < rows; ++i) {
    const std::size_t a = six[static_cast<std::size_t>(random.words(k++)[0] % six.size())];
    const std::size_t b = six[static_cast<std::size_t>(random.words(k++)[0] % six.size())];
    const std::size_t row =
        a == b ? r->rows.add_row(r->problem, std::array{a}) : r->rows.add_row(r->problem, std::array{a, b});
    for (std::size_t t = 0; t < r->rows.terms(row); ++t)
      for (double& x : r->rows.jacobian(row, t)) x = next();
    const double factor = 1.5 + next();
    r->rows.set(row, {.sigma = sigma * factor, .rhs = next()});
  }
  r->problem.add_group(r->rows);
  return r;
}

std::span<double> span_of(VecX& x) { return {x.data(), static_cast<std::size_t>(x.size())}; }

class DenseSink final : public MatrixSink {
 public:
  DenseSink(Eigen::MatrixXd& m, const Problem& problem) : m_(m), problem_(problem) {}
  void jacobian(std::size_t row, std::size_t block, std::span<const double> values) override {
    const auto i = static_cast<Eigen::Index>(problem_.velocities() + row);
    auto j = static_cast<Eigen::Index>(problem_.blocks()[block].offset);
    for (const double value : values) {
      m_(i, j) += value;
      m_(j++, i) -= value;
    }
  }

 private:
  Eigen::MatrixXd& m_;
  const Problem& problem_;
};

// The unsymmetric system of MESHFREE (9), solved densely: independent of signs and ordering in the solver.
VecX dense_solution(const Problem& problem) {
  const auto n = static_cast<Eigen::Index>(problem.velocities() + problem.rows());
  Eigen::MatrixXd m = Eigen::MatrixXd::Zero(n, n);
  VecX right = VecX::Zero(n);
  for (std::size_t b = 0; b < problem.blocks().size(); ++b) {
    const auto& block = problem.blocks()[b];
    for (std::size_t i = 0; i < block.size; ++i)
      for (std::size_t j = 0; j < block.size; ++j)
        m(static_cast<Eigen::Index>(block.offset + i), static_cast<Eigen::Index>(block.offset + j)) =
            problem.matrix(b)[i * block.size + j];
  }
  for (std::size_t i = 0; i < problem.velocities(); ++i)
    right[static_cast<Eigen::Index>(i)] = problem.momentum()[i];
  std::size_t first = 0;
  DenseSink sink(m, problem);
  for (const RowGroup* group : problem.groups()) {
    group->assemble(first, sink);
    for (std::size_t i = 0; i < group->rows(); ++i) {
      const auto row = static_cast<Eigen::Index>(problem.velocities() + first + i);
      right[row] = group->rhs()[i];
      m(row, row) = group->sigma()[i];
    }
    first += group->rows();
  }
  return m.fullPivLu().solve(right);
}

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
  DirectSolver solver(2);
  const SolveReport report = solver.solve(r->problem, span_of(v), span_of(lambda));
  ASSERT_TRUE(report.ok) << report.reason;
  EXPECT_LT(report.residual.velocity, 1e-9);
  EXPECT_NEAR(v[0], 0.5, 1e-9);
  EXPECT_NEAR(lambda[4], lambda[5], 1e-3 * std::abs(lambda[4]));  // equal compliance shares the load
}

TEST(DirectSolver, NamesWhatIsWrong) {
  DirectSolver solver;
  auto r = random_problem(1, 2, 1, 1e-3);
  VecX v(static_cast<Eigen::Index>(r->problem.velocities())), lambda(1);
  for (double& x : r->problem.matrix(0)) x = -x;
  EXPECT_NE(solver.solve(r->problem, span_of(v), span_of(lambda)).reason.find("mass matrix"),
            std::string::npos);
  for (double& x : r->problem.matrix(0)) x = std::nan("");
  EXPECT_FALSE(solver.solve(r->problem, span_of(v), span_of(lambda)).ok);
}

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
