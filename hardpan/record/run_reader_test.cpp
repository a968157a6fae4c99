#include "hardpan/record/run_reader.h"

#include <atomic>
#include <csignal>
#include <functional>
#include <thread>

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "hardpan/core/error.h"
#include "hardpan/core/file.h"
#include "hardpan/record/test_files.h"

namespace hardpan::record {
namespace {

namespace fs = std::filesystem;
using namespace testing;

class RunReaderTest : public RecordTest {};

// Everything a viewer may ask for; returns how much there was.
struct Seen {
  std::uint64_t frames = 0;
  std::size_t rows = 0;
  std::int64_t newest_checkpoint = -1;
};

Seen read_everything(const fs::path& folder) {
  const RunReader reader(folder);
  Seen seen;
  for (const SegmentInfo& info : reader.segments()) {
    const auto segment = reader.read(info);
    EXPECT_TRUE(segment);
    for (std::size_t i = 0; segment && i < segment->frames(); ++i)
      EXPECT_EQ(segment->frame(i).hash(), state(segment->step[i]).hash());
    seen.frames += info.frames;
  }
  for (const CheckpointInfo& info : reader.checkpoints()) {
    // It may be gone by now, but if it is there it is whole.
    if (const auto archive = reader.read(info)) {
      EXPECT_EQ(archive->hash(), info.state_hash);
    }
    seen.newest_checkpoint = info.step;
  }
  seen.rows = reader.series().rows.size();
  reader.text(summary_name);
  return seen;
}

void expect_growth(const Seen& before, const Seen& now) {
  EXPECT_GE(now.frames, before.frames);
  EXPECT_GE(now.rows, before.rows);
  EXPECT_GE(now.newest_checkpoint, before.newest_checkpoint);
}

RecordLimits impatient() {
  RecordLimits limits;
  limits.segment_age = limits.segment_age_share = limits.series_age = 0;
  return limits;
}

TEST_F(RunReaderTest, NoRunIsAClearError) {
  EXPECT_TRUE(contains(message_of<IoError>([&] { RunReader{run_}; }), "is not the folder of a run"));
  fs::create_directories(run_);
  EXPECT_THROW(RunReader{run_}, IoError);
  write_plainly(run_ / index_name, "");
  EXPECT_THROW(RunReader{run_}, IoError);
}

TEST_F(RunReaderTest, WorksAfterEverySingleWriterOperation) {
  RunWriter writer = RunWriter::create(run_, identity(), false, impatient());
  Seen seen = read_everything(run_);
  const auto after = [&](const std::function<void()>& operation) {
    operation();
    const Seen now = read_everything(run_);
    expect_growth(seen, now);
    seen = now;
  };
  after([&] { writer.write_text(scene_name, "{\"bodies\":[]}"); });
  after([&] { writer.series_header(columns()); });
  for (std::int64_t step = 1; step <= 30; ++step) {
    after([&] { row(writer, step); });
    after([&] { frame(writer, step); });
    if (step % 3 == 0) after([&] { writer.poll(); });
    if (step % 5 == 0) after([&] { checkpoint(writer, step); });
  }
  after([&] { writer.write_text(summary_name, "{}"); });
  after([&] { writer.close(); });
  EXPECT_EQ(seen.frames, 30u);
  EXPECT_EQ(seen.rows, 30u);
  EXPECT_EQ(seen.newest_checkpoint, 30);
}

TEST_F(RunReaderTest, WorksWhileAnotherThreadWrites) {
  RunWriter writer = RunWriter::create(run_, identity(), false, impatient());
  writer.series_header(columns());
  std::atomic<bool> done = false;
  std::thread watcher([&] {
    Seen seen;
    while (!done) {
      try {
        const Seen now = read_everything(run_);
        expect_growth(seen, now);
        seen = now;
      } catch (const std::exception& error) {
        ADD_FAILURE() << error.what();
        return;
      }
    }
  });
  for (std::int64_t step = 1; step <= 60; ++step) {
    row(writer, step);
    frame(writer, step);
    if (step % 4 == 0) writer.poll();
    if (step % 3 == 0) checkpoint(writer, step);
  }
  writer.close();
  done = true;
  watcher.join();
  EXPECT_EQ(read_everything(run_).frames, 60u);
}

TEST_F(RunReaderTest, RemovedCheckpointIsNothingMissingOneIsAnError) {
  RunWriter writer = RunWriter::create(run_, identity(), false);
  checkpoint(writer, 1);
  const RunReader early(run_);
  ASSERT_TRUE(early.read(early.checkpoints()[0]));
  for (int step = 2; step <= 4; ++step) checkpoint(writer, step);
  EXPECT_FALSE(early.read(early.checkpoints()[0]));
  const RunReader late(run_);
  fs::remove(run_ / checkpoint_name(4));
  EXPECT_TRUE(
      contains(message_of<IoError>([&] { late.read(late.checkpoints().back()); }), checkpoint_name(4)));
}

TEST_F(RunReaderTest, DamagedSegmentIsAnError) {
  RunWriter writer = RunWriter::create(run_, identity(), false);
  frame(writer, 1);
  writer.close();
  const RunReader reader(run_);
  std::string bytes = read_file(run_ / segment_name(0));
  write_plainly(run_ / segment_name(0), bytes.substr(1));
  EXPECT_THROW(reader.read(reader.segments()[0]), IoError);
  bytes[1000] = static_cast<char>(bytes[1000] ^ 1);
  write_plainly(run_ / segment_name(0), bytes);
  EXPECT_THROW(reader.read(reader.segments()[0]), IoError);
}

TEST_F(RunReaderTest, ToleratesATornIndexAndSeries) {
  RunWriter writer = RunWriter::create(run_, identity(), false);
  writer.series_header(columns());
  simulate(writer, 1, 10);
  std::ofstream(run_ / index_name, std::ios::app) << "{\"kind\":";
  std::ofstream(run_ / series_name, std::ios::app) << "1.1,0.";
  EXPECT_EQ(read_everything(run_).rows, 10u);
}

// Runs in a child: takes the run up and simulates until it is killed.
[[noreturn]] void write_until_killed(const fs::path& folder) {
  try {
    auto [writer, from] = RunWriter::resume(folder, identity(), impatient());
    writer.series_header(columns());
    for (std::int64_t step = from ? from->step + 1 : 1;; ++step) {
      row(writer, step);
      frame(writer, step);
      if (step % 3 == 0) writer.poll();
      if (step % 5 == 0) checkpoint(writer, step);
    }
  } catch (...) {
    ::_exit(99);
  }
}

TEST_F(RunReaderTest, SurvivesBeingKilledAgainAndAgain) {
  RunWriter::create(run_, identity(), false).close();
  std::int64_t newest = -1;
  for (int round = 0; round < 12; ++round) {
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) write_until_killed(run_);
    // Every other round gets as far as a new checkpoint; the others may die while they take up the run.
    for (int wait = 0; round % 2 == 0 && wait < 10'000; ++wait) {
      const RunReader reader(run_);
      if (!reader.checkpoints().empty() && reader.checkpoints().back().step > newest) break;
      ::usleep(1'000);
    }
    ::usleep(static_cast<useconds_t>(3'000 + 7'919 * round % 20'000));
    ::kill(child, SIGKILL);
    int status = 0;
    ::waitpid(child, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status));
    const Seen seen = read_everything(run_);
    EXPECT_GE(seen.newest_checkpoint, newest);
    if (round % 2 == 0) {
      EXPECT_GT(seen.newest_checkpoint, newest);
    }
    newest = seen.newest_checkpoint;
  }
  const auto resumed = RunWriter::resume(run_, identity());
  ASSERT_TRUE(resumed.checkpoint);
  const Seen seen = read_everything(run_);  // every step once: nothing lost, nothing twice
  EXPECT_EQ(seen.frames, static_cast<std::uint64_t>(resumed.checkpoint->step));
  EXPECT_EQ(seen.rows, static_cast<std::size_t>(resumed.checkpoint->step));
}

// Files may not grow beyond 100 kB in a child: like a full disk, without needing one.
TEST_F(RunReaderTest, FullDiskIsAnIoErrorAndListedFilesStayGood) {
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{100'000, 100'000};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    int errors = 0;
    try {
      RunWriter writer = RunWriter::create(run_, identity(), false);
      writer.series_header(columns());
      simulate(writer, 1, 20);
      Archive big;
      big.put("big", std::vector<double>(20'000), {20'000});
      const auto fails = [&](const std::function<void()>& action) {
        try {
          action();
        } catch (const IoError& error) {
          if (contains(error.what(), run_.string())) ++errors;
        }
      };
      writer.frame(2.1, 21, big);
      fails([&] { writer.close(); });
      fails([&] { writer.checkpoint(2.1, 21, "hash", big); });
      for (int step = 21; step < 30'000; ++step) fails([&] { row(writer, step); });
    } catch (...) {
      ::_exit(99);
    }
    ::_exit(errors > 2 ? 7 : 98);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 7);
  const Seen seen = read_everything(run_);
  EXPECT_EQ(seen.frames, 20u);
  EXPECT_EQ(seen.newest_checkpoint, 20);
  EXPECT_GE(seen.rows, 20u);
  EXPECT_EQ(RunWriter::resume(run_, identity()).checkpoint->step, 20);
}

TEST_F(RunReaderTest, PythonReadsTheFiles) {
  if (std::system("/usr/bin/python3 -c 'import h5py' 2>/dev/null") != 0) GTEST_SKIP() << "h5py is missing";
  {
    RunWriter writer = RunWriter::create(run_, identity(), false);
    for (std::int64_t step = 1; step <= 3; ++step) frame(writer, step);
    Archive archive = state(3);
    archive.put("empty", std::span<const double>(), {0, 3});
    writer.checkpoint(0.3, 3, archive.hash(), archive);
  }
  write_plainly(base_ / "read.py", R"(
import sys, h5py
folder = sys.argv[1]
with h5py.File(folder + "/frames-000000.h5") as f:
    p = f["bodies/position"]
    print(f.attrs["hardpan_format"], f.attrs["kind"], p.shape, p.attrs["unit"], f["time"][1], f["step"][2],
          f["counter"][:].tolist(), f["time"].attrs["unit"])
with h5py.File(folder + "/checkpoint-000000000003.h5") as f:
    print(f.attrs["kind"], f["bodies/orientation"][1].tolist(), f["counter"][()], "empty", f["empty"].shape)
)");
  const fs::path out = base_ / "out.txt";
  const std::string command = "/usr/bin/python3 " + (base_ / "read.py").string() + " " + run_.string() +
                              " > " + out.string() + " 2>&1";
  EXPECT_EQ(std::system(command.c_str()), 0);
  EXPECT_EQ(read_file(out),
            "1 frames (3, 2, 3) m 0.2 3 [1, 2, 3] s\n"
            "checkpoint [1.0, 0.0, 0.0, 0.0] 3 empty (0, 3)\n");
}

}  // namespace
}  // namespace hardpan::record
