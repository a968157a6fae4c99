#include "hardpan/scenario/yaml_reader.h"

#include <chrono>

#include <gtest/gtest.h>
#include <unistd.h>

#include "hardpan/core/file.h"
#include "hardpan/scenario/test_scenarios.h"

namespace hardpan::scenario {
namespace {

namespace fs = std::filesystem;

using testing::message_of;

std::string repeated(const std::string& text, int count) {
  std::string all;
  for (int i = 0; i < count; ++i) all += text;
  return all;
}

struct BadText {
  std::string text;
  const char* place;
  const char* fragment;
};

TEST(YamlReader, RefusesWithPlaceAndReason) {
  const BadText cases[] = {
      {"a: 1\nb: 2\na: 3\n", "f:3:1", "duplicate key 'a', its first value is at line 1"},
      {"a: {b: 1, b: 2}", "f:1:11", "duplicate key 'b'"},
      {"a: 1\n<<: {b: 1}\n", "f:2:1", "merge keys (<<) are not accepted"},
      {"a: &x 1\n", "f:1:4", "write the value out or use include"},
      {"a: &x {b: 1}\nc: *x\n", "f:1:4", "anchors"},
      {"a: *x\n", "f:1:4", "anchors (&) and aliases (*)"},
      {"a: !!str 1\n", "f:1:4", "tag"},
      {"a: !mine [1]\n", "f:1:4", "'!mine' is not accepted"},
      {"a: !mine {b: 1}\n", "f:1:4", "tag"},
      {"a: 1\n---\nb: 2\n", "f:2:1", "a scenario is one YAML document"},
      {"", "f:1:1", "the document is empty"},
      {"# only a comment\n", "f:1:1", "the document is empty"},
      {"---\n", "f:1:1", "the document is empty"},
      {"- 1\n- 2\n", "f:1:1", "must be a map of keys such as 'time:', found a list of 2"},
      {"just words", "f:1:1", "found the text 'just words'"},
      {"? [1, 2]\n: 3\n", "f:1:3", "a key must be plain text"},
      {"{[1]: 2}", "f:1:2", "a key must be plain text"},
      {"? {a: 1}\n: 3\n", "f:1:3", "a key must be plain text"},
      {"~: 1\n", "f:1:1", "a key is missing"},
      {"a: .nan\n", "f:1:4", "not a finite number"},
      {"a: [1, -.inf]\n", "f:1:8", "'-.inf' is not a finite number"},
      {"a: inf\n", "f:1:4", "quote it if it is meant as text"},
      {"a: 1e999\n", "f:1:4", "outside the range of double precision"},
      {"a: \xff\n", "f:1:4", "byte 0xff is not valid UTF-8"},
      {"a: 1\nb: \xc0\xaf\n", "f:2:4", "not valid UTF-8"},
      {"a: \xed\xa0\x80\n", "f:1:4", "not valid UTF-8"},
      {std::string("a: \0b", 5), "f:1:4", "control character (byte 0x00)"},
      {"a: 1\n\x04z: 2\n", "f:2:1", "control character (byte 0x04)"},
      {"a:\n\tb: 1\n", "f:2:", "tab"},
      {"a: [1, 2\n", "f:", "'['"},
      {"a: {b: 1\n", "f:", "'{'"},
      {"a: \"open\n", "f:", "quoted text is not closed"},
      {"a: 'open\n\n", "f:", "quoted text is not closed"},
      {"a: 1\n  b: 2\n", "f:2:4", "check the indentation"},
      {"a: ]\n", "f:1:4", "closing bracket"},
      {"a: b: c\n", "f:1:5", "quote text that contains ': '"},
      {"a: @b\n", "f:1:4", "quote the text"},
      {"a: 1\n- 2\n", "f:2:1", "f:2:1"},
      {repeated("k", 129) + ": 1\n", "f:1:1", "at most 128 bytes"},
      {"a: " + repeated("[", 33) + repeated("]", 33), "f:1:35", "nested deeper than the allowed 32 levels"},
      {std::string(max_file_bytes + 1, ' '), "f", "larger than the allowed 8 MiB"},
  };
  for (const BadText& bad : cases) {
    const std::string message = message_of([&] { parse_yaml(bad.text, "f"); });
    EXPECT_EQ(message.rfind(bad.place, 0), 0u) << bad.text.substr(0, 60) << "\n" << message;
    EXPECT_NE(message.find(bad.fragment), std::string::npos) << bad.text.substr(0, 60) << "\n" << message;
  }
}

TEST(YamlReader, KnowsWhereThingsStand) {
  const Value root =
      parse_yaml("\xef\xbb\xbf# with a byte order mark\na:\n  b: [1, two]\n  c:\nd: 'true'\n", "dir/f.yaml");
  EXPECT_EQ(root.at("a").at("b").mark().text(), "dir/f.yaml:3:6");
  EXPECT_EQ(root.at("a").at("b").items()[1].mark().text(), "dir/f.yaml:3:10");
  EXPECT_EQ(root.at("a").find_entry("c")->key_place.mark().text(), "dir/f.yaml:4:3");
  EXPECT_TRUE(root.at("a").at("c").is(Value::Type::null));
  EXPECT_EQ(root.at("a").at("c").mark().line, 4);
  EXPECT_EQ(root.at("d").text(), "true");
}

TEST(YamlReader, DeepNestingNeitherCrashesNorHangs) {
  for (const char* opening : {"[", "{a: ", "- ", "{", "? ", "[a: ", "{? ", "- [", "a: [", "!", "&a ", "\""}) {
    const std::string deep = repeated(opening, 100'000);
    EXPECT_THROW(parse_yaml(deep, "f"), InputError) << opening;
    EXPECT_THROW(parse_yaml("a: " + deep, "f"), InputError) << opening;
    EXPECT_THROW(parse_flow_value(deep, "f"), InputError) << opening;
  }
}

TEST(YamlReader, ManyKeysAreQuick) {
  std::string text;
  for (int i = 0; i < 100'000; ++i) text += "key" + std::to_string(i) + ": 1\n";
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(parse_yaml(text, "f").entries().size(), 100'000u);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(2));
}

class IncludeTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::temp_directory_path() /
              (std::string("hardpan-include-") + info->name() + std::to_string(::getpid()));
    fs::create_directories(folder_ / "parts");
  }
  void TearDown() override { fs::remove_all(folder_); }
  void write(const std::string& name, const std::string& text) {
    write_file_atomically(folder_ / name, text);
  }
  Value read(const std::string& name) { return read_scenario(folder_ / name); }
  std::string error(const std::string& name) {
    return message_of([&] { read(name); });
  }
  std::string path(const std::string& name) { return (folder_ / name).string(); }

  fs::path folder_;
};

TEST_F(IncludeTest, MergesDeeplyAndTheIncludingFileWins) {
  write("main.yaml", "include: [parts/a.yaml, parts/b.yaml]\ntime: {end: 3}\nlist: [9]\n");
  write("parts/a.yaml", "include: c.yaml\ntime: {end: 1, step: 0.1}\nlist: [1, 2]\nx: a\n");
  write("parts/b.yaml", "time: {step: 0.2}\nx: b\ny: {z: 1}\n");
  write("parts/c.yaml", "deep: true\nx: c\n");
  const Value root = read("main.yaml");
  EXPECT_FALSE(root.find("include"));
  EXPECT_EQ(root.at("time").at("end").integer(), 3);
  EXPECT_EQ(root.at("time").at("step").number(), 0.2);
  EXPECT_EQ(root.at("list"), Value::numbers({9}));
  EXPECT_EQ(root.at("x").text(), "b");
  EXPECT_TRUE(root.at("deep").boolean());
  EXPECT_EQ(root.at("y").mark().text(), path("parts/b.yaml") + ":3:4");
}

TEST_F(IncludeTest, MissingFilesPointAtTheIncludeLine) {
  write("main.yaml", "a: 1\ninclude: none.yaml\n");
  const std::string message = error("main.yaml");
  EXPECT_EQ(message.rfind(path("main.yaml") + ":2:10: include: ", 0), 0u) << message;
  EXPECT_NE(message.find("none.yaml"), std::string::npos);
  EXPECT_THROW(read("absent.yaml"), IoError);
}

TEST_F(IncludeTest, CyclesPrintTheChain) {
  write("a.yaml", "include: b.yaml\n");
  write("b.yaml", "include: parts/../a.yaml\n");
  const std::string message = error("a.yaml");
  EXPECT_NE(message.find("a file includes itself: "), std::string::npos) << message;
  EXPECT_NE(message.find("a.yaml -> "), std::string::npos) << message;
  write("self.yaml", "include: self.yaml\n");
  EXPECT_NE(error("self.yaml").find("includes itself"), std::string::npos);
}

TEST_F(IncludeTest, DepthAndNumberAreLimited) {
  for (int i = 0; i < 20; ++i)
    write("d" + std::to_string(i) + ".yaml", "include: d" + std::to_string(i + 1) + ".yaml\n");
  EXPECT_NE(error("d0.yaml").find("deeper than the allowed 16 levels"), std::string::npos);
  for (int i = 0; i < 12; ++i) {
    const std::string next = "w" + std::to_string(i + 1) + ".yaml";
    write("w" + std::to_string(i) + ".yaml", "include: [" + next + ", " + next + "]\n");
  }
  write("w12.yaml", "a: 1\n");
  EXPECT_NE(error("w0.yaml").find("more than the allowed 256 included files"), std::string::npos);
}

TEST_F(IncludeTest, BadIncludesAreRefused) {
  write("a.yaml", "include: 3\n");
  EXPECT_NE(error("a.yaml").find(":1:10: include: expected a file name"), std::string::npos);
  write("b.yaml", "include: [a.yaml, {x: 1}]\n");
  EXPECT_NE(error("b.yaml").find("found a map"), std::string::npos);
  write("c.yaml", "include: parts\n");
  EXPECT_NE(error("c.yaml").find("cannot be read"), std::string::npos);
  write("big.yaml", std::string(max_file_bytes + 1, '#'));
  write("d.yaml", "include: big.yaml\n");
  EXPECT_NE(error("d.yaml").find("big.yaml: larger than the allowed 8 MiB"), std::string::npos);
}

TEST(Override, SetsThroughMapsAndLists) {
  Value root = parse_yaml("time: {end: 1}\nlist: [{x: 1}, 2]\n", "f");
  apply_override(root, "time.end=2.5");
  apply_override(root, "list.0.x=[1, 2]");
  apply_override(root, "new.deep.key={kind: box}");
  apply_override(root, "title=two words  # and a comment");
  apply_override(root, "note=\"a, b\"");
  apply_override(root, "eq=a=b");
  EXPECT_EQ(root.at("time").at("end").number(), 2.5);
  EXPECT_EQ(root.at("time").at("end").mark().text(), "--set time.end=2.5");
  EXPECT_EQ(root.at("list").items()[0].at("x"), Value::numbers({1, 2}));
  EXPECT_EQ(root.at("new").at("deep").at("key").at("kind").text(), "box");
  EXPECT_EQ(root.at("title").text(), "two words");
  EXPECT_EQ(root.at("note").text(), "a, b");
  EXPECT_EQ(root.at("eq").text(), "a=b");
}

TEST(Override, RefusesWithTheAssignment) {
  const std::pair<std::string, const char*> cases[] = {
      {"time.end", "expected path=value"},
      {"=1", "expected path=value"},
      {"a..b=1", "empty or overlong part"},
      {".a=1", "empty or overlong part"},
      {"time.end=", "the value is missing"},
      {"time.end=1, 2", "write [a, b] for a list"},
      {"time.end=[1", "is a bracket left open?"},
      {"time.end=1] [2", "time.end"},
      {"time.end=.nan", "not a finite number"},
      {"time.end=&a 1", "anchors"},
      {"list.2=1", "'2' is not an index of a list of 2"},
      {"list.x=1", "'x' is not an index"},
      {"time.end.x=1", "cannot be set inside the number 1"},
      {"a=\xff", "UTF-8"},
      {repeated("a.", 40) + "a=1", "deeper than the allowed 32 levels"},
  };
  for (const auto& [assignment, fragment] : cases) {
    Value root = parse_yaml("time: {end: 1}\nlist: [1, 2]\n", "f");
    const std::string message = message_of([&] { apply_override(root, assignment); });
    EXPECT_EQ(message.rfind("--set " + assignment.substr(0, 80), 0), 0u) << message;
    EXPECT_NE(message.find(fragment), std::string::npos) << message;
  }
}

}  // namespace
}  // namespace hardpan::scenario
