#include "hardpan/scenario/run.h"

#include <cmath>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "hardpan/core/error.h"
#include "hardpan/core/file.h"
#include "hardpan/record/run_reader.h"
#include "hardpan/scenario/build.h"
#include "hardpan/solve/direct_solver.h"

namespace hardpan::scenario {
namespace {

namespace fs = std::filesystem;

const std::string pendulum = R"(hardpan: 1
title: Pendulum
time: {end: 0.5, step: 1.0e-3}
bodies:
  bob: {mass: 2.0, shape: {kind: sphere, radius: 0.1}, position: [1, 0, 0]}
joints:
  pivot: {kind: hinge, between: [world, bob], at: [0, 0, 0], axis: [0, 1, 0]}
outputs:
  - {field: position, of: bob}
  - {field: energy}
)";

class RunTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ =
        fs::temp_directory_path() / (std::string("hardpan-run-") + info->name() + std::to_string(::getpid()));
  }
  void TearDown() override { fs::remove_all(folder_); }
  RunOptions to_folder() const {
    RunOptions options;
    options.out = folder_;
    return options;
  }
  fs::path folder_;
};

TEST(Judge, ExtrapolatesAndMeasuresTheOrder) {
  Expectation e;
  e.target = 2.0;
  e.low = 1.999;
  e.high = 2.001;
  e.order = 0.9;
  const auto values = [](double c1, double c2) {
    std::vector<double> v;
    for (double h : {0.1, 0.05, 0.025, 0.0125}) v.push_back(2 + c1 * h + c2 * h * h);
    return v;
  };
  const Outcome first = judge(e, values(0.7, 0.3));
  EXPECT_TRUE(first.passed);
  EXPECT_NEAR(first.value, 2, 1e-12);
  EXPECT_NEAR(*first.order, 1, 0.05);
  EXPECT_NEAR(*judge(e, values(0, 5)).order, 2, 1e-9);
  EXPECT_FALSE(judge(e, {2.1, 2.09, 2.085, 2.0825}).passed);        // no convergence to 2
  EXPECT_FALSE(judge(e, {2.0001, 2.0002, 1.9999, 2.0002}).passed);  // close, but no order
  EXPECT_FALSE(judge(e, {std::nan(""), 2, 2, 2}).passed);
  e.order.reset();
  EXPECT_TRUE(judge(e, {2.0005}).passed);
  EXPECT_FALSE(judge(e, {2.0015}).passed);
}

TEST(StepCount, ReachesTheEndDespiteRounding) {
  EXPECT_EQ(step_count(1.0, 0.1), 10);
  EXPECT_EQ(step_count(10.0, 1e-4), 100000);
  EXPECT_EQ(step_count(0.35, 0.1), 4);
  EXPECT_EQ(step_count(0.3, 0.1), 3);
}

TEST_F(RunTest, WritesWhatTheDocsPromise) {
  const RunResult result = run(load_text(pendulum, "pendulum"), to_folder());
  EXPECT_EQ(result.status, Status::done);
  EXPECT_EQ(result.steps, 500);
  for (const char* name : {"scenario.yaml", "scene.json", "series.csv", "index.jsonl", "summary.json",
                           "curves.svg", "report.html", "frames-000000.h5", "checkpoint-000000000500.h5"})
    EXPECT_TRUE(fs::exists(folder_ / name)) << name;
  const record::RunReader reader(folder_);
  const record::Table series = reader.series();
  EXPECT_EQ(series.rows.size(), 51u);
  EXPECT_EQ(series.columns[1].name, "bob.position.x");
  EXPECT_EQ(series.columns[1].unit, "m");
  // The stored scenario is the same scenario.
  EXPECT_EQ(load(folder_ / "scenario.yaml").text, load_text(pendulum, "pendulum").text);
}

TEST_F(RunTest, StoppedAndResumedIsTheSameRun) {
  const Scenario scenario = load_text(
      pendulum + "expect:\n  - {field: position.x, of: bob, reduce: mean, between: [-1, 1], source: test}\n",
      "pendulum");
  const RunResult whole = run(scenario, {});
  int budget = 0;
  RunOptions options = to_folder();
  options.stop_requested = [&] { return budget-- <= 0; };
  for (int session = 0; session < 20; ++session) {
    budget = 37;
    options.resume = session > 0;
    const RunResult part = run(scenario, options);
    if (part.status == Status::interrupted) continue;
    EXPECT_EQ(part.state_hash, whole.state_hash);
    EXPECT_EQ(part.outcomes[0].value, whole.outcomes[0].value);
    EXPECT_GT(part.resumed_from, 0);
    const record::Table series = record::RunReader(folder_).series();
    EXPECT_EQ(series.rows.size(), 51u);
    return;
  }
  FAIL() << "never finished";
}

