#include "hardpan/record/segment.h"

#include <gtest/gtest.h>

#include "hardpan/core/error.h"
#include "hardpan/record/table.h"
#include "hardpan/record/test_files.h"

namespace hardpan::record {
namespace {

TEST(FrameStack, StacksAlongALeadingAxisAndBack) {
  FrameStack stack;
  for (int step : {3, 5, 8}) stack.add(0.5 * step, step, testing::state(step));
  const Archive stacked = stack.stacked();
  EXPECT_EQ(stacked.find("bodies/position")->shape, (std::vector<std::size_t>{3, 2, 3}));
  EXPECT_EQ(stacked.find("bodies/position")->unit, "m");
  EXPECT_EQ(stacked.find("counter")->shape, (std::vector<std::size_t>{3}));
  const Segment segment = unstack(stacked, "x");
  EXPECT_EQ(segment.time, (std::vector<double>{1.5, 2.5, 4}));
  EXPECT_EQ(segment.step, (std::vector<std::int64_t>{3, 5, 8}));
  EXPECT_EQ(segment.frame(1).hash(), testing::state(5).hash());
}

TEST(FrameStack, AcceptsTheSameLayoutOnly) {
  FrameStack stack;
  EXPECT_TRUE(stack.accepts(testing::state(0)));
  stack.add(0, 0, testing::state(0));
  EXPECT_TRUE(stack.accepts(testing::state(1)));
  EXPECT_FALSE(stack.accepts(testing::state(1, 3)));
  EXPECT_FALSE(stack.accepts({}));
}

TEST(FrameStack, FramesWithoutBodies) {
  FrameStack stack;
  stack.add(0, 0, testing::state(0, 0));
  stack.add(1, 1, testing::state(1, 0));
  EXPECT_EQ(unstack(stack.stacked(), "x").frame(1).hash(), testing::state(1, 0).hash());
}

TEST(FrameStack, OtherArraysAreNoSegment) {
  EXPECT_THROW(unstack(testing::state(0), "x"), IoError);
  Archive uneven;
  uneven.put("time", std::vector<double>{0, 1}, {2});
  uneven.put("step", std::vector<std::int64_t>{0, 1}, {2});
  uneven.put("a", std::vector<double>{0, 1, 2}, {3});
  EXPECT_THROW(unstack(uneven, "x"), IoError);
}

TEST(Csv, HeaderAndRowsReadBack) {
  const std::vector<Column> columns = {{"time", "s"}, {"odd, \"name\".x", "m/s"}, {"slip", ""}};
  const std::vector<double> values = {0.1, -1e-300, std::nan("")};
  const std::string text = csv_header(columns) + csv_row(values) + "0.2,1";
  EXPECT_TRUE(text.starts_with("time [s],\"odd, \"\"name\"\".x [m/s]\",slip\n0.1,-1e-300,nan\n"));
  const Table table = parse_csv(text, "x");
  EXPECT_EQ(table.columns, columns);
  ASSERT_EQ(table.rows.size(), 1u);
  EXPECT_EQ(table.rows[0][1], -1e-300);
  EXPECT_TRUE(std::isnan(table.rows[0][2]));
  EXPECT_TRUE(parse_csv("", "x").columns.empty());
  EXPECT_TRUE(parse_csv("time [s]", "x").columns.empty());
}

TEST(Csv, MalformedRowsNameTheLine) {
  for (const char* bad : {"1\n", "1,2,3\n", "1,x\n", "1,\n", "\n", "1,2 \n"}) {
    const std::string message =
        testing::message_of<IoError>([&] { parse_csv(std::string("a,b\n1,2\n") + bad, "f.csv"); });
    EXPECT_TRUE(message.starts_with("f.csv:3:")) << bad;
  }
}

}  // namespace
}  // namespace hardpan::record
