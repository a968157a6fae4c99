#include <gtest/gtest.h>

#include "hardpan/core/test_allocations.h"
#include "hardpan/solve/test_problems.h"

namespace hardpan::solve {
namespace {

using namespace test;

TEST(Allocations, SolversDoNotAllocateOnceTheyKnowTheSize) {
  for (const SolverOptions& options :
       {SolverOptions{.kind = SolverKind::direct}, SolverOptions{.kind = SolverKind::newton},
        SolverOptions{.kind = SolverKind::newton, .matrix_free = true},
        SolverOptions{.kind = SolverKind::pgs}})
    for (std::uint64_t k = 0; k < 12; ++k) {
      const auto t = varied_problem(k);
      const auto solver = make_solver(options);
      VecX v(static_cast<Eigen::Index>(t->problem.velocities())),
          lambda(static_cast<Eigen::Index>(t->problem.rows()));
      for (int time = 0; time < 3; ++time) {
        t->problem.start(span_of(lambda));
        const std::size_t before = hardpan::test::allocations();
        const SolveReport report = solver->solve(t->problem, span_of(v), span_of(lambda));
        const std::size_t made = hardpan::test::allocations() - before;
        ASSERT_TRUE(report.ok) << report.reason;
        EXPECT_EQ(time > 0 ? made : 0u, 0u)
            << "problem " << k << " solver " << static_cast<int>(options.kind);
      }
    }
}

}  // namespace
}  // namespace hardpan::solve
