// The step as a whole on real mechanisms: same bits, and failures that leave the state alone.
#include "hardpan/solve/stepper.h"

#include <cmath>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "hardpan/core/error.h"
#include "hardpan/core/parallel.h"
#include "hardpan/multibody/test_models.h"

namespace hardpan::multibody {
namespace {

using namespace test;

TEST(Stepper, RestoredRunGoesOnWithTheSameBits) {
  const double h = 1e-3;
  for (std::uint64_t seed = 40; seed < 44; ++seed) {
    const Model model = random_mechanism(seed, 10, h);
    Sim through(model, h);
    ASSERT_GO(through, 100);
    const Archive saved = through.stepper.save();
    ASSERT_GO(through, 100);

    Sim fresh(model, h);
    fresh.stepper.restore(saved);
    EXPECT_EQ(fresh.hash(), saved.hash());
    ASSERT_GO(fresh, 100);
    EXPECT_EQ(fresh.hash(), through.hash());

    // Going back in the same object works as well.
    through.stepper.restore(saved);
    ASSERT_GO(through, 100);
    EXPECT_EQ(through.hash(), fresh.hash());
  }
}

// A hinge that has made turns: its spring remembers them across a restart.
TEST(Stepper, RestoreKeepsTheTurnsOfAHinge) {
  const double h = 1e-3;
  Model model;
  model.gravity.setZero();
  const BodyId id = add_body(model, Vec3::Zero(), 1, 0.5);
  model.bodies[0].angular_velocity = Vec3(0, 0, 40);
  const CoordinateRef angle = add(model, hinge(model, world, id, Vec3::Zero(), Vec3::UnitZ(), rigid(h)));
  add(model, elastic(angle, 0.1, 0, 0));
  Sim through(model, h);
  ASSERT_GO(through, 1000);
  EXPECT_NEAR(through.system.state().memory[0], 40 * std::sin(std::sqrt(0.2)) / std::sqrt(0.2), 0.1);
  Sim fresh(model, h);
  fresh.stepper.restore(through.stepper.save());
  ASSERT_GO(through, 10);
  ASSERT_GO(fresh, 10);
  EXPECT_EQ(fresh.hash(), through.hash());
}

TEST(Stepper, StateOfAnotherWorldIsRefused) {
  Sim small(random_mechanism(1, 3, 1e-3), 1e-3), large(random_mechanism(1, 4, 1e-3), 1e-3);
  EXPECT_THROW(small.stepper.restore(large.stepper.save()), IoError);
  EXPECT_THROW(small.stepper.restore(Archive{}), IoError);
}

TEST(Stepper, HashDoesNotDependOnTheNumberOfThreads) {
  const double h = 1e-3;
  Random random(45);
  Model model = hanging_chain(300, 1, 0.1, rigid(h), Vec3(0.6, 0, -0.8));
  for (int i = 0; i < 200; ++i) add_random_body(model, random, 10);
  const auto hash_with = [&](int threads) {
    set_thread_count(threads);
    Sim sim(model, h);
    EXPECT_TRUE(sim.go(200).ok);
    return sim.hash();
  };
  const std::string one = hash_with(1);
  EXPECT_EQ(hash_with(2), one);
  EXPECT_EQ(hash_with(3), one);
  set_thread_count(0);
}

void expect_failure_without_trace(Sim& sim, const std::string& why) {
  const std::string before = sim.hash();
  const std::int64_t steps = sim.stepper.steps();
  const solve::StepReport report = sim.stepper.step();
  EXPECT_FALSE(report.ok);
  EXPECT_NE(report.reason.find(why), std::string::npos) << report.reason;
  EXPECT_EQ(sim.hash(), before);
  EXPECT_EQ(sim.stepper.steps(), steps);
  EXPECT_FALSE(sim.stepper.step().ok);  // and again: a failure is no way forward
  EXPECT_EQ(sim.hash(), before);
}

TEST(StepperFailure, SpinTooFastForTheStep) {
  Model model;
  add_body(model, Vec3::Zero());
  model.bodies[0].name = "spindle";
  model.bodies[0].inertia = Vec3(1, 2, 3).asDiagonal();
  model.bodies[0].angular_velocity = Vec3(3000, 2000, 1000);
  Sim sim(model, 1e-3);
  expect_failure_without_trace(sim, "spindle");
}

// The message tells the spin that the load would have given, not the one before it.
TEST(StepperFailure, LoadThatSpinsTooFast) {
  Model model;
  const BodyId id = add_body(model, Vec3::Zero(), 1, 0.1);
  model.loads.push_back({"twist", id, Vec3::Zero(), Vec3::Zero(), Vec3(0, 0, 5e6)});
  Sim sim(model, 1e-3);
  expect_failure_without_trace(sim, "50 rad per step");
}

// The spin comes from a joint's impulse, so that only the end of the step can see it.
TEST(StepperFailure, SpinTooFastAfterTheKick) {
  const double h = 1e-2;
  Model model;
  model.gravity.setZero();
  const BodyId id = add_body(model, Vec3(1, 0, 0), 1, 1e-3);
  model.bodies[0].velocity = Vec3(0, 1000, 0);
  add_joint(model, ball(model, world, id, Vec3(0.9, 0, 0), rigid(h)));
  Sim sim(model, h);
  expect_failure_without_trace(sim, "turns too fast");
}

TEST(StepperFailure, LoadThatIsNotANumber) {
  for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    Model model;
    const BodyId id = add_body(model, Vec3::Zero());
    model.loads.push_back({"bad", id, Vec3::Zero(), Vec3(0, bad, 0), Vec3::Zero(), 0.0095, 1});
    Sim sim(model, 1e-3);
    ASSERT_GO(sim, 9);
    expect_failure_without_trace(sim, "the load on body 'body 0' is not finite");
  }
}

// The rotation of rows is explicit: light links under a heavy load have the step limit 2/w_geo with
// w_geo = sqrt(12 T/(m l)), here 0.58 ms (docs/models/multibody.md).
Model loaded_chain(double h) {
  Model model = hanging_chain(10, 0.1, 0.1, {1e-9, 2 * h});
  const BodyId load = add_body(model, Vec3(0, 0, -1.5), 1000, 100);
  add_joint(model, ball(model, BodyId(9), load, Vec3(0, 0, -1), {1e-9, 2 * h}));
  for (std::size_t i = 0; i < 10; ++i) model.bodies[i].velocity.x() = i % 2 ? 1e-3 : -1e-3;
  return model;
}

TEST(StepperFailure, EnergyRunsAwayBeyondTheGeometricLimit) {
  for (const double h : {1e-3, 7e-4}) {
    Sim sim(loaded_chain(h), h);
    std::string before = sim.hash();
    solve::StepReport report;
    for (int i = 0; i < 2000 && report.ok; ++i) {
      before = sim.hash();
      report = sim.stepper.step();
    }
    EXPECT_FALSE(report.ok);
    // At 1 ms the books notice first, at 0.7 ms a link spins too fast before that.
    if (h == 1e-3) {
      EXPECT_NE(report.reason.find("energy runs away"), std::string::npos) << report.reason;
    }
    EXPECT_FALSE(report.reason.empty());
    EXPECT_EQ(sim.hash(), before);
  }
}

// Far beyond every limit the joints give in while the books still look sound: links of 1 g under 1,000 kg.
TEST(StepperFailure, JointsThatComeApartAreNoticed) {
  const double h = 0.05;
  Model model;
  BodyId last = world;
  for (int i = 0; i < 5; ++i) {
    const BodyId next = add_body(model, Vec3(0, 0, -1.0 - i), i == 4 ? 1000 : 1e-3);
    add_joint(model, DistanceJoint{{"rod", last, next}, Vec3::Zero(), Vec3::Zero(), 1, {1e-10, 2 * h}});
    last = next;
  }
  model.bodies[2].velocity.x() = 0.1;
  Sim sim(model, h);
  solve::StepReport report;
  std::string before;
  for (int i = 0; i < 2000 && report.ok; ++i) {
    before = sim.hash();
    report = sim.stepper.step();
  }
  ASSERT_FALSE(report.ok);
  EXPECT_NE(report.reason.find("has come apart"), std::string::npos) << report.reason;
  EXPECT_EQ(sim.hash(), before);
}

TEST(Stepper, LoadedChainIsQuietBelowTheGeometricLimit) {
  const double h = 4.5e-4;
  Sim sim(loaded_chain(h), h);
  ASSERT_GO(sim, 4000);
  double largest = 0;
  for (std::size_t i = 0; i < 10; ++i) largest = std::max(largest, std::abs(sim.pose(i).x.x()));
  EXPECT_LT(largest, 1e-4);
  EXPECT_NEAR(sim.system.reaction(sim.system.joints()[0], h)[2] / (9.81 * 1001), 1.0, 1e-3);
}

// A joint takes the weight in its first step and gives way later, the slower the longer it relaxes: no alarm.
TEST(Stepper, TakingUpAWeightIsNoRunaway) {
  const double h = 1e-3;
  for (const double relaxation : {0.5, 1.0, 2.0, 4.0, 20.0, 1000.0})
    for (const double compliance : {1e-12, 1e-9, 1e-6})
      for (const double mass : {0.1, 10.0, 1e5}) {
        Model model;
        const BodyId id = add_body(model, Vec3(0, 0, -0.5), mass, mass);
        add_joint(model, ball(model, world, id, Vec3::Zero(), {compliance, relaxation * h}));
        Sim sim(model, h);
        const solve::StepReport report = sim.go(300);
        EXPECT_TRUE(report.ok) << relaxation << " " << compliance << " " << mass << ": " << report.reason;
      }
}

TEST(Stepper, RandomTreesNeverBecomeNotANumberUnnoticed) {
  EXPECT_TRUE(rc::check([](std::uint64_t seed) {
    const double h = *rc::gen::element(1e-4, 1e-3, 1e-2);
    const auto bodies = static_cast<std::size_t>(*rc::gen::inRange(1, 12));
    Model model = random_mechanism(seed, bodies, h);
    const double wild = *rc::gen::element(1.0, 10.0, 1000.0);
    for (Body& body : model.bodies) {
      body.velocity *= wild;
      body.angular_velocity *= wild;
    }
    Sim sim(model, h);
    const solve::StepReport report = sim.go(200);
    RC_ASSERT(report.ok || !report.reason.empty());
    // Good or bad, what is left is a state made of numbers.
    const Archive archive = sim.stepper.save();
    for (const Archive::Entry& entry : archive.entries())
      if (const auto* values = std::get_if<std::vector<double>>(&entry.values))
        for (const double x : *values) RC_ASSERT(std::isfinite(x));
  }));
}

}  // namespace
}  // namespace hardpan::multibody
