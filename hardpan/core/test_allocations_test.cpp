#include "hardpan/core/test_allocations.h"

#include <cstdlib>
#include <new>
#include <vector>

#include <gtest/gtest.h>

namespace {
thread_local std::size_t calls = 0;
}  // namespace

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)
// Of the C library, so that Eigen's allocations count as well; operator new calls it.
extern "C" void* __libc_malloc(std::size_t size);
extern "C" void* malloc(std::size_t size) {
  ++calls;
  return __libc_malloc(size);
}
#else
// The other forms of new and delete call these, apart from those of larger alignment. Inlined, GCC 12 takes
// free for a mismatch with new.
[[gnu::noinline]] void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  ++calls;
  return std::malloc(size > 0 ? size : 1);
}
[[gnu::noinline]] void* operator new(std::size_t size) {
  if (void* memory = operator new(size, std::nothrow)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
#endif

namespace hardpan::test {

std::size_t allocations() { return calls; }

TEST(Allocations, AreCounted) {
  const std::size_t before = allocations();
  std::vector<double> numbers(1000);
  EXPECT_EQ(allocations(), before + 1);
  numbers.resize(10);
  EXPECT_EQ(allocations(), before + 1);
}

}  // namespace hardpan::test
