// Counts heap allocations in the test program: "no heap allocation in a step" as a test.
//
//     const AllocationCount count;
//     solver.solve(...);
//     EXPECT_EQ(count.so_far(), 0);
//
// Counted is malloc of the whole test program, of all threads; where that cannot be replaced (sanitizers,
// other C libraries), operator new, which Eigen's matrices bypass. The replacement is in allocation_test.cpp.
#pragma once

#include <atomic>
#include <cstdint>

namespace hardpan::test {

extern std::atomic<std::int64_t> allocations;

class AllocationCount {
 public:
  AllocationCount() : start_(allocations.load()) {}
  std::int64_t so_far() const { return allocations.load() - start_; }

 private:
  std::int64_t start_;
};

}  // namespace hardpan::test
