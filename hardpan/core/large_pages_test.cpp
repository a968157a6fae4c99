#include "hardpan/core/large_pages.h"

#include <cstdint>
#include <numeric>

#include <gtest/gtest.h>

namespace hardpan {
namespace {

TEST(LargePages, TablesBeginWithAPageAndGrow) {
  LargeTable<std::uint64_t> table(8);
  std::iota(table.begin(), table.end(), 0);
  table.resize(3 * LargePages<std::uint64_t>::page / sizeof(std::uint64_t));
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(table.data()) % LargePages<std::uint64_t>::page, 0);
  for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(table[i], i);
  EXPECT_EQ(table.back(), 0);
}

}  // namespace
}  // namespace hardpan