TEST_F(RunTest, AnotherScenarioCannotTakeItUp) {
  ASSERT_EQ(run(load_text(pendulum, "pendulum"), to_folder()).status, Status::done);
  RunOptions options = to_folder();
  EXPECT_THROW(run(load_text(pendulum, "pendulum"), options), InputError);  // not empty
  options.resume = true;
  std::string other = pendulum;
  other.replace(other.find("mass: 2.0"), 9, "mass: 2.5");
  EXPECT_THROW(run(load_text(other, "pendulum"), options), IoError);
}

TEST_F(RunTest, DivergenceKeepsTheLastGoodState) {
  // 1,000 kg on light links: beyond the geometric limit of the step (docs/models/multibody.md).
  std::ostringstream text;
  text << "hardpan: 1\ntime: {end: 2, step: 1.0e-3}\nbodies:\n";
  for (int i = 0; i < 10; ++i)
    text << "  l" << i
         << ": {mass: 0.1, shape: {kind: cylinder, radius: 0.01, length: 0.1}, position: [0, 0, "
         << -0.05 - 0.1 * i << "], velocity: [" << (i == 4 ? 0.01 : 0) << ", 0, 0]}\n";
  text << "  load: {mass: 1000, shape: {kind: sphere, radius: 0.2}, position: [0, 0, -1]}\njoints:\n";
  for (int i = 0; i <= 10; ++i)
    text << "  j" << i << ": {kind: ball, between: [" << (i == 0 ? "world" : "l" + std::to_string(i - 1))
         << ", " << (i == 10 ? "load" : "l" + std::to_string(i)) << "], at: [0, 0, " << -0.1 * i << "]}\n";
  const RunResult result = run(load_text(text.str(), "chain"), to_folder());
  EXPECT_EQ(result.status, Status::diverged);
  EXPECT_FALSE(result.reason.empty());
  const record::RunReader reader(folder_);
  ASSERT_FALSE(reader.checkpoints().empty());
  const auto state = reader.read(reader.checkpoints().back());
  ASSERT_TRUE(state);
  for (double x : std::get<std::vector<double>>(state->find("bodies/position")->values))
    EXPECT_TRUE(std::isfinite(x));
  EXPECT_NE(reader.text("summary.json")->find("diverged"), std::string::npos);
}

TEST(Run, NothingThatMovesIsFineToo) {
  EXPECT_EQ(run(load_text("hardpan: 1\ntime: {end: 0.1}\n", "empty"), {}).steps, 100);
  EXPECT_EQ(
      run(load_text("hardpan: 1\ntime: {end: 0.1}\nbodies: {b: {mass: 1, inertia: [1, 1, 1], fixed: true}}\n",
                    "fixed"),
          {})
          .status,
      Status::done);
}

// A soft joint that is let go relaxes slowly: no sign of a joint that comes apart, and its damper's work is
// no loss.
TEST(Run, BushingIsLoadedAndReleased) {
  const RunResult result = run(load_text(R"(hardpan: 1
gravity: [0, 0, 0]
time: {end: 3, step: 1.0e-3}
bodies: {a: {mass: 1, shape: {kind: sphere, radius: 0.1}, position: [0.5, 0, 0]}}
joints: {s: {kind: ball, between: [world, a], at: [0, 0, 0], compliance: 0.01, damping_time: 0.3}}
loads: {f: {kind: force, body: a, force: [20, 0, 0], until: 1}}
expect:
  - {field: violation, of: s, at: 1, equals: 0.2, tolerance: 0.01, source: "compliance times force"}
  - {field: reaction.x, of: s, reduce: max, between: [0, 20], source: "after release it pushes back less than it was pulled"}
)",
                                         "bushing"),
                               {});
  EXPECT_EQ(result.status, Status::done) << result.reason;
  EXPECT_TRUE(result.expectations_met()) << result.outcomes[0].value << " " << result.outcomes[1].value;
  EXPECT_GT(result.ledger.dissipated(), 0.9 * result.ledger.loads.work);
  EXPECT_LT(std::abs(result.ledger.lost()), 0.05 * result.ledger.loads.work);
}

