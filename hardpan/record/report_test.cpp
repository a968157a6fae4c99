#include "hardpan/record/report.h"

#include <gtest/gtest.h>

#include "hardpan/core/error.h"
#include "hardpan/core/file.h"
#include "hardpan/record/html.h"
#include "hardpan/record/page.h"
#include "hardpan/record/page_data.h"
#include "hardpan/record/scene.h"
#include "hardpan/record/test_files.h"
#include "hardpan/record/test_pages.h"

namespace hardpan::record {
namespace {

using namespace testing;

constexpr std::size_t most_bytes = 3'000'000;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
const std::string nasty = "</script><b>&\" größe";

const ReportOptions with_script{.with_pages = true};
const ReportOptions without_script{.with_pages = false};

// A cheap generator of numbers that do not compress.
class Noise {
 public:
  double next() { return static_cast<double>((state_ = state_ * 1664525 + 1013904223) >> 8) * 1e-7; }

 private:
  std::uint32_t state_ = 1;
};

Json summary(const std::string& name) {
  return {
      {"status", "done"},
      {"title", name},
      {"scenario", name},
      {"state_hash", "00ff"},
      {"finished", "2026-01-02T03:04:05Z"},
      {"command", "hardpan run '" + name + "'"},
      {"metrics", {{name + "_J", 1.25}, {"lost_J", nullptr}}},
      {"expectations",
       {{{"metric", name + "_m"},
         {"low", 1},
         {"high", 2},
         {"value", 1.5},
         {"status", "passed"},
         {"source", name}},
        {{"metric", "b"},
         {"low", nullptr},
         {"high", 2},
         {"value", nullptr},
         {"least_order", 0.9},
         {"status", "failed"},
         {"source", ""}}}},
      {"ledger",
       {{"multibody",
         {{"kinetic_J", 2.5}, {"gravity", {{"work_J", 1}, {"lost_J", 0.5}}}, {"momentum", {1, 2, nullptr}}}},
        {"grains", {{"contacts", {{"work_J", 2}, {"heat_J", 7.75}}}}}}},
      {"solver", {{"solves", 500}, {"iterations_mean", 2.5}}},
      {"timing", {{"wall_s", 2.0}, {"steps", 10}, {"real_time_factor", 0.5}, {"phases_s", {{"solve", 1.5}}}}},
      {"program", {{"threads", 2}, {"seed", 0}, {"commit", "abc"}}}};
}

class ReportTest : public RecordTest {
 protected:
  RunWriter begin(const std::string& scenario = "hardpan: 1\ntitle: Plain\n") {
    RunIdentity who = identity();
    who.scenario_text = scenario;
    return RunWriter::create(run_, who, false);
  }

