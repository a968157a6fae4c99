#include "hardpan/record/run_folder.h"

#include <atomic>
#include <thread>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>

#include "hardpan/core/error.h"
#include "hardpan/record/test_files.h"

namespace hardpan::record {
namespace {

using namespace testing;

class RunFolderTest : public RecordTest {};

TEST_F(RunFolderTest, IsBeingWrittenWhileALockIsHeld) {
  EXPECT_FALSE(is_being_written(base_));
  {
    const FolderLock lock(base_);
    EXPECT_TRUE(is_being_written(base_));
    EXPECT_TRUE(is_being_written(base_));  // looking changes nothing
  }
  EXPECT_FALSE(is_being_written(base_));
  EXPECT_FALSE(is_being_written(base_ / "nothing"));
}

TEST_F(RunFolderTest, ASecondWriterIsRefused) {
  const FolderLock lock(base_);
  EXPECT_TRUE(
      contains(message_of<IoError>([&] { FolderLock{base_}; }), "another process is writing this run"));
}

TEST_F(RunFolderTest, LookingDoesNotMakeAWriterFail) {
  std::atomic<bool> done = false;
  std::thread watcher([&] {
    while (!done) is_being_written(base_);
  });
  for (int i = 0; i < 100; ++i) EXPECT_NO_THROW(FolderLock{base_});
  done = true;
  watcher.join();
}

TEST_F(RunFolderTest, AWriterWaitsForAnInstant) {
  const int looking = ::open(base_.c_str(), O_RDONLY | O_DIRECTORY);
  ASSERT_EQ(::flock(looking, LOCK_SH), 0);
  EXPECT_FALSE(is_being_written(base_));  // two who look do not take each other for a writer
  std::thread viewer([&] {
    ::usleep(30'000);
    ::close(looking);
  });
  EXPECT_NO_THROW(FolderLock{base_});
  viewer.join();
}

}  // namespace
}  // namespace hardpan::record
