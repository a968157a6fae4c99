#include "hardpan/record/run_index.h"

#include <gtest/gtest.h>

#include "hardpan/core/error.h"
#include "hardpan/record/test_files.h"

namespace hardpan::record {
namespace {

using testing::identity;
using testing::message_of;

SegmentInfo segment(std::uint64_t number) { return {{segment_name(number), 10, "ab"}, 5, 0.1, 0.2, 1, 2}; }
CheckpointInfo checkpoint(std::int64_t step) {
  return {{checkpoint_name(step), 20, "cd"}, step, 0.3, "ef", 7};
}

TEST(RunIndex, LinesReadBack) {
  const std::string text = header_line(identity()) + index_line(segment(0)) + index_line(checkpoint(12000));
  EXPECT_TRUE(text.starts_with(R"({"format":1,"kind":"run","scenario_hash":"00112233","version":"0.1.0",)"));
  const RunIndex index = parse_index(text, "x");
  EXPECT_EQ(index.identity.instruction_set, "x86-64");
  ASSERT_EQ(index.segments.size(), 1u);
  EXPECT_EQ(index.segments[0].file, "frames-000000.h5");
  EXPECT_EQ(index.segments[0].last_time, 0.2);
  ASSERT_EQ(index.checkpoints.size(), 1u);
  EXPECT_EQ(index.checkpoints[0].file, "checkpoint-000000012000.h5");
  EXPECT_EQ(index.checkpoints[0].series_bytes, 7u);
  EXPECT_EQ(index.marks[0].bytes, text.size());
  EXPECT_EQ(index.marks[0].segments, 1u);
}

TEST(RunIndex, RemovedCheckpointsAreGone) {
  const RunIndex index = parse_index(header_line(identity()) + index_line(checkpoint(1)) +
                                         index_line(checkpoint(2)) + removed_line(checkpoint_name(1)),
                                     "x");
  ASSERT_EQ(index.checkpoints.size(), 1u);
  EXPECT_EQ(index.checkpoints[0].step, 2);
}

TEST(RunIndex, TornLastLineIsDroppedWhereverItIsTorn) {
  const std::string whole = header_line(identity()) + index_line(segment(0)), last = index_line(segment(1));
  for (std::size_t size = 0; size < last.size(); ++size)
    EXPECT_EQ(parse_index(whole + last.substr(0, size), "x").segments.size(), 1u) << size;
  EXPECT_EQ(parse_index(whole + last, "x").segments.size(), 2u);
  EXPECT_EQ(parse_index(whole + "{\"kind\":\"fra\n", "x").segments.size(), 1u);
  EXPECT_EQ(parse_index(whole + std::string(100, '\0'), "x").segments.size(), 1u);
}

TEST(RunIndex, MalformedLineInTheMiddleNamesItsPlace) {
  const std::string head = header_line(identity()), tail = index_line(segment(1));
  for (
      const char* bad :
      {"", "{", "[]", "1", "{}", R"({"kind":"frames"})", R"({"kind":7})",
       R"({"kind":"frames","file":"../x","bytes":1,"checksum":"","frames":1,"first_time":0,"last_time":0,"first_step":0,"last_step":0})",
       R"({"kind":"frames","file":"frames-000001.h5","bytes":-1,"checksum":"","frames":1,"first_time":0,"last_time":0,"first_step":0,"last_step":0})"}) {
    const std::string message =
        message_of<IoError>([&] { parse_index(head + bad + "\n" + tail, "index.jsonl"); });
    EXPECT_TRUE(message.starts_with("index.jsonl:2:")) << bad << ": " << message;
  }
  EXPECT_EQ(parse_index(head + R"({"kind":"later"})" + "\n" + tail, "x").segments.size(), 1u);
}

TEST(RunIndex, HeaderIsNeeded) {
  const std::string header = header_line(identity());
  EXPECT_THROW(parse_index("", "x"), IoError);
  EXPECT_THROW(parse_index(header.substr(0, header.size() - 1), "x"), IoError);
  EXPECT_THROW(parse_index("garbage\n", "x"), IoError);
  EXPECT_THROW(parse_index(index_line(segment(0)), "x"), IoError);
  std::string future = header;
  future[future.find(":1") + 1] = '2';
  EXPECT_TRUE(testing::contains(message_of<IoError>([&] { parse_index(future, "x"); }), "format 2"));
}

TEST(RunFolder, KnowsItsNames) {
  for (const char* name : {"index.jsonl", "series.csv", "scenario.yaml", "scene.json", "summary.json",
                           "curves.svg", "report.html", "frames-000000.h5", "frames-1234567.h5",
                           "checkpoint-000000000001.h5", "frames-000000.h5.tmp", "index.jsonl.tmp"})
    EXPECT_TRUE(is_run_file(name)) << name;
  for (const char* name : {"", ".tmp", "notes.txt", "frames-1.h5", "frames-00000x.h5", "frames-000000.h5.bak",
                           "my-series.csv", "checkpoint-000001.h5", "x.tmp"})
    EXPECT_FALSE(is_run_file(name)) << name;
}

}  // namespace
}  // namespace hardpan::record