  std::string report(const ReportOptions& options) {
    const std::string html = report_html(RunReader(run_), options);
    expect_balanced(html);
    EXPECT_LT(html.size(), most_bytes);
    return html;
  }
};

TEST_F(ReportTest, TellsEverythingAndEscapesIt) {
  {
    RunWriter writer = begin("title: " + nasty + "\n");
    Scene scene;
    scene.bodies.push_back({nasty, {{geometry::Sphere{0.1}}}, 1, false});
    scene.bodies.push_back({"other", {}, 1, true});
    writer.write_text(scene_name, scene_json(scene));
    writer.series_header(std::vector<Column>{{"time", "s"}, {nasty + ".x", "m"}, {nasty + ".y", "m"}});
    for (int i = 0; i < 20; ++i)
      writer.series_row(std::vector<double>{0.1 * i, 1.0 * i, i == 7 ? nan : 2.0 * i});
    for (int i = 0; i < 20; ++i) frame(writer, i);
    writer.write_text(summary_name, summary(nasty).dump());
    writer.close();
  }
  for (const ReportOptions& options : {with_script, without_script}) {
    const std::string html = report(options);
    EXPECT_FALSE(contains(html, "<b>"));
    EXPECT_FALSE(contains(html, nasty));
    EXPECT_TRUE(contains(html, "&lt;/script&gt;&lt;b&gt;&amp;&quot; größe"));
    for (const char* part : {"id=\"replay\"", "id=\"curves\"", "done; expectations: 1 of 2 passed", "passed",
                             "failed", "not finite", "heat_J", "7.75", "kinetic_J", "all accounts",
                             "iterations_mean", "75.0 %", "the rest", "abc", "2026-01-02T03:04:05Z",
                             "hardpan run scenario.yaml", "none (at least 0.9)", "hardpan run '"})
      EXPECT_TRUE(contains(html, part)) << part;
    EXPECT_TRUE(is_page(html, "report"));
    EXPECT_FALSE(is_page(html, "compare"));
    EXPECT_FALSE(contains(html, "http://") && options.with_pages) << "no network";
  }
}

TEST_F(ReportTest, CarriesCurvesAndFrames) {
  {
    RunWriter writer = begin();
    writer.write_text(scene_name, scene_json({}));
    writer.series_header(columns());
    simulate(writer, 0, 1000);
    writer.close();
  }
  const std::string html = report(with_script);
  EXPECT_TRUE(contains(html, "<div class=\"charts\"></div>"));
  EXPECT_TRUE(contains(html, "<figure id=\"replay\"><div class=\"stage\"></div>"));
  EXPECT_TRUE(contains(html, "data-page=\"report\""));
  EXPECT_TRUE(contains(html, "300 of 1001 frames"));
  const auto data = data_of_page(html);
  EXPECT_EQ(data.head["panels"][0]["title"], "bob.position.x");
  EXPECT_EQ(data.arrays[data.head["panels"][0]["curves"][0]["x"]].size(), 1001u);
  EXPECT_EQ(data.head["scene"]["format"], 1);
  ASSERT_EQ(data.head["stacks"].size(), 1u);
  EXPECT_EQ(data.head["stacks"][0]["steps"].size(), 300u);
  EXPECT_EQ(data.head["stacks"][0]["steps"].front(), 0);
  EXPECT_EQ(data.head["stacks"][0]["steps"].back(), 1000);
}

TEST_F(ReportTest, OneStackPerLayout) {
  {
    RunWriter writer = begin();
    writer.write_text(scene_name, scene_json({}));
    for (int i = 0; i < 10; ++i) writer.frame(0.1 * i, i, state(i, i < 4 ? 2 : 3));
    writer.close();
  }
  const auto stacks = data_of_page(report(with_script)).head["stacks"];
  ASSERT_EQ(stacks.size(), 2u);
  EXPECT_EQ(stacks[0]["steps"], Json({0, 1, 2, 3}));
  EXPECT_EQ(stacks[1]["steps"].size(), 6u);
}

TEST_F(ReportTest, WithoutSummarySeriesAndFrames) {
  begin().close();
  for (const ReportOptions& options : {with_script, without_script}) {
    const std::string html = report(options);
    for (const char* part : {"<h1>Plain</h1>", "not finished", "No frames have been recorded",
                             "No curves have been recorded", "class=\"stage\" hidden"})
      EXPECT_TRUE(contains(html, part)) << part;
  }
  const auto data = data_of_page(report(with_script));
  EXPECT_TRUE(data.head["panels"].empty());
  EXPECT_TRUE(data.head["scene"].is_null());
  EXPECT_TRUE(data.head["stacks"].empty());
}

TEST_F(ReportTest, OfARunThatGoesOn) {
  RunWriter writer = begin();
  writer.write_text(scene_name, scene_json({}));
  writer.series_header(columns());
  simulate(writer, 0, 25);
  EXPECT_TRUE(contains(report(with_script), "21 of 21 frames"));  // up to the last checkpoint
}

TEST_F(ReportTest, SolverTableOfAResumedRun) {
  Json told = summary("x");
  begin().close();
  for (const bool is_resumed : {false, true}) {
    told["timing"]["resumed_from_step"] = is_resumed ? 5 : 0;
    write_file_atomically(run_ / summary_name, told.dump());
    const std::string html = report(without_script);
    EXPECT_EQ(contains(html, "<h2>Solver</h2>\n<p class=\"note\">Of the last session.</p>"), is_resumed);
  }
}

TEST_F(ReportTest, PaperUnfoldsTheScenario) {
  begin().close();
  for (const ReportOptions& options : {with_script, without_script})
    for (const char* part : {"<details><summary>", "addEventListener('beforeprint'",
                             "addEventListener('afterprint'", ":root:not(.printing) {"})
      EXPECT_TRUE(contains(report(options), part)) << part;
}

TEST_F(ReportTest, NothingFinite) {
  {
    RunWriter writer = begin();
    writer.write_text(scene_name, scene_json({}));
    writer.series_header(columns());
    for (int i = 0; i < 5; ++i) {
      writer.series_row(std::vector<double>{1.0 * i, i % 2 ? nan : std::numeric_limits<double>::infinity()});
      Archive frame;
      frame.put("bodies/position", std::vector<double>{nan, nan, nan}, {1, 3}, "m");
      writer.frame(i, i, frame);
    }
    writer.write_text(summary_name, R"({"status": 3, "metrics": [], "expectations": {}, "ledger": null})");
    writer.close();
  }
  report(without_script);
  const auto data = data_of_page(report(with_script));
  for (double value : data.arrays[data.head["stacks"][0]["fields"][0]["array"]])
    EXPECT_TRUE(std::isnan(value));
}

TEST_F(ReportTest, DamageIsAnIoError) {
  {
    RunWriter writer = begin();
    writer.write_text(summary_name, "{\"status\":");
    writer.close();
  }
  EXPECT_TRUE(
      contains(message_of<IoError>([&] { report_html(RunReader(run_)); }), "summary.json: is no JSON"));
}

TEST_F(ReportTest, SceneIsChecked) {
  {
    RunWriter writer = begin();
    writer.write_text(scene_name, R"({"bodies": 7})");
    writer.close();
  }
  EXPECT_TRUE(contains(message_of<IoError>([&] { report_html(RunReader(run_)); }),
                       "scene.json: not a description of a scene"));
}

TEST(HtmlTable, EscapesHeadings) {
  html::Table table({{"<b>"}, {"a & b", true}});
  EXPECT_TRUE(contains(table.html("x"),
                       "<th scope=\"col\">&lt;b&gt;</th><th scope=\"col\" class=\"n\">a &amp; b</th>"));
}

TEST_F(ReportTest, ManyGrainsStayWithinTheBudget) {
  constexpr std::size_t grains = 20'000;
  {
    RunWriter writer = begin();
    Scene scene;
    scene.spheres.push_back({"sand", "sand/position", 0.01});
    writer.write_text(scene_name, scene_json(scene));
    Noise noise;
    std::vector<double> position(3 * grains);
    for (double& x : position) x = noise.next();
    for (int i = 0; i < 300; ++i) {
      for (double& x : position) x += 0.01 * noise.next();
      Archive frame;
      frame.put("sand/position", position, {grains, 3}, "m");
      writer.frame(0.1 * i, i, frame);
    }
    writer.close();
  }
  const std::string html = report(with_script);
  const auto stacks = data_of_page(html).head["stacks"];
  ASSERT_EQ(stacks.size(), 1u);
  EXPECT_GE(stacks[0]["steps"].size(), 4u);
  EXPECT_FALSE(contains(html, "without velocities")) << "there were none";
  EXPECT_EQ(stacks[0]["steps"].front(), 0);
  EXPECT_EQ(stacks[0]["steps"].back(), 299);
  ReportOptions tight = with_script;
  tight.replay_bytes = 1000;
  EXPECT_TRUE(contains(report_html(RunReader(run_), tight), "too large for a report; use hardpan view"));
}

TEST_F(ReportTest, VelocitiesGoBeforeFramesDo) {
  {
    RunWriter writer = begin();
    writer.write_text(scene_name, scene_json({}));
    Noise noise;
    for (int i = 0; i < 100; ++i) {
      Archive frame = state(i, 50);
      std::vector<double> velocity(150);
      for (double& x : velocity) x = noise.next();
      frame.put("bodies/velocity", velocity, {50, 3}, "m/s");
      writer.frame(0.1 * i, i, frame);
    }
    writer.close();
  }
  ReportOptions tight = with_script;
  tight.replay_bytes = 20'000;
  const std::string html = report(tight);
  EXPECT_TRUE(contains(html, "100 of 100 frames, without velocities and forces; hardpan view shows all"));
  EXPECT_EQ(data_of_page(html).head["stacks"][0]["fields"].size(), 2u);
}

TEST_F(ReportTest, ALargeSceneCounts) {
  {
    RunWriter writer = begin();
    Scene scene;
    SceneMesh mesh;
    Noise noise;
    for (int i = 0; i < 60'000; ++i) mesh.points.push_back({noise.next(), noise.next(), noise.next()});
    scene.bodies.push_back({"mesh", {{mesh}}, 1, false});
    writer.write_text(scene_name, scene_json(scene));
    frame(writer, 0);
    writer.close();
  }
  const std::string html = report(with_script);
  EXPECT_TRUE(contains(html, "too large for a report"));
  EXPECT_TRUE(data_of_page(html).head["scene"].is_null());
}

TEST_F(ReportTest, ManyLongCurvesStayWithinTheBudget) {
  constexpr std::size_t columns = 200, rows = 10'000;
  {
    RunWriter writer = begin();
    std::vector<Column> header = {{"time", "s"}};
    for (std::size_t i = 0; i < columns; ++i) header.push_back({"thing" + std::to_string(i) + ".value", "m"});
    writer.series_header(header);
    Noise noise;
    std::vector<double> row(columns + 1);
    for (std::size_t i = 0; i < rows; ++i) {
      for (double& x : row) x = noise.next();
      row[0] = static_cast<double>(i);
      writer.series_row(row);
    }
    writer.close();
  }
  const auto data = data_of_page(report(with_script));
  EXPECT_EQ(data.head["panels"].size(), columns);
  const auto& x = data.arrays[data.head["panels"][0]["curves"][0]["x"]];
  EXPECT_GT(x.size(), 100u);
  EXPECT_EQ(x.back(), rows - 1);
  EXPECT_FALSE(contains(report(without_script), "of 200 panels"));
}

TEST_F(ReportTest, TooManyPanelsAreCutWithANote) {
  constexpr std::size_t columns = 60'000;
  {
    RunWriter writer = begin();
    std::vector<Column> header = {{"time", "s"}};
    std::vector<double> row(columns + 1);
    Noise noise;
    for (double& x : row) x = noise.next();
    for (std::size_t i = 0; i < columns; ++i) header.push_back({"thing" + std::to_string(i) + ".value", "m"});
    writer.series_header(header);
    writer.series_row(row);
    writer.series_row(row);
    writer.close();
  }
  for (const ReportOptions& options : {with_script, without_script})
    EXPECT_TRUE(contains(report(options), "of 60000 panels; the others are in series.csv"));
}

TEST_F(ReportTest, LongTextsAreCutWithANote) {
  std::string scenario;
  for (int i = 0; i < 100'000; ++i) scenario += "  - <ü>: 1\n";
  {
    RunWriter writer = begin(scenario);
    Json json = summary("long");
    json["title"] = std::string(1'000'000, 'x');
    for (int i = 0; i < 10'000; ++i) json["metrics"]["metric" + std::to_string(i)] = i;
    writer.write_text(summary_name, json.dump());
    writer.close();
  }
  const std::string html = report(with_script);
  EXPECT_LT(html.size(), 600'000 + 2 * (pages::script.size() + pages::style.size()));
  EXPECT_TRUE(contains(html, "too long for this page"));
  EXPECT_TRUE(contains(html, "more: see summary.json"));
}

TEST(Evenly, KeepsTheEnds) {
  using Picks = std::vector<std::uint64_t>;
  EXPECT_EQ(evenly(0, 5), Picks());
  EXPECT_EQ(evenly(1, 5), Picks({0}));
  EXPECT_EQ(evenly(10, 1), Picks({9}));
  EXPECT_EQ(evenly(10, 2), Picks({0, 9}));
  EXPECT_EQ(evenly(5, 5), Picks({0, 1, 2, 3, 4}));
  EXPECT_EQ(evenly(9, 5), Picks({0, 2, 4, 6, 8}));
}

}  // namespace
}  // namespace hardpan::record
