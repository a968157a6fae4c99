#include "hardpan/record/compare.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "hardpan/record/page.h"
#include "hardpan/record/scenario_keys.h"
#include "hardpan/record/test_files.h"
#include "hardpan/record/test_pages.h"

namespace hardpan::record {
namespace {

using namespace testing;

namespace fs = std::filesystem;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

Table table(std::vector<Column> columns, std::size_t rows) {
  Table out{std::move(columns), {}};
  for (std::size_t i = 0; i < rows; ++i)
    out.rows.emplace_back(out.columns.size(), 0.5 * static_cast<double>(i));
  return out;
}

std::vector<std::string> labels_of(const Panel& panel) {
  std::vector<std::string> labels;
  for (const Curve& curve : panel.curves) labels.push_back(curve.label);
  return labels;
}

TEST(ComparePanels, DifferentColumnsAndLengths) {
  const std::vector<Table> series = {
      table({{"time", "s"}, {"bob.position.x", "m"}, {"slip", ""}}, 5),
      table({{"time", "s"}, {"bob.position.y", "m"}, {"bob.position.x", "m"}}, 9),
      {}};
  const std::vector<Panel> panels = compare_panels(series, std::vector<std::string>{"a", "b", "c"});
  ASSERT_EQ(panels.size(), 2u);
  EXPECT_EQ(panels[0].title, "bob.position");
  EXPECT_EQ(labels_of(panels[0]), (std::vector<std::string>{"a: x", "b: x", "b: y"}));
  EXPECT_EQ(panels[0].curves[0].x.size(), 5u);
  EXPECT_EQ(panels[0].curves[1].x.size(), 9u);
  EXPECT_EQ(panels[1].title, "slip");
  EXPECT_EQ(labels_of(panels[1]), (std::vector<std::string>{"a"}));
}

TEST(ComparePanels, UnitsAreNotMixed) {
  const std::vector<Table> series = {table({{"time", "s"}, {"a.x", "m"}}, 2),
                                     table({{"time", "s"}, {"a.x", "mm"}}, 2)};
  EXPECT_EQ(compare_panels(series, std::vector<std::string>{"a", "b"}).size(), 2u);
}

TEST(Difference, IsAbsoluteAndRelative) {
  EXPECT_EQ(difference(2.25, 2.0), "+0.25 (+12.5 %)");
  EXPECT_EQ(difference(-3.0, -2.0), "-1 (-50 %)");
  EXPECT_EQ(difference(1.0, 0.0), "+1");
  EXPECT_EQ(difference(1.0, 1.0), "same");
  EXPECT_EQ(difference(nan, 1.0), "");
  EXPECT_EQ(difference({}, 1.0), "");
  EXPECT_EQ(difference(1.0, {}), "");
}

TEST(RunLabels, AreUnique) {
  const std::vector<fs::path> folders = {"/r/a/run", "/r/b/run", "/r/c", "/r/c", "/r/b/run/"};
  const auto labels = run_labels(folders);
  EXPECT_EQ(labels[0], "a/run");
  EXPECT_EQ(labels[1], "b/run");
  EXPECT_EQ(labels[2], "c");
  EXPECT_EQ(labels[3], "c (2)");
  EXPECT_EQ(std::set<std::string>(labels.begin(), labels.end()).size(), 5u);
}

TEST(ScenarioKeys, AreThoseOfSet) {
  const auto keys = scenario_keys(
      "hardpan: 1\ntitle: \"a: b\"\nbodies:\n  bob:\n    mass: 2\n    shape:\n      kind: box\n  \"x: y\":\n"
      "    at: [1, 2]\noutputs:\n  - field: position\n    every: 0.1\n  - field: frames\n    list:\n      - "
      "1\n      - 2\n"
      "expect: []\n");
  std::string text;
  for (const KeyValue& pair : keys) text += pair.key + "=" + pair.value + "\n";
  EXPECT_EQ(text,
            "hardpan=1\ntitle=\"a: b\"\nbodies.bob.mass=2\nbodies.bob.shape.kind=box\nbodies.x: y.at=[1, 2]\n"
            "outputs.0.field=position\noutputs.0.every=0.1\noutputs.1.field=frames\noutputs.1.list.0=1\n"
            "outputs.1.list.1=2\nexpect=[]\n");
  EXPECT_EQ(scenario_title("a: 1\ntitle: \"Two words\"\n"), "Two words");
  EXPECT_EQ(scenario_title(""), "");
  EXPECT_EQ(scenario_title("title: 'single'\n"), "single");
  EXPECT_EQ(scenario_title("title: \"\n"), "\"");
  EXPECT_EQ(scenario_title(R"(title: "Bob's \"best\" run: 1\\2\n\x09\xzz\")"),
            "Bob's \"best\" run: 1\\2\n\txzz\\");
}

TEST(ScenarioKeys, TakesAnyText) {
  EXPECT_TRUE(rc::check([] {
    const auto text = *rc::gen::container<std::string>(rc::gen::elementOf(std::string(" -:\n\"'\\a0[")));
    scenario_keys(text);
    RC_ASSERT(differences({text, text}).empty());
  }));
}

TEST(ScenarioKeys, Differences) {
  const auto found = differences({"a: 1\nb: 2\n", "a: 1\nb: 3\nc: 4\n"});
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].key, "b");
  EXPECT_EQ(found[0].values, (std::vector<std::string>{"2", "3"}));
  EXPECT_EQ(found[1].values, (std::vector<std::string>{"", "4"}));
}

class CompareTest : public RecordTest {
 protected:
  void make(const std::string& name, const std::string& scenario, const std::string& column, int last,
            const std::string& summary) {
    RunIdentity who = identity();
    who.scenario_text = scenario;
    RunWriter writer = RunWriter::create(base_ / name, who, false);
    writer.series_header(std::vector<Column>{{"time", "s"}, {column, "m"}});
    for (int i = 0; i <= last; ++i) row(writer, i);
    if (!summary.empty()) writer.write_text(summary_name, summary);
    writer.close();
  }

