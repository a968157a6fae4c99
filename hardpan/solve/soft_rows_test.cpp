#include "hardpan/solve/soft_rows.h"

#include <gtest/gtest.h>

#include "hardpan/core/random.h"

namespace hardpan::solve {
namespace {

// Points, whose masses are the same in all directions, among bodies and shafts, and one that is tied to
// something: A, as it stands.
TEST(SoftRows, MassesOfPointsAndBodies) {
  const CounterRandom random(5);
  std::uint64_t count = 0;
  Problem problem;
  for (const std::size_t size : {3u, 6u, 3u, 1u, 3u}) problem.add_block(size);
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(16, 16);
  for (std::size_t b = 0; b < problem.blocks().size(); ++b) {
    const auto [offset, size, matrix] = problem.blocks()[b];
    const bool mixes = b == 1 || b == 4;
    for (std::size_t i = 0; i < size; ++i) {
      problem.momentum(b)[i] = random.uniform(count++, -1.0, 1.0);
      for (std::size_t k = 0; k < size; ++k) {
        const double a = i == k ? 2.0 + static_cast<double>(b) : mixes ? 0.1 * static_cast<double>(i + k) : 0;
        problem.matrix(b)[i * size + k] = a;
        A(static_cast<Eigen::Index>(offset + i), static_cast<Eigen::Index>(offset + k)) = a;
      }
    }
  }
  const Eigen::Map<const Eigen::VectorXd> p(problem.momentum().data(), 16);
  SoftRows soft;
  soft.gather(problem);
  const Eigen::VectorXd v =
      Eigen::VectorXd::NullaryExpr(16, [&](Eigen::Index) { return random.uniform(count++, -1.0, 1.0); });
  Eigen::VectorXd out = Eigen::VectorXd::Constant(16, 7);
  soft.multiply({v.data(), 16}, {out.data(), 16});
  EXPECT_LT((out - A * v).norm(), 1e-14);
  soft.residual({v.data(), 16}, {out.data(), 16});
  EXPECT_LT((out - (p - A * v)).norm(), 1e-14);
}

}  // namespace
}  // namespace hardpan::solve
