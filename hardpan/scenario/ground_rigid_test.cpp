// Rigid grains: from keys to bodies and surfaces, and a few of them against closed forms.
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "hardpan/core/parallel.h"
#include "hardpan/lab/soil.h"
#include "hardpan/scenario/build.h"
#include "hardpan/scenario/ground.h"
#include "hardpan/scenario/run.h"
#include "hardpan/scenario/test_scenarios.h"

namespace hardpan::scenario {
namespace {

using multibody::BodyId;
using testing::message_of;

const std::string start = R"(hardpan: 1
time: {end: 0.1, step: 1.0e-3}
materials:
  sand: {density: 2500, friction: 0.5, stiffness: 1.0e+7}
  bouncy: {density: 2500, friction: 0.5, restitution: 0.5}
bodies:
  floor: {fixed: true, shape: {kind: plane}, material: sand}
  crate: {mass: 1, shape: {kind: box, size: [0.1, 0.1, 0.1]}, position: [1, 0, 0.05], material: sand}
)";
const std::string rigid = "ground:\n  model: grains-complementarity\n  material: sand\n";
const std::string bed = rigid + "  diameter: 0.01\n  fill: {low: [0, 0, 0], high: [0.05, 0.05, 0.05]}\n";

std::unique_ptr<Simulation> simulation(const std::string& rest) {
  return build(load_text(start + rest, "f").resolved);
}
std::string complaint(const std::string& rest) {
  return message_of([&] { simulation(rest); });
}

void advance(Simulation& sim, int steps) {
  for (int k = 0; k < steps; ++k) {
    const solve::StepReport report = sim.stepper.step();
    ASSERT_TRUE(report.ok) << report.reason;
  }
}

TEST(RigidGrains, AreSolvedByGaussSeidelUnlessToldOtherwise) {
  const auto solver = [](const std::string& rest) {
    return load_text(start + rest, "f").resolved.at("solver").at("kind").text();
  };
  EXPECT_EQ(solver(bed), "pgs");
  EXPECT_EQ(solver(bed + "solver: {max_iterations: 7}\n"), "pgs");
  EXPECT_EQ(solver(bed + "solver: {kind: newton}\n"), "newton");
  EXPECT_EQ(solver(""), "direct");
  EXPECT_NE(complaint(bed + "solver: 3\n").find("solver"), std::string::npos);
}

TEST(MachineOnASolid, IsSolvedByProductsUnlessSomethingElseIsSaid) {
  const std::string soil = R"(hardpan: 1
time: {end: 1, step: 0.01}
materials: {soil: {density: 2000, young: 1.0e+6, poisson: 0.25}}
solid: {material: soil, box: {low: [0, 0, 0], high: [1, 1, 1]}, spacing: 0.5}
)";
  const std::string ball = "bodies: {ball: {mass: 1, shape: {kind: sphere, radius: 1}}}\n";
  const auto solver = [&](const std::string& rest) {
    return load_text(soil + rest, "f").resolved.at("solver");
  };
  EXPECT_EQ(solver("").at("kind").text(), "direct");
  const Value usual = solver(ball);
  EXPECT_EQ(usual.at("kind").text(), "newton");
  EXPECT_TRUE(usual.at("matrix_free").boolean());
  EXPECT_EQ(usual.at("tolerance").number(), 1e-5);
  EXPECT_EQ(usual.at("friction").text(), "cone");
  EXPECT_EQ(solver(ball + "solver: {tolerance: 1.0e-3}\n").at("tolerance").number(), 1e-3);
  const Value direct = solver(ball + "solver: {kind: direct}\n");
  EXPECT_EQ(direct.at("kind").text(), "direct");
  EXPECT_FALSE(direct.at("matrix_free").boolean());
}

TEST(RigidGrains, AreBodiesAfterTheMachine) {
  const auto sim = simulation(bed + "  shape_ratio: 0.6\n");
  EXPECT_FALSE(sim->grains);
  const multibody::Model& model = sim->bodies.model();
  EXPECT_EQ(model.grains, 64u);  // cells of 10.5 mm
  EXPECT_EQ(model.machine().size(), 2u);
  EXPECT_EQ(sim->contacts.model().grains, 64u);
  EXPECT_FALSE(sim->contacts.model().is_grain(1));
  EXPECT_TRUE(sim->contacts.model().is_grain(2));
  const multibody::Body& grain = model.bodies[2];
  const double mass = 2500 * 4.0 / 3.0 * std::numbers::pi * 0.6 * std::pow(0.005, 3);
  EXPECT_NEAR(grain.mass, mass, 1e-15);
  EXPECT_NEAR(grain.inertia(1, 1), mass / 5 * 2 * std::pow(0.005, 2), 1e-20);
  EXPECT_NEAR(grain.inertia(0, 0), mass / 5 * 1.36 * std::pow(0.005, 2), 1e-20);
  EXPECT_FALSE(grain.pose.q.isApprox(model.bodies[3].pose.q));
  double solid = 0;
  lab::each_lump(sim->world(), [&](const lab::Lump& lump) { solid += lump.volume; });
  EXPECT_NEAR(solid, 64 * mass / 2500, 1e-15);
  EXPECT_NEAR(lab::soil_mass(sim->world()), 64 * mass, 1e-12);
}

