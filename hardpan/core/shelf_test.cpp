#include "hardpan/core/shelf.h"

#include <csignal>

#include <gtest/gtest.h>
#include <sys/resource.h>

namespace hardpan {
namespace {

Archive some() {
  Archive archive;
  archive.put("count", std::int64_t{-7});
  archive.put("empty", std::vector<double>{}, {0, 3}, "m");
  std::vector<double> many(30'000);
  for (std::size_t k = 0; k < many.size(); ++k) many[k] = 1.0 / static_cast<double>(k);  // one is infinite
  archive.put("many", many, {100, 300}, "N s");
  archive.put("keys", std::vector<std::int64_t>{3, 1, 2}, {3});
  return archive;
}

void expect_some(const Archive& archive) {
  EXPECT_EQ(archive.hash(), some().hash());
  EXPECT_EQ(archive.find("many")->unit, "N s");
}

TEST(Shelf, GivesBackWhatWasPutThere) {
  const Shelf shelf(some());
  EXPECT_FALSE(shelf.in_memory());
  for (int k = 0; k < 2; ++k) expect_some(shelf.get());
}

// A full disk; no file at all.
TEST(Shelf, KeepsInMemoryWhatTheSystemDoesNotTake) {
  const auto before = std::signal(SIGXFSZ, SIG_IGN);
  for (const auto resource : {RLIMIT_FSIZE, RLIMIT_NOFILE}) {
    rlimit limit{};
    ASSERT_EQ(getrlimit(resource, &limit), 0);
    const rlimit low{resource == RLIMIT_FSIZE ? 5000u : 0u, limit.rlim_max};
    ASSERT_EQ(setrlimit(resource, &low), 0);
    const Shelf shelf(some());
    ASSERT_EQ(setrlimit(resource, &limit), 0);
    EXPECT_TRUE(shelf.in_memory());
    expect_some(shelf.get());
  }
  std::signal(SIGXFSZ, before);
}

}  // namespace
}  // namespace hardpan
