#include "hardpan/record/svg.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "hardpan/core/file.h"
#include "hardpan/record/plot_axis.h"
#include "hardpan/record/test_files.h"

namespace hardpan::record {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

class SvgTest : public testing::RecordTest {
 protected:
  void expect_well_formed(const std::string& svg) {
    if (std::system("xmllint --version >/dev/null 2>&1") != 0) return;
    testing::write_plainly(base_ / "x.svg", svg);
    EXPECT_EQ(std::system(("xmllint --noout --nonet " + (base_ / "x.svg").string()).c_str()), 0);
  }
};

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++n;
  return n;
}

TEST(PlotAxis, TicksAreRound) {
  const Axis axis = make_axis({-0.13, 0.97}, 5, true);
  EXPECT_EQ(axis.labels, (std::vector<std::string>{"-0.5", "0.0", "0.5", "1.0"}));
  EXPECT_EQ(axis.range.low, -0.5);
  EXPECT_EQ(axis.range.high, 1.0);
  const Axis time = make_axis({0, 6}, 8, false);
  EXPECT_EQ(time.labels, (std::vector<std::string>{"0", "1", "2", "3", "4", "5", "6"}));
  const Axis tiny = make_axis({0, 4e-7}, 5, true);
  EXPECT_EQ(tiny.exponent, -9);
  EXPECT_EQ(tiny.labels, (std::vector<std::string>{"0", "100", "200", "300", "400"}));
}

TEST(PlotAxis, EveryRangeGetsAFewTicks) {
  for (double low : {-1e290, -1e6, -3.3, -1e-12, 0.0, 1e-290, 0.1, 7e5})
    for (double width : {1e-280, 1e-15, 1e-9, 0.3, 12.0, 1e7, 1e299}) {
      RangeFinder finder;
      finder.add(std::vector<double>{low, low + width});
      const Axis axis = make_axis(finder.range(), 5, true);
      EXPECT_GE(axis.ticks.size(), 2u) << low << " " << width;
      EXPECT_LE(axis.ticks.size(), 12u) << low << " " << width;
      EXPECT_LE(axis.range.low, low + 1e-5 * (axis.range.high - axis.range.low));
      for (const std::string& label : axis.labels) EXPECT_LE(label.size(), 14u) << label;
    }
}

TEST(PlotAxis, ConstantsAndNothingHaveARange) {
  RangeFinder none, zero, constant;
  none.add(std::vector<double>{nan, INFINITY});
  zero.add(std::vector<double>{0, 0});
  constant.add(std::vector<double>{9.81, 9.81 * (1 + 1e-14)});
  EXPECT_LT(none.range().low, none.range().high);
  EXPECT_LT(zero.range().low, 0);
  EXPECT_GT(zero.range().high, 0);
  EXPECT_NEAR(constant.range().low, 8.829, 1e-9);
}

TEST(PlotAxis, ThinningKeepsSpikesAndBreaks) {
  std::vector<double> x(100'000), y(100'000);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<double>(i);
  y[77'777] = 5;
  y[77'778] = -3;
  y[50'000] = nan;
  const auto lines = thin(x, y, 1500);
  ASSERT_EQ(lines.size(), 2u);
  std::size_t points = 0;
  double low = 0, high = 0;
  for (const auto& line : lines)
    for (const Point& p : line) {
      ++points;
      low = std::min(low, p.y);
      high = std::max(high, p.y);
    }
  EXPECT_LE(points, 1500u);
  EXPECT_EQ(low, -3);
  EXPECT_EQ(high, 5);
  EXPECT_EQ(thin(std::vector<double>{0, 1, 2, 3}, std::vector<double>{0, nan, nan, 1}, 1500).size(), 2u);
  EXPECT_TRUE(thin({}, {}, 1500).empty());
}

TEST_F(SvgTest, IsWellFormedAndHasTheCurves) {
  Panel panel{"a < b & \"c\"", "time [s]", "force [N]\x01", {}};
  for (int i = 0; i < 10; ++i)
    panel.curves.push_back({"curve <" + std::to_string(i) + ">", {0, 1, 2}, {0, 1.0 * i, nan}});
  const std::string svg = draw("Größe & <form>", std::vector<Panel>{panel, {"empty", "", "", {}}});
  expect_well_formed(svg);
  EXPECT_EQ(count(svg, "<path class=\"curve\""), 20u);  // ten curves, ten legend entries
  EXPECT_EQ(count(svg, "curve &lt;"), 10u);
  EXPECT_EQ(count(svg, "nan"), 0u);
  expect_well_formed(draw("", {}));
}

TEST_F(SvgTest, LongLabelsAreCutBetweenLetters) {
  const Panel panel{"", "", "", {{"äöüäöüäöüäöüäöüäöüäöüäöüäöüäöü", {0, 1}, {0, 1}}}};
  expect_well_formed(draw("", std::vector<Panel>{panel}));
}

TEST(Panels, GroupByThingAndUnit) {
  const Table table{{{"time", "s"},
                     {"bob.position.x", "m"},
                     {"bob.position.y", "m"},
                     {"bob.speed", "m/s"},
                     {"slip", ""},
                     {"energy.kinetic", "J"},
                     {"energy.potential", "J"}},
                    {{0, 1, 2, 3, 4, 5, 6}, {1, 1, 2, 3, 4, 5, 6}}};
  const std::vector<Panel> panels = panels_of(table);
  ASSERT_EQ(panels.size(), 4u);
  EXPECT_EQ(panels[0].title, "bob.position");
  EXPECT_EQ(panels[0].x_label, "time [s]");
  EXPECT_EQ(panels[0].y_label, "position [m]");
  ASSERT_EQ(panels[0].curves.size(), 2u);
  EXPECT_EQ(panels[0].curves[1].label, "y");
  EXPECT_EQ(panels[0].curves[1].y, (std::vector<double>{2, 2}));
  EXPECT_EQ(panels[1].title, "bob.speed");
  EXPECT_EQ(panels[1].y_label, "speed [m/s]");
  EXPECT_EQ(panels[1].curves[0].label, "");
  EXPECT_EQ(panels[2].title, "slip");
  EXPECT_EQ(panels[3].title, "energy");
  EXPECT_TRUE(panels_of({}).empty());
}

}  // namespace
}  // namespace hardpan::record
