#include "hardpan/core/large_pages.h"

#include <cstdint>
#include <numeric>

#include <gtest/gtest.h>

namespace hardpan {
namespace {

TEST(LargePages, TablesGrow) {
  LargeTable<std::uint64_t> table(8);
  std::iota(table.begin(), table.end(), 0);
  table.resize(3 * LargePages<std::uint64_t>::page / sizeof(std::uint64_t));
  for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(table[i], i);
  EXPECT_EQ(table.back(), 0);
}

TEST(LargePages, KeepWhatTheirElementsAskFor) {
  struct alignas(256) Wide {
    double numbers[32];
  };
  for (const std::size_t count : {std::size_t{3}, 5 * LargePages<Wide>::page / sizeof(Wide)}) {
    const LargeTable<Wide> table(count);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(table.data()) % alignof(Wide), 0);
  }
}

}  // namespace
}  // namespace hardpan
