#include "hardpan/core/file.h"

#include <gtest/gtest.h>

#include "hardpan/core/error.h"

namespace hardpan {
namespace {

namespace fs = std::filesystem;

class FileTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::temp_directory_path() /
              (std::string("hardpan-file-") + info->name() + std::to_string(::getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  fs::path folder_;
};

TEST_F(FileTest, AtomicWriteReplacesWhole) {
  write_file_atomically(folder_ / "a", "first");
  write_file_atomically(folder_ / "a", "second");
  EXPECT_EQ(read_file(folder_ / "a"), "second");
  EXPECT_FALSE(fs::exists(folder_ / "a.tmp"));
}

TEST_F(FileTest, FailuresNameTheFile) {
  EXPECT_THROW(read_file(folder_ / "missing"), IoError);
  EXPECT_THROW(read_file(folder_), IoError);
  EXPECT_THROW(write_file_atomically(folder_ / "no" / "such", "x"), IoError);
  write_file_atomically(folder_ / "big", std::string(100, 'x'));
  EXPECT_THROW(read_file(folder_ / "big", 99), IoError);
  EXPECT_THROW(AppendFile(folder_ / "big", 101), IoError);
  try {
    read_file(folder_ / "missing");
  } catch (const IoError& e) {
    EXPECT_NE(std::string(e.what()).find("missing"), std::string::npos);
  }
}

TEST_F(FileTest, AppendKeepsAndCuts) {
  {
    AppendFile file(folder_ / "t", 0);
    file.append("one\n");
    file.append("two\n");
    EXPECT_EQ(file.size(), 8u);
    file.sync();
  }
  {
    AppendFile file(folder_ / "t", 4);
    file.append("three\n");
    file.flush();
    EXPECT_EQ(read_file(folder_ / "t"), "one\nthree\n");
  }
}

TEST_F(FileTest, FullDiskIsAnIoError) {
  AppendFile full("/dev/full", 0);
  full.append("x");
  EXPECT_THROW(full.flush(), IoError);
}

}  // namespace
}  // namespace hardpan
