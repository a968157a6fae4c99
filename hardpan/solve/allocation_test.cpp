#include <gtest/gtest.h>

#include "hardpan/core/test_allocations.h"
#include "hardpan/solve/test_contacts.h"

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

// The number of contacts and their pairs change from step to step.
TEST(Allocations, ContactsMayChangeBelowTheirLargestNumber) {
  for (const Friction law : {Friction::cone, Friction::box, Friction::convex})
    for (const SolverOptions& options :
         {SolverOptions{.kind = SolverKind::pgs, .friction = law},
          SolverOptions{.kind = SolverKind::newton, .matrix_free = true, .friction = law}}) {
      const auto t = random_contacts(1, 4, 12, 1e-2);
      const auto solver = make_solver(options);
      VecX v(24), lambda(36);
      int time = 0;
      for (const std::size_t contacts : {12, 12, 7, 11, 12}) {
        const std::size_t before = hardpan::test::allocations();
        t->contacts.resize(contacts);
        for (std::size_t c = 0; c < contacts; ++c)
          write_touch(*t, c,
                      {.a = (c + contacts) % 4,
                       .b = c % 3 ? (c + contacts + 1) % 4 : ContactRows::ground,
                       .from_a = {0.1, 0.2, -0.5},
                       .sigma_n = 1e-2,
                       .sigma_t = 1e-2});
        const auto part = span_of(lambda).first(3 * contacts);
        t->problem.start(part);
        const SolveReport report = solver->solve(t->problem, span_of(v), part);
        const std::size_t made = hardpan::test::allocations() - before;
        ASSERT_TRUE(report.ok) << report.reason;
        EXPECT_EQ(time++ > 0 ? made : 0u, 0u) << contacts << " solver " << static_cast<int>(options.kind);
      }
    }
}

// Those that factor ask for memory only when the pattern is another.
TEST(Allocations, FrictionWithAKnownPatternAsksForNothing) {
  for (const SolverKind kind : {SolverKind::direct, SolverKind::newton, SolverKind::split, SolverKind::pgs}) {
    const auto t = random_contacts(2, 4, 9, 1e-2);
    const auto solver = make_solver({.kind = kind});
    VecX v(24), lambda(27);
    for (int time = 0; time < 3; ++time) {
      t->problem.start(span_of(lambda));
      const std::size_t before = hardpan::test::allocations();
      const SolveReport report = solver->solve(t->problem, span_of(v), span_of(lambda));
      const std::size_t made = hardpan::test::allocations() - before;
      ASSERT_TRUE(report.ok) << report.reason;
      EXPECT_EQ(time > 0 ? made : 0u, 0u) << static_cast<int>(kind);
    }
  }
}

}  // namespace
}  // namespace hardpan::solve