TEST(Build, GivesWhatTheScenarioSays) {
  const Scenario scenario = load_text(R"(hardpan: 1
gravity: [0, 0, -1]
time: {end: 1, step: 0.01}
bodies:
  a:
    density: 2
    shape: {kind: box, size: [1, 2, 3]}
    position: [1, 2, 3]
    orientation: {yaw_deg: 90, pitch_deg: 0, roll_deg: 0}
    velocity: [0.1, 0.2, 0.3]
    angular_velocity: [0, 0, 2]
  b: {mass: 1, inertia: [3, 4, 5, 0.1, 0.2, 0.3], fixed: true}
joints:
  s: {kind: spring, between: [a, b], points: [[1, 2, 4], [0, 0, 0]], stiffness: 7, damping: 0.5}
loads:
  f: {kind: force, body: a, force: [1, 0, 0], at: [0, 1, 0], from: 0.1, until: 0.2}
)",
                                      "build");
  const auto simulation = build(scenario.resolved);
  const multibody::Model& model = simulation->bodies.model();
  const multibody::Body& a = model.bodies[0];
  EXPECT_DOUBLE_EQ(a.mass, 12);
  EXPECT_NEAR(a.inertia(0, 0), 12 * (4 + 9) / 12.0, 1e-12);
  EXPECT_LT((a.pose.turned(Vec3::UnitX()) - Vec3::UnitY()).norm(), 1e-15);
  EXPECT_TRUE(model.bodies[1].fixed);
  EXPECT_DOUBLE_EQ(model.bodies[1].inertia(2, 1), 0.3);
  EXPECT_DOUBLE_EQ(model.bodies[1].inertia(0, 1), 0.1);
  const auto& spring = std::get<std::vector<multibody::LineJoint>>(model.joints)[0];
  EXPECT_DOUBLE_EQ(std::get<std::vector<multibody::Elastic>>(model.couplings)[0].rest, std::sqrt(21.0));
  EXPECT_LT((a.pose.point(spring.s_A) - Vec3(1, 2, 4)).norm(), 1e-15);
  EXPECT_DOUBLE_EQ(model.loads[0].until, 0.2);
  // Angular momentum follows from the world angular velocity and the turned inertia.
  EXPECT_NEAR(simulation->bodies.state().angular_momentum[0].z(), 2 * a.inertia(2, 2), 1e-12);
  EXPECT_EQ(simulation->step_count, 100);
}

// The rows of one array in the last frame of a run.
std::vector<double> last_of(const fs::path& folder, const char* name, std::size_t size) {
  const record::RunReader reader(folder);
  const auto segment = reader.read(reader.segments().back());
  std::vector<double> values(size);
  segment->frame(segment->frames() - 1).get(name, values);
  return values;
}

TEST_F(RunTest, FramesTellWhereJointsAreAndWhatTheyCarry) {
  const Scenario scenario = load_text(R"(hardpan: 1
title: A rod on a hinge, and a spring
time: {end: 0.4, step: 1.0e-3}
bodies:
  rod: {mass: 2.0, shape: {kind: box, size: [1, 0.1, 0.1]}, position: [0.5, 0, 0]}
joints:
  pivot: {kind: hinge, between: [rod, world], at: [0, 0, 0], axis: [0, 1, 0]}
  back: {kind: spring, between: [world, rod], points: [[1, 0, 1], [1, 0, 0]], stiffness: 20, length: 1}
outputs:
  - {field: reaction, of: pivot}
  - {field: reaction, of: back}
  - {field: position, of: rod}
)",
                                      "rod");
  run(scenario, to_folder());
  const auto position = last_of(folder_, "joints/position", 6), end = last_of(folder_, "joints/end", 6);
  const auto orientation = last_of(folder_, "joints/orientation", 8);
  const auto force = last_of(folder_, "joints/force", 6);
  const record::Table series = record::RunReader(folder_).series();
  const std::vector<double>& row = series.rows.back();  // time, reactions of pivot and back, position
  const Vec3 middle(row[7], row[8], row[9]);
  for (std::size_t c = 0; c < 6; ++c) EXPECT_EQ(force[c], row[1 + c]);
  for (std::size_t c = 0; c < 3; ++c) {
    EXPECT_NEAR(position[c], 0, 1e-5);                                        // the pivot, on the rod
    EXPECT_EQ(end[c], 0);                                                     // and in the world
    EXPECT_EQ(position[3 + c], c == 1 ? 0 : 1);                               // the spring, in the world
    EXPECT_NEAR(end[3 + c], 2 * middle[static_cast<Eigen::Index>(c)], 1e-4);  // and at the tip of the rod
  }
  const Quat axes(orientation[0], orientation[1], orientation[2], orientation[3]);
  EXPECT_NEAR((axes * Vec3::UnitZ() - Vec3::UnitY()).norm(), 0, 1e-6);  // z along the hinge
  EXPECT_GT(std::abs(middle.z()), 0.05);
}

}  // namespace
}  // namespace hardpan::scenario
