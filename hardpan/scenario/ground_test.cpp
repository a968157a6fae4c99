#include "hardpan/scenario/ground.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "hardpan/core/parallel.h"
#include "hardpan/scenario/build.h"
#include "hardpan/scenario/run.h"
#include "hardpan/scenario/test_scenarios.h"

namespace hardpan::scenario {
namespace {

using testing::message_of;

const std::string start = R"(hardpan: 1
time: {end: 0.05, step: 2.0e-4}
materials:
  sand: {density: 2500, young: 5.0e+6, poisson: 0.25, friction: 0.5, restitution: 0.3}
  spring: {density: 2500, stiffness: 1000, restitution: 0.3}
  smooth: {friction: 0}
contacts:
  - {between: [sand, smooth], restitution: 0.9}
bodies:
  floor: {fixed: true, shape: {kind: plane}, material: smooth}
)";
const std::string fill = "  fill: {low: [0, 0, 0], high: [0.05, 0.05, 0.05]}\n";
const std::string bed = "ground:\n  model: grains-penalty\n  material: sand\n  diameter: 0.01\n" + fill;

std::unique_ptr<Simulation> simulation(const std::string& rest) {
  return build(load_text(start + rest, "f").resolved);
}

std::string complaint(const std::string& rest) {
  return message_of([&] { simulation(rest); });
}

TEST(Ground, BecomesGrainsAndLaws) {
  const auto sim = simulation(bed + "  force: {tangential: displacement}\n");
  ASSERT_TRUE(sim->grains);
  const grains::System& grains = sim->grains->grains();
  EXPECT_EQ(grains.size(), 4u * 4u * 4u);  // cells of 10.5 mm
  EXPECT_EQ(grains.radius(0), 0.005);
  EXPECT_DOUBLE_EQ(grains.mass(0), 2500 * 4.0 / 3.0 * std::numbers::pi * 0.005 * 0.005 * 0.005);
  const material::GrainLaw& law = grains.model().laws[0];
  EXPECT_EQ(law.tangential, material::TangentialForce::displacement);
  EXPECT_DOUBLE_EQ(law.stiffness_n, 4.0 / 3.0 * 5e6 / (2 * (1 - 0.0625)));
  EXPECT_DOUBLE_EQ(law.friction, 0.5);
  EXPECT_DOUBLE_EQ(law.damping_n, material::damping_ratio(0.3));
}

// Dampers of grains that do not bounce, several on each, must not shake a bed that rests.
TEST(Ground, StrongDampersTakeShorterSteps) {
  const std::string dull = "  dull: {density: 2600, friction: 0.5, stiffness: 1.0e+6, restitution: 0}\n";
  std::string text = start;
  text.insert(text.find("  smooth:"), dull);
  text.replace(text.find("material: smooth"), 16, "material: dull");
  text += "  walls:\n    fixed: true\n    material: dull\n    shapes:\n";
  for (const char* wall :
       {"[0.01, 0.1, 0.3], at: [-0.005, 0.025, 0.1]", "[0.01, 0.1, 0.3], at: [0.055, 0.025, 0.1]",
        "[0.1, 0.01, 0.3], at: [0.025, -0.005, 0.1]", "[0.1, 0.01, 0.3], at: [0.025, 0.055, 0.1]"})
    text += std::string("      - {kind: box, size: ") + wall + "}\n";
  text +=
      "ground:\n  model: grains-penalty\n  material: dull\n  diameter: 0.016\n"
      "  fill: {low: [0, 0, 0], high: [0.05, 0.05, 0.3], count: 60}\n";
  const auto sim = build(load_text(text, "f").resolved);
  for (int k = 0; k < 3000; ++k) ASSERT_TRUE(sim->stepper.step().ok);
  const multibody::Ledger books = sim->ledger();
  EXPECT_GT(books.grains.dissipated, 1e-3);
  EXPECT_LE(std::abs(books.grains.lost), 0.01 * books.grains.dissipated);
}

TEST(Ground, SpringsAndGivenDampings) {
  const auto sim = simulation(
      "ground:\n  model: grains-penalty\n  material: spring\n  grains: [[0, 0, 0.1, 0.01], [0, 0, 0.2, "
      "0.02]]\n"
      "  force: {normal: hooke, stiffness_ratio: 0.8, normal_damping: 40, tangential_damping: 20}\n");
  const grains::System& grains = sim->grains->grains();
  const grains::Model& model = grains.model();
  EXPECT_DOUBLE_EQ(model.laws[0].stiffness_n, 500);  // two in series
  EXPECT_DOUBLE_EQ(model.laws[0].stiffness_t, 400);
  EXPECT_TRUE(model.laws[0].damping_given);
  EXPECT_EQ(model.laws[0].damping_n, 40);
  EXPECT_EQ(model.laws[0].damping_t, 20);
  EXPECT_EQ(grains.radius(grains.state().id[0] == 1 ? 0 : 1), 0.01);
}

TEST(Ground, GrainsMayBeClumpsThatRollBadlyAndStick) {
  const auto sim = simulation(bed +
                              "  clump: [[-0.25, 0, 0, 0.5], [0.25, 0, 0, 0.5]]\n"
                              "  force: {rolling_friction: 0.1, twisting_friction: 0.05, adhesion: 0.02}\n");
  const grains::System& grains = sim->grains->grains();
  EXPECT_EQ(grains.size(), 128u);
  EXPECT_EQ(grains.clumps().size(), 64u);
  const double volume = 64 * 2 * std::numbers::pi / 6 * std::pow(0.005, 3);
  EXPECT_NEAR(grains.total_mass(), 2500 * volume, 1e-9 * 2500 * volume);
  EXPECT_EQ(grains.model().laws[0].rolling, 0.1);
  EXPECT_EQ(grains.model().laws[0].twisting, 0.05);
  EXPECT_EQ(grains.model().laws[0].adhesion, 0.02);
  Vec3 mean = Vec3::Zero();  // of the directions in which they lie: any
  for (const grains::Clump& clump : grains.model().clumps) {
    const Vec3 along = clump.orientation *
                       Vec3(clump.members[0].offset.x, clump.members[0].offset.y, clump.members[0].offset.z);
    EXPECT_NEAR(along.norm(), 0.0025, 1e-12);
    mean += along.cwiseAbs2() / 0.0025 / 0.0025 / 64;
  }
  EXPECT_NEAR(mean.x(), 1.0 / 3, 0.1);
  EXPECT_NEAR(mean.z(), 1.0 / 3, 0.1);
  for (int k = 0; k < 100; ++k) ASSERT_TRUE(sim->stepper.step().ok);
  EXPECT_EQ(complaint(bed + "  clump: [[-0.3, 0, 0, 0.5], [0.25, 0, 0, 0.5]]\n"),
            "f:16:10: ground.clump: each sphere must have a diameter and lie within a ball of diameter 1");
}

TEST(Ground, RefusesWhatCannotBe) {
  EXPECT_EQ(complaint("ground:\n  model: grains-penalty\n  material: smooth\n  diameter: 0.01\n" + fill),
            "f:13:13: ground.material: 'smooth' has no density, which grains need\n"
            "f:13:13: ground.material: 'smooth' has no young, which force.normal: hertz needs");
  EXPECT_EQ(complaint("ground: {model: grains-penalty, material: sand}\n"),
            "f:11:9: ground: at least one must be given of: fill; grains");
  EXPECT_EQ(complaint("ground:\n  model: grains-penalty\n  material: sand\n" + fill),
            "f:14:9: ground.fill: needs diameter or sizes");
  EXPECT_EQ(complaint("ground:\n  model: grains-penalty\n  material: sand\n  diameter: 0.06\n" + fill),
            "f:15:9: ground.fill: there is no room for a single grain: the largest are 0.06 m wide, times "
            "spacing on a lattice");
  EXPECT_EQ(complaint("ground:\n  model: grains-penalty\n  material: sand\n  diameter: 0.01\n"
                      "  fill: {low: [0, 0, 0], high: [0.05, 0.05, 0.05], count: 65}\n"),
            "f:15:59: ground.fill.count: there is room for 64 grains, not for 65: make the region higher");
  EXPECT_EQ(complaint("ground:\n  model: grains-penalty\n  material: sand\n  diameter: 0.01\n"
                      "  fill: {low: [0, 0, -0.02], high: [0.05, 0.05, 0.05]}\n")
                .substr(0, 30),
            "f:12:3: ground: grain 0 at (0.");
  EXPECT_EQ(
      complaint("ground:\n  model: grains-penalty\n  material: sand\n"
                "  grains: [[0, 0, 0.1, 0.01], [0.009, 0, 0.1, 0.01]]\n"),
      "f:12:3: ground: grain 0 at (0, 0, 0.1) m reaches 0.001 m into grain 1 at the start; at most 0.05 of "
      "its radius, 0.00025 m, is allowed");
  EXPECT_EQ(
      complaint(
          "ground:\n  model: grains-penalty\n  material: sand\n  diameter: 0.01\n"
          "  sizes: {kind: log-normal, median: 0.01, uniformity: 1.5, smallest: 0.02, largest: 0.01}\n" +
          fill)
          .substr(0, 60),
      "f:12:3: ground: at most one may be given of: diameter; sizes");
}

TEST(Ground, RefusesLongSteps) {
  // Rayleigh: pi r sqrt(rho/G)/(0.1631 nu + 0.8766), G = 2 MPa.
  const double rayleigh = 3.14159265358979 * 0.005 * std::sqrt(2500 / 2e6) / (0.1631 * 0.25 + 0.8766);
  const auto sim = simulation(bed);
  EXPECT_EQ(complaint(bed + "  step: 1.3e-4\n").substr(0, 74),
            "f:16:9: ground.step: 1.3e-4 s is 0.21 of the Rayleigh time of the smallest");
  EXPECT_NEAR(1.3e-4 / rayleigh, 0.21, 0.005);
  EXPECT_NO_THROW(simulation(bed + "  step: 1.0e-4\n"));
}

// Runs until a step fails.
std::string failure(const std::string& rest) {
  const auto sim = simulation(rest);
  for (int k = 0; k < 250; ++k) {
    const solve::StepReport report = sim->stepper.step();
    if (!report.ok) return report.reason;
  }
  return "none";
}

TEST(Ground, AGrainThatLeavesTheWorldEndsTheRun) {
  EXPECT_EQ(failure("ground:\n  model: grains-penalty\n  material: sand\n  grains: [[0, 0, 0.1, 0.01]]\n"
                    "  world: {low: [-1, -1, 0.099], high: [1, 1, 1]}\n")
                .substr(0, 60),
            "grain 0 has left the world, at (0, 0, 0.09898) m with 0.141 ");
}

TEST(Ground, AStepTooLongForALightBodyEndsTheRun) {
  const std::string plate =
      "  plate: {mass: 1.0e-5, shape: {kind: box, size: [0.05, 0.05, 0.002]}, position: [0.025, 0.025, "
      "0.0535], "
      "velocity: [0, 0, -1], material: smooth}\n";
  EXPECT_EQ(failure(plate + bed).substr(0, 73),
            "the step of 0.0002 s is too long for body 'plate' among grains: 1e-05 kg ");
}

// What is lost over what is dissipated, after 0.05 s of a ball that falls on a bed.
double lost_share(double h) {
  Scenario scenario = load_text(start +
                                    "  ball: {mass: 0.05, shape: {kind: sphere, radius: 0.015}, position: "
                                    "[0.025, 0.025, 0.07], material: smooth}\n" +
                                    bed,
                                "f");
  *scenario.resolved.find("time")->find("step") = Value(h);
  const auto sim = build(scenario.resolved);
  const multibody::Ledger before = sim->ledger();
  while (sim->stepper.steps() < sim->step_count) EXPECT_TRUE(sim->stepper.step().ok);
  const multibody::Ledger books = sim->ledger();
  EXPECT_GT(books.dissipated(), 5e-4);
  EXPECT_NEAR(before.total() + books.work(), books.total() + books.dissipated() + books.lost(), 1e-12);
  EXPECT_LT((books.momentum - books.impulse).norm(), 1e-13);
  return std::abs(books.lost()) / books.dissipated();
}

// Bodies and grains meet once in a step of the machine: an error of first order.
TEST(Ground, TheBooksOfBodiesAndGrainsCloseTogether) {
  const double coarse = lost_share(2e-4), fine = lost_share(2.5e-5);
  EXPECT_LT(coarse, 0.03);
  EXPECT_LT(fine, 0.2 * coarse);
}

}  // namespace
}  // namespace hardpan::scenario