  std::string page(const std::vector<std::string>& names, bool with_pages) {
    std::vector<RunReader> runs;
    for (const std::string& name : names) runs.emplace_back(base_ / name);
    const std::string html = compare_html(runs, {.with_pages = with_pages});
    expect_balanced(html);
    EXPECT_TRUE(is_page(html, "compare"));
    return html;
  }
};

TEST_F(CompareTest, RunsSideBySide) {
  make("a", "title: A\nmass: 1\n", "bob.x", 10,
       R"({"status":"done","metrics":{"energy_J":2,"only_a_m":1},"timing":{"phases_s":{"solve":1}},
           "expectations":[{"metric":"energy_J","low":1,"high":3,"status":"passed"}]})");
  make("b</script>&", "title: A\nmass: 2\n", "bob.x", 20,
       R"({"status":"diverged","metrics":{"energy_J":2.5,"bad_J":null}})");
  make("c", "title: A\nmass: 1\n", "bob.y", 5, "");
  for (bool with_pages : {true, false}) {
    const std::string html = page({"a", "b</script>&", "c"}, with_pages);
    for (const char* part :
         {"+0.5 (+25 %)", "only_a_m", "bad_J", "not a number", "passed", "diverged", "not finished",
          "<th scope=\"row\">mass</th><td>1</td><td>2</td><td>1</td>", "solve [s]"})
      EXPECT_TRUE(contains(html, part)) << part;
    EXPECT_FALSE(contains(html, "no curves in common"));
  }
  const auto data = data_of_page(page({"a", "b</script>&", "c"}, true));
  ASSERT_EQ(data.head["panels"].size(), 1u);
  const Json& curves = data.head["panels"][0]["curves"];
  ASSERT_EQ(curves.size(), 3u);
  EXPECT_EQ(curves[0]["label"], "a: x");
  EXPECT_EQ(data.arrays[curves[1]["x"]].size(), 21u);
}

TEST_F(CompareTest, NothingInCommon) {
  make("a", "title: A\n", "one", 3, "");
  make("b", "title: A\n", "two", 3, "");
  const std::string html = page({"a", "b"}, true);
  for (const char* part :
       {"no curves in common", "The resolved scenarios are the same", "No run has metrics yet"})
    EXPECT_TRUE(contains(html, part)) << part;
  EXPECT_EQ(data_of_page(html).head["panels"].size(), 2u);
}

TEST_F(CompareTest, ManyDifferencesAreCut) {
  std::string a, b;
  for (int i = 0; i < 1000; ++i) {
    a += "k" + std::to_string(i) + ": 1\n";
    b += "k" + std::to_string(i) + ": 2\n";
  }
  make("a", a, "x", 1, "");
  make("b", b, "x", 1, "");
  EXPECT_TRUE(contains(page({"a", "b"}, false), "800 more keys differ"));
}

}  // namespace
}  // namespace hardpan::record
