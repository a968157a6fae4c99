#include "hardpan/record/frame_bundle.h"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "hardpan/record/test_pages.h"

namespace hardpan::record {
namespace {

using testing::decode_bundle;
using testing::Json;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

struct Points {
  std::vector<double> x, y;
};

std::vector<Points> decoded(std::span<const Panel> panels, std::size_t limit,
                            std::optional<Interval> range = {}) {
  Bundle bundle;
  const Json list = add_panels(bundle, panels, limit, range);
  const auto back = decode_bundle(bundle.bytes({{"panels", list}}));
  std::vector<Points> out;
  for (const Json& panel : back.head["panels"])
    for (const Json& curve : panel["curves"])
      out.push_back({back.arrays[curve["x"]], back.arrays[curve["y"]]});
  return out;
}

Panel ramp(std::size_t count, std::size_t curves) {
  Panel panel{"t", "x", "y", {}};
  for (std::size_t c = 0; c < curves; ++c) {
    panel.curves.push_back({std::string(1, static_cast<char>('a' + c)), {}, {}});
    for (std::size_t i = 0; i < count; ++i) {
      panel.curves[c].x.push_back(0.1 * static_cast<double>(i));
      panel.curves[c].y.push_back(0);
    }
  }
  return panel;
}

// In whatever place spikes and gaps stand: they survive, the ends do, and no value is made up.
TEST(FrameBundle, ThinningKeepsEverySpike) {
  EXPECT_TRUE(rc::check([] {
    const auto count = *rc::gen::inRange<std::size_t>(1, 3000);
    Panel panel = ramp(count, *rc::gen::inRange<std::size_t>(1, 4));
    const auto limit = *rc::gen::inRange<std::size_t>(2, 400);
    const auto spike = *rc::gen::inRange<std::size_t>(0, count),
               dip = *rc::gen::inRange<std::size_t>(0, count);
    const auto gap = *rc::gen::inRange<std::size_t>(0, count);
    panel.curves.back().y[gap] = nan;
    panel.curves.back().y[dip] = -3;
    panel.curves.back().y[spike] = 5;
    const auto curves = decoded(std::span(&panel, 1), limit);
    RC_ASSERT(curves.size() == panel.curves.size());
    const Points& last = curves.back();
    RC_ASSERT(std::count(last.y.begin(), last.y.end(), 5.0) == 1);
    RC_ASSERT(spike == dip || std::count(last.y.begin(), last.y.end(), -3.0) == 1);
    RC_ASSERT(last.x.front() == 0);
    RC_ASSERT(last.x.back() == panel.curves[0].x.back());
    RC_ASSERT(last.x.size() <= std::max<std::size_t>(limit, 2 * curves.size()) + 2 + 1);
    if (gap != spike && gap != dip)
      RC_ASSERT(std::any_of(last.y.begin(), last.y.end(), [](double v) { return std::isnan(v); }));
    RC_ASSERT(std::is_sorted(last.x.begin(), last.x.end()));
  }));
}

TEST(FrameBundle, CurvesWithOneXShareIt) {
  std::vector<Panel> panels = {ramp(10, 3)};
  panels[0].curves[2].x.back() += 1;
  Bundle bundle;
  const Json list = add_panels(bundle, panels, 100);
  const Json& curves = list[0]["curves"];
  EXPECT_EQ(curves[0]["x"], curves[1]["x"]);
  EXPECT_NE(curves[0]["x"], curves[2]["x"]);
}

TEST(FrameBundle, ARangeKeepsOnePointOnEitherSide) {
  const Panel panel = ramp(101, 1);
  const auto curves = decoded(std::span(&panel, 1), 1000, Interval{2.01, 2.99});
  EXPECT_NEAR(curves[0].x.front(), 2.0, 1e-12);
  EXPECT_NEAR(curves[0].x.back(), 3.0, 1e-12);
  EXPECT_EQ(curves[0].x.size(), 11u);
}

TEST(FrameBundle, OddCurvesDoNoHarm) {
  const std::vector<Panel> panels = {
      {"none", "", "", {}},
      {"empty", "", "", {{"", {}, {}}}},
      {"broken", "", "", {{"", {nan, nan}, {1, 2}}, {"", {0, nan}, {nan, nan}}}}};
  EXPECT_EQ(decoded(panels, 10).size(), 3u);
}

TEST(FrameBundle, AStackReadsBack) {
  FrameStack stack;
  for (int step = 0; step < 4; ++step) {
    Archive frame;
    frame.put("bodies/position", std::vector<double>{0.5 * step, 1, nan, 2, 3, 4}, {2, 3}, "m");
    frame.put("contacts", std::vector<std::int64_t>{step, -step}, {2});
    frame.put("nothing", std::span<const double>(), {0, 3});
    stack.add(0.1 * step, step, frame);
  }
  Bundle bundle;
  const Json head = add_stack(bundle, stack);
  const auto back = decode_bundle(bundle.bytes({{"stacks", {head}}}));
  const Json& read = back.head["stacks"][0];
  EXPECT_EQ(read["steps"], Json({0, 1, 2, 3}));
  const Json& position = read["fields"][0];
  EXPECT_EQ(position["name"], "bodies/position");
  EXPECT_EQ(position["unit"], "m");
  EXPECT_EQ(position["shape"], Json({2, 3}));
  const auto& values = back.arrays[position["array"]];
  ASSERT_EQ(values.size(), 24u);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(values[6 * i], 0.5 * static_cast<double>(i), 2.0 / 65534);
    EXPECT_TRUE(std::isnan(values[6 * i + 2]));
  }
  EXPECT_EQ(back.arrays[read["fields"][1]["array"]], (std::vector<double>{0, 0, 1, -1, 2, -2, 3, -3}));
  EXPECT_TRUE(back.arrays[read["fields"][2]["array"]].empty());
}

// A run that diverged: the replay before must still be worth looking at.
TEST(FrameBundle, ABodyThatFliesAwayDoesNotSpoilTheOthers) {
  FrameStack stack;
  for (int step = 0; step < 20; ++step) {
    Archive frame;
    frame.put("bodies/position", std::vector<double>{0.1 * step, 1, 2, step == 19 ? 1e15 : 0.5, 4, 5}, {2, 3},
              "m");
    stack.add(0.1 * step, step, frame);
  }
  Bundle bundle;
  const Json stacked = add_stack(bundle, stack);
  const auto back = decode_bundle(bundle.bytes({{"stack", stacked}}));
  const std::vector<double>& values = back.arrays[back.head["stack"]["fields"][0]["array"]];
  for (std::size_t step = 0; step < 20; ++step) {
    EXPECT_NEAR(values[6 * step], 0.1 * static_cast<double>(step), 2e-5);
    EXPECT_EQ(values[6 * step + 5], 5);
  }
  EXPECT_NEAR(values[6 * 19 + 3], 1e15, 1e11);
}

TEST(FrameBundle, OneFrameReadsBack) {
  Archive stacked;
  stacked.put("time", std::vector<double>{1, 2}, {2}, "s");
  stacked.put("step", std::vector<std::int64_t>{10, 20}, {2});
  stacked.put("p", std::vector<double>{1, 2, 3, 4}, {2, 2}, "m");
  Bundle bundle;
  const Json head = add_frame(bundle, unstack(stacked, "test"), 1);
  const auto back = decode_bundle(bundle.bytes(head));
  EXPECT_EQ(back.head["times"], Json({2.0}));
  EXPECT_EQ(back.head["steps"], Json({20}));
  EXPECT_EQ(back.arrays[0], (std::vector<double>{3, 4}));
}

}  // namespace
}  // namespace hardpan::record
