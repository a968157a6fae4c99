#include "hardpan/scenario/initial.h"

#include <cstdlib>

#include <fmt/core.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "hardpan/scenario/build.h"
#include "hardpan/scenario/merge.h"
#include "hardpan/scenario/test_scenarios.h"
#include "hardpan/scenario/yaml_reader.h"

namespace hardpan::scenario {
namespace {

using testing::message_of;
namespace fs = std::filesystem;

// A folder and, for its life, the cache.
class Folder {
 public:
  Folder() : path(fs::temp_directory_path() / fmt::format("hardpan_initial_test_{}", ::getpid())) {
    fs::remove_all(path);
    fs::create_directories(path);
    setenv("HARDPAN_CACHE", (path / "cache").c_str(), 1);
  }
  ~Folder() {
    unsetenv("HARDPAN_CACHE");
    fs::remove_all(path);
  }
  std::size_t prepared() const {
    std::size_t count = 0;
    if (fs::exists(path / "cache" / "prepared"))
      for ([[maybe_unused]] const auto& entry : fs::directory_iterator(path / "cache" / "prepared")) ++count;
    return count;
  }
  const fs::path path;
};

// Grains fall for a time without friction, and then on.
const std::string text = R"(hardpan: 1
time: {end: 0.01, step: 2.0e-4}
materials:
  sand: {density: 2500, young: 5.0e+6, poisson: 0.25, friction: 0.5, restitution: 0.3}
bodies:
  floor: {fixed: true, shape: {kind: plane}, material: sand}
  ball: {mass: 1, shape: {kind: sphere, radius: 0.02}, position: [0, 0, 1]}
ground:
  model: grains-penalty
  material: sand
  diameter: 0.01
  fill: {low: [0, 0, 0.01], high: [0.05, 0.05, 0.05]}
)";
const std::string prepared =
    text + "initial:\n  prepare: {time: {end: 0.1}, materials: {sand: {friction: 0}}}\n";
const std::string fall = "expect: [{field: position.z, of: ball, between: [0, 1], source: none}]\n";

double height(const RunResult& result) { return result.outcomes.front().value; }

TEST(Merge, LaysOneTreeOverAnother) {
  Value base = parse_yaml("a: {b: 1, c: {d: 2}}\ne: [1, 2]\nf: 3\n", "f");
  merge(base, parse_yaml("a: {c: {d: 4}, g: 5}\ne: [3]\nf: null\nh: null\n", "f"));
  EXPECT_EQ(to_yaml(base), to_yaml(parse_yaml("a: {b: 1, c: {d: 4}, g: 5}\ne: [3]\nh: null\n", "f")));
}

TEST(Initial, PreparesOnceAndBeginsAtZero) {
  const Folder folder;
  const RunResult first = run(load_text(prepared + fall, "f"), {});
  EXPECT_EQ(first.steps, 50);
  EXPECT_EQ(folder.prepared(), 1u);
  // 0.1 s of falling before, 0.01 s now.
  EXPECT_NEAR(height(first), 1 - 0.5 * 9.81 * 0.11 * 0.11, 0.11 * 9.81 * 2e-4);
  EXPECT_NEAR(first.ledger.turnover, first.ledger.kinetic, 0.02);  // of this run, not of the preparation
  const RunResult second = run(load_text(prepared + fall, "f"), {});
  EXPECT_EQ(second.state_hash, first.state_hash);
  EXPECT_EQ(folder.prepared(), 1u);
  run(load_text(prepared + "seed: 3\n", "f"), {});  // another fill
  EXPECT_EQ(folder.prepared(), 2u);
}

TEST(Initial, ADamagedCacheIsMadeAnew) {
  const Folder folder;
  const RunResult first = run(load_text(prepared, "f"), {});
  for (const auto& entry : fs::directory_iterator(folder.path / "cache" / "prepared"))
    fs::resize_file(entry.path(), 1000);
  EXPECT_EQ(run(load_text(prepared, "f"), {}).state_hash, first.state_hash);
}

TEST(Initial, AnInterruptedPreparationGoesOn) {
  const Folder folder;
  const RunResult whole = run(load_text(prepared, "f"), {});
  fs::remove_all(folder.path / "cache");
  int steps = 0;
  RunOptions options;
  options.stop_requested = [&] { return ++steps > 200; };
  const RunResult stopped = run(load_text(prepared, "f"), options);
  EXPECT_EQ(stopped.status, Status::interrupted);
  EXPECT_FALSE(stopped.begun);
  EXPECT_EQ(folder.prepared(), 1u);
  steps = -1000000;
  int first = -1;
  options.on_progress = [&](const Progress& progress) {
    if (first < 0) first = static_cast<int>(progress.step);
  };
  EXPECT_EQ(run(load_text(prepared, "f"), options).state_hash, whole.state_hash);
  EXPECT_GT(first, 200);  // not from the beginning
  EXPECT_EQ(folder.prepared(), 1u);
}

TEST(Initial, StagesMayHaveStages) {
  const Folder folder;
  run(load_text(
          text + "initial: {prepare: {time: {end: 0.02}, initial: {prepare: {time: {end: 0.03}}}}}\n" + fall,
          "f"),
      {});
  EXPECT_EQ(folder.prepared(), 2u);
}

TEST(Initial, BeginsWithAnotherRun) {
  const Folder folder;
  RunOptions options;
  options.out = folder.path / "run";
  run(load_text(text, "f"), options);
  const std::string from = text + "initial: {from: " + options.out.string() + "}\n";
  EXPECT_NEAR(height(run(load_text(from + fall, "f"), {})), 1 - 0.5 * 9.81 * 0.02 * 0.02, 0.02 * 9.81 * 2e-4);
  EXPECT_EQ(message_of([&] { run(load_text(text + "initial: {from: /nowhere}\n", "f"), {}); }).substr(0, 31),
            "f:13:17: initial.from: /nowhere");
  const std::string other = "  fill: {low: [0, 0, 0.01], high: [0.05, 0.05, 0.03]}\n";
  std::string fewer = from;
  fewer.replace(fewer.find("  fill:"), other.size(), other);
  EXPECT_EQ(message_of([&] { run(load_text(fewer, "f"), {}); }).substr(0, 64),
            "f:13:10: initial: the state is of other bodies, joints or grains");
}

TEST(Initial, WrongChangesAreNamedAtOnce) {
  EXPECT_EQ(message_of([&] { load_text(text + "initial: {prepare: {time: {end: -1}}}\n", "f"); }),
            "f:13:20: initial.prepare: f:13:33: time.end: must be greater than 0 s, got -1");
  EXPECT_NE(message_of([&] {
              load_text(text + "initial: {prepare: {tim: {end: 1}}}\n", "f");
            }).find("unknown key 'tim'"),
            std::string::npos);
}

}  // namespace
}  // namespace hardpan::scenario