TEST(RigidGrains, RatiosAboveOneAreLong) {
  const auto axes = [&](const char* ratio) {
    return grain_axes(load_text(start + bed + "  shape_ratio: " + ratio + "\n", "f").resolved.at("ground"));
  };
  EXPECT_EQ(axes("0.5"), Vec3(1, 0.5, 1));
  EXPECT_EQ(axes("2"), Vec3(0.5, 1, 0.5));
  EXPECT_EQ(axes("1"), Vec3(1, 1, 1));
}

// The clump that stands for an ellipsoid lies within it, touches its rim, and has most of its mass.
TEST(RigidGrains, PenaltyTakesInscribedClumps) {
  for (const double ratio : {0.5, 0.6, 0.8, 1.25, 2.0}) {
    const auto sim = simulation(
        "ground:\n  model: grains-penalty\n  material: sand\n  diameter: 0.01\n  fill: {low: [0, 0, 0], "
        "high: "
        "[0.05, 0.05, 0.05]}\n  shape_ratio: " +
        std::to_string(ratio) + "\n");
    const grains::Clump& clump = sim->grains->grains().model().clumps[0];
    const Vec3 axes = ratio < 1 ? Vec3(1, ratio, 1) : Vec3(1 / ratio, 1, 1 / ratio);
    const double full = 2500 * 4.0 / 3.0 * std::numbers::pi * std::pow(0.005, 3) * axes.prod();
    double reach = 0;
    for (const grains::Member& member : clump.members)
      reach = std::max(reach, norm(member.offset) + member.radius);
    EXPECT_NEAR(reach, 0.005, 1e-9) << ratio;
    EXPECT_LT(clump.mass, full) << ratio;
    EXPECT_GT(clump.mass, 0.7 * full) << ratio;
  }
}

TEST(RigidGrains, ExplainsWhatDoesNotGo) {
  EXPECT_NE(complaint(bed + "  step: 1.0e-5\n").find("belongs to model grains-penalty"), std::string::npos);
  EXPECT_NE(complaint(bed + "  force: {normal: hooke}\n").find("ground.force"), std::string::npos);
  EXPECT_NE(complaint(bed + "  shape_ratio: 0.1\n").find("shape_ratio"), std::string::npos);
  EXPECT_NE(complaint(rigid + "  grains: [[0, 0, 0.005, 0.01], [0.006, 0, 0.005, 0.01]]\n")
                .find("grain 1 at (0.006, 0, 0.005) m reaches 0.004 m into grain 0"),
            std::string::npos);
  EXPECT_NE(complaint(rigid + "  grains: [[1, 0, 0.103, 0.01]]\n").find("into body 'crate'"),
            std::string::npos);
  EXPECT_NE(complaint("solver: {kind: direct, force_tolerance: 0.1}\n" + bed).find("kinds pgs and apgd"),
            std::string::npos);
  EXPECT_NE(complaint(bed + "outputs:\n  - {field: grain_energy}\n").find("'energy' has that"),
            std::string::npos);
  EXPECT_NE(complaint(bed + "measure: {kind: repose}\n").find("grains-penalty only"), std::string::npos);
}

// Three, one above the other: m g, 2 m g and 3 m g in the contacts.
TEST(RigidGrains, AColumnCarriesItsWeight) {
  for (const char* kind : {"pgs", "apgd", "newton", "direct"}) {
    const bool iterates = kind[0] == 'p' || kind[0] == 'a';
    const auto sim = simulation(
        std::string("solver: {kind: ") + kind + (iterates ? ", force_tolerance: 1.0e-12" : "") + "}\n" +
        rigid + "  grains: [[0, 0, 0.005, 0.01], [0, 0, 0.015, 0.01], [0, 0, 0.025, 0.01]]\n");
    advance(*sim, 50);
    const double weight = sim->bodies.model().bodies[2].mass * 9.81;
    ASSERT_EQ(sim->contacts.touches().size(), 7u) << kind;  // with those of the crate
    double carried = 3;
    for (const couple::Touch& touch : sim->contacts.touches()) {
      const auto [a, b] = sim->contacts.surfaces_of(touch);
      if (!sim->contacts.model().is_grain(b)) continue;
      EXPECT_NEAR(touch.impulse.z() / 1e-3 / weight, carried--, 1e-6) << kind;
    }
    EXPECT_NEAR(lab::soil_force(sim->world(), BodyId(0)).z(), -3 * weight, 1e-6 * weight) << kind;
    EXPECT_NEAR(lab::coordination(sim->world()), 5.0 / 3, 1e-12);
  }
}

