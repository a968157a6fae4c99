#include "hardpan/record/run_writer.h"

#include <gtest/gtest.h>

#include "hardpan/core/error.h"
#include "hardpan/core/file.h"
#include "hardpan/record/test_files.h"

namespace hardpan::record {
namespace {

namespace fs = std::filesystem;
using namespace testing;

class RunWriterTest : public RecordTest {
 protected:
  // A run killed after 35 steps: checkpoints at 10, 20 and 30, five more rows and frames.
  void make_killed_run() {
    RunWriter writer = RunWriter::create(run_, identity(), false);
    writer.series_header(columns());
    simulate(writer, 1, 35);
    writer.poll();
  }
  RunWriter::Resumed resume() { return RunWriter::resume(run_, identity()); }

  void damage(const std::string& name) {
    std::string bytes = read_file(run_ / name);
    bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 4);
    write_plainly(run_ / name, bytes);
  }
  std::size_t count_rows() { return RunReader(run_).series().rows.size(); }
};

TEST_F(RunWriterTest, CreateRefusesWhatIsThere) {
  fs::create_directories(run_);
  write_plainly(run_ / "notes.txt", "mine");
  const std::string message = message_of<InputError>([&] { RunWriter::create(run_, identity(), false); });
  EXPECT_TRUE(contains(message, "--force") && contains(message, "--resume")) << message;
  EXPECT_THROW(RunWriter::create(run_, identity(), true), InputError);  // no run
  EXPECT_EQ(read_file(run_ / "notes.txt"), "mine");
  EXPECT_THROW(RunWriter::create(run_ / "notes.txt", identity(), true), InputError);
  EXPECT_THROW(RunWriter::create("/proc/no/such", identity(), true), IoError);
}

TEST_F(RunWriterTest, ForceRemovesOurFilesOnly) {
  make_killed_run();
  fs::create_directories(run_ / "vtk");
  write_plainly(run_ / "notes.txt", "mine");
  write_plainly(run_ / "frames-000009.h5.tmp", "torn");
  EXPECT_THROW(RunWriter::create(run_, identity(), false), InputError);
  RunWriter::create(run_, identity(), true).close();
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(run_)) names.insert(entry.path().filename());
  EXPECT_EQ(names, (std::set<std::string>{"index.jsonl", "series.csv", "scenario.yaml", "notes.txt", "vtk"}));
  EXPECT_EQ(count_rows(), 0u);
}

TEST_F(RunWriterTest, OnlyOneWriterAtATime) {
  RunWriter writer = RunWriter::create(run_, identity(), false);
  EXPECT_TRUE(contains(message_of<IoError>([&] { resume(); }), "another process"));
  EXPECT_THROW(RunWriter::create(run_, identity(), true), IoError);
}

TEST_F(RunWriterTest, ResumeTakesTheNewestAndCutsBack) {
  make_killed_run();
  write_plainly(run_ / "frames-000003.h5", "never listed");
  write_plainly(run_ / "checkpoint-000000000040.h5.tmp", "torn");
  EXPECT_EQ(count_rows(), 35u);
  {
    auto [writer, checkpoint] = resume();
    ASSERT_TRUE(checkpoint);
    EXPECT_EQ(checkpoint->step, 30);
    EXPECT_EQ(checkpoint->state_hash, state(30).hash());
    EXPECT_EQ(checkpoint->state.hash(), state(30).hash());
    EXPECT_EQ(count_rows(), 30u);
    EXPECT_FALSE(fs::exists(run_ / "frames-000003.h5"));
    EXPECT_FALSE(fs::exists(run_ / "checkpoint-000000000040.h5.tmp"));
    writer.series_header(columns());
    simulate(writer, 31, 50);
    writer.close();
  }
  EXPECT_TRUE(warnings_.empty());
}

