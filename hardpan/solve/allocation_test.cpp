#include <cstdlib>
#include <new>

#include <gtest/gtest.h>

#include "hardpan/solve/test_allocations.h"
#include "hardpan/solve/test_problems.h"

namespace hardpan::test {
std::atomic<std::int64_t> allocations{0};
}  // namespace hardpan::test

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)
// Of the C library, so that Eigen's allocations count as well; operator new calls it.
extern "C" void* __libc_malloc(std::size_t size);
extern "C" void* malloc(std::size_t size) {
  hardpan::test::allocations.fetch_add(1, std::memory_order_relaxed);
  return __libc_malloc(size);
}
#else
// The array and nothrow forms of the library call this one.
void* operator new(std::size_t size) {
  hardpan::test::allocations.fetch_add(1, std::memory_order_relaxed);
  if (void* memory = std::malloc(size > 0 ? size : 1)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
#endif

namespace hardpan::solve {
namespace {

using namespace test;

TEST(Allocations, AreCounted) {
  const hardpan::test::AllocationCount count;
  auto* volatile number = new int(3);
  delete number;
  EXPECT_EQ(count.so_far(), 1);
}

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
        const hardpan::test::AllocationCount count;
        const SolveReport report = solver->solve(t->problem, span_of(v), span_of(lambda));
        const auto made = count.so_far();
        ASSERT_TRUE(report.ok) << report.reason;
        EXPECT_EQ(time > 0 ? made : 0, 0) << "problem " << k << " solver " << static_cast<int>(options.kind);
      }
    }
}

}  // namespace
}  // namespace hardpan::solve