// On a slope of 20 degrees a ball rolls with 5/7 g sin, one of little friction slides with g (sin - mu cos).
TEST(RigidGrains, RollAndSlideDownASlope) {
  for (const double mu : {0.5, 0.05}) {
    const double slope = 20 * std::numbers::pi / 180, g = 9.81;
    auto scenario = start + "gravity: [" + std::to_string(g * std::sin(slope)) + ", 0, " +
                    std::to_string(-g * std::cos(slope)) +
                    "]\nsolver: {kind: pgs, force_tolerance: 1.0e-12}\n" +
                    "contacts:\n  - {between: [sand, sand], friction: " + std::to_string(mu) + "}\n" + rigid +
                    "  grains: [[-1, 0, 0.005, 0.01]]\n";
    const auto sim = build(load_text(scenario, "f").resolved);
    advance(*sim, 200);
    const double expected =
        mu > 0.1 ? 5.0 / 7 * g * std::sin(slope) : g * (std::sin(slope) - mu * std::cos(slope));
    EXPECT_NEAR(sim->bodies.state().velocity[2].x(), 0.2 * expected, 2e-4 * expected) << mu;
  }
}

// A grain that falls fast stops where it touches: no overlap, no bounce, all of its energy in the books.
TEST(RigidGrains, LandWithoutOverlap) {
  const auto sim = simulation("solver: {kind: pgs, force_tolerance: 1.0e-12}\n" + rigid +
                              "  grains: [[0, 0, 0.1, 0.01]]\n");
  double lowest = 1, kinetic = 0;
  for (int k = 0; k < 250; ++k) {
    kinetic = std::max(kinetic, sim->bodies.kinetic_energy(BodyId(2)));
    advance(*sim, 1);
    lowest = std::min(lowest, sim->bodies.pose(BodyId(2)).x.z());
  }
  // But for the compliance of the contact, under the force that stops it in a step, and under its weight.
  const double mass = sim->bodies.model().bodies[2].mass, speed = std::sqrt(2 * kinetic / mass);
  const double compliance = 2e-7, h = 1e-3, g = 9.81;
  EXPECT_GT(lowest, 0.005 - compliance * mass * speed / h);
  EXPECT_NEAR(sim->bodies.pose(BodyId(2)).x.z(), 0.005 - compliance * mass * g, 1e-12);
  const multibody::Ledger books = sim->ledger();
  EXPECT_NEAR(books.impacts.dissipated, kinetic, 0.02 * kinetic);
  EXPECT_NEAR(books.lost(), 0, 0.5 * mass * g * speed * h);  // what kick and drift miss in a fall
}

// With restitution they bounce as all bodies do.
TEST(RigidGrains, BounceWhereAsked) {
  const auto sim = simulation(
      "solver: {kind: pgs, force_tolerance: 1.0e-12}\ncontacts:\n  - {between: [sand, sand], "
      "restitution: 0.5}\n" +
      rigid + "  grains: [[0, 0, 0.105, 0.01]]\n");
  double highest = 0;
  bool up = false;
  for (int k = 0; k < 300; ++k) {
    advance(*sim, 1);
    up = up || sim->bodies.state().velocity[2].z() > 0;
    if (up) highest = std::max(highest, sim->bodies.pose(BodyId(2)).x.z() - 0.005);
  }
  EXPECT_NEAR(highest, 0.025, 0.0015);
}

TEST(RigidGrains, SameBitsForThreadsAndAcrossARestart) {
  const std::string text = "solver: {kind: pgs}\n" + bed + "  shape_ratio: 0.6\n";
  const auto hash_after = [&](std::size_t threads, bool restart) {
    set_thread_count(threads);
    auto sim = simulation(text);
    advance(*sim, 60);
    if (restart) {
      const Archive saved = sim->stepper.save();
      sim = simulation(text);
      sim->stepper.restore(saved);
    }
    advance(*sim, 60);
    return sim->stepper.save().hash();
  };
  const auto one = hash_after(1, false);
  EXPECT_EQ(one, hash_after(2, false));
  EXPECT_EQ(one, hash_after(3, true));
  set_thread_count(1);
}

}  // namespace
}  // namespace hardpan::scenario