// The point of it all: killed and resumed, the folder is the same as without the kill.
TEST_F(RunWriterTest, ResumedRunHasTheSameFiles) {
  make_killed_run();
  {
    auto resumed = resume();
    resumed.writer.series_header(columns());
    simulate(resumed.writer, 31, 50);
    resumed.writer.close();
  }
  const fs::path whole = base_ / "whole";
  {
    RunWriter writer = RunWriter::create(whole, identity(), false);
    writer.series_header(columns());
    simulate(writer, 1, 50);
    writer.close();
  }
  std::size_t files = 0;
  for (const auto& entry : fs::directory_iterator(whole)) {
    EXPECT_EQ(read_file(entry), read_file(run_ / entry.path().filename())) << entry;
    ++files;
  }
  for (const auto& entry : fs::directory_iterator(run_)) files -= entry.exists() ? 1 : 0;
  EXPECT_EQ(files, 0u);
}

TEST_F(RunWriterTest, ResumeWalksBackOverBadCheckpoints) {
  make_killed_run();
  fs::resize_file(run_ / checkpoint_name(30), 100);
  damage(checkpoint_name(20));
  {
    auto [writer, checkpoint] = resume();
    ASSERT_TRUE(checkpoint);
    EXPECT_EQ(checkpoint->step, 10);
    ASSERT_EQ(warnings_.size(), 2u);
    EXPECT_TRUE(contains(warnings_[0], checkpoint_name(30))) << warnings_[0];
    EXPECT_TRUE(contains(warnings_[1], checkpoint_name(20))) << warnings_[1];
    EXPECT_EQ(count_rows(), 10u);
    const RunReader reader(run_);
    EXPECT_EQ(reader.frames(), 10u);
    EXPECT_EQ(reader.checkpoints().size(), 1u);
    EXPECT_FALSE(fs::exists(run_ / checkpoint_name(20)));
    EXPECT_FALSE(fs::exists(run_ / segment_name(1)));
    writer.series_header(columns());
    simulate(writer, 11, 20);
  }
  EXPECT_EQ(RunReader(run_).frames(), 20u);
}

TEST_F(RunWriterTest, ResumeWalksBackOverMissingCheckpoint) {
  make_killed_run();
  fs::remove(run_ / checkpoint_name(30));
  EXPECT_EQ(resume().checkpoint->step, 20);
  EXPECT_EQ(warnings_.size(), 1u);
}

TEST_F(RunWriterTest, CheckpointsStruckOffStaySoAfterWalkingBack) {
  {
    RunWriter writer = RunWriter::create(run_, identity(), false);
    writer.series_header(columns());
    simulate(writer, 1, 50);
  }
  damage(checkpoint_name(50));
  damage(checkpoint_name(40));
  EXPECT_EQ(resume().checkpoint->step, 30);
  const RunReader reader(run_);
  ASSERT_EQ(reader.checkpoints().size(), 1u);  // 10 and 20 were removed by 40 and 50, whose lines are cut
  EXPECT_EQ(reader.checkpoints()[0].step, 30);
}

TEST_F(RunWriterTest, WithoutAnyCheckpointTheRunStartsAnew) {
  make_killed_run();
  for (int step : {10, 20, 30}) damage(checkpoint_name(step));
  auto [writer, checkpoint] = resume();
  EXPECT_FALSE(checkpoint);
  EXPECT_TRUE(contains(warnings_.back(), "from the beginning"));
  EXPECT_EQ(fs::file_size(run_ / series_name), 0u);
  EXPECT_EQ(RunReader(run_).frames(), 0u);
  EXPECT_EQ(read_file(run_ / scenario_name), identity().scenario_text);
}

TEST_F(RunWriterTest, ResumeIgnoresATornIndexLine) {
  make_killed_run();
  std::ofstream(run_ / index_name, std::ios::app) << "{\"kind\":\"checkp";
  EXPECT_EQ(resume().checkpoint->step, 30);
  EXPECT_TRUE(read_file(run_ / index_name).ends_with("}\n"));
}

TEST_F(RunWriterTest, ForeignRunsAreRefusedUntouched) {
  make_killed_run();
  const std::string index = read_file(run_ / index_name), series = read_file(run_ / series_name);
  for (auto member : {&RunIdentity::scenario_hash, &RunIdentity::version, &RunIdentity::instruction_set}) {
    RunIdentity other = identity();
    other.*member = "other";
    const std::string message = message_of<IoError>([&] { RunWriter::resume(run_, other); });
    EXPECT_TRUE(contains(message, "'other'") && contains(message, run_.string())) << message;
  }
  EXPECT_EQ(read_file(run_ / index_name), index);
  EXPECT_EQ(read_file(run_ / series_name), series);
}

TEST_F(RunWriterTest, NoRunToResume) {
  EXPECT_TRUE(contains(message_of<IoError>([&] { resume(); }), "no run to resume"));
  fs::create_directories(run_);
  EXPECT_THROW(resume(), IoError);
  write_plainly(run_ / index_name, "{\"kind\":");
  EXPECT_TRUE(contains(message_of<IoError>([&] { resume(); }), "header"));
}

TEST_F(RunWriterTest, CutSeriesIsRefusedUntouched) {
  make_killed_run();
  fs::resize_file(run_ / series_name, 20);
  const std::string index = read_file(run_ / index_name);
  EXPECT_TRUE(contains(message_of<IoError>([&] { resume(); }), "series.csv"));
  EXPECT_EQ(read_file(run_ / index_name), index);
}

TEST_F(RunWriterTest, OtherSeriesColumnsAreRefused) {
  make_killed_run();
  auto resumed = resume();
  EXPECT_THROW(resumed.writer.series_header(std::vector<Column>{{"time", "s"}}), IoError);
  EXPECT_THROW(resumed.writer.series_row(std::vector<double>{1, 2, 3}), InvariantError);
}

TEST_F(RunWriterTest, OldCheckpointsAreRemoved) {
  RunWriter writer = RunWriter::create(run_, identity(), false);
  for (int step = 1; step <= 5; ++step) checkpoint(writer, step);
  checkpoint(writer, 5);  // the same again changes nothing
  const RunReader reader(run_);
  ASSERT_EQ(reader.checkpoints().size(), 3u);
  EXPECT_EQ(reader.checkpoints().front().step, 3);
  EXPECT_FALSE(fs::exists(run_ / checkpoint_name(2)));
  EXPECT_TRUE(fs::exists(run_ / checkpoint_name(3)));
  EXPECT_THROW(checkpoint(writer, 4), InvariantError);
}

TEST_F(RunWriterTest, SegmentsCloseOnSizeLayoutAgeAndEnd) {
  RecordLimits limits;
  limits.segment_bytes = 3 * size_of(state(0));
  limits.segment_age = limits.segment_age_share = 1e9;
  const auto segments = [&] { return RunReader(run_).segments().size(); };
  RunWriter writer = RunWriter::create(run_, identity(), false, limits);
  for (int step = 0; step < 7; ++step) frame(writer, step);
  EXPECT_EQ(segments(), 2u);
  writer.frame(7, 7, state(7, 1));
  EXPECT_EQ(segments(), 3u);
  writer.poll();
  EXPECT_EQ(segments(), 3u);
  writer.frame(8, 8, state(8, 100));  // larger than a segment may be: alone
  EXPECT_EQ(segments(), 4u);
  writer.close();
  EXPECT_EQ(segments(), 5u);
  EXPECT_EQ(RunReader(run_).frames(), 9u);
}

TEST_F(RunWriterTest, PollShowsWaitingDataOnceItIsOldEnough) {
  RecordLimits limits;
  limits.segment_age = limits.segment_age_share = limits.series_age = 0;
  RunWriter writer = RunWriter::create(run_, identity(), false, limits);
  writer.series_header(columns());
  row(writer, 1);
  frame(writer, 1);
  EXPECT_EQ(count_rows(), 0u);
  EXPECT_EQ(RunReader(run_).frames(), 0u);
  writer.poll();
  EXPECT_EQ(count_rows(), 1u);
  EXPECT_EQ(RunReader(run_).frames(), 1u);
}

TEST_F(RunWriterTest, TextFilesAreThoseOfTheList) {
  RunWriter writer = RunWriter::create(run_, identity(), false);
  writer.write_text(summary_name, "{}");
  EXPECT_EQ(RunReader(run_).text(summary_name), "{}");
  EXPECT_THROW(writer.write_text("../x", ""), InvariantError);
}

}  // namespace
}  // namespace hardpan::record
