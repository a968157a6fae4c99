#include "hardpan/scenario/measure_kinds.h"

#include <cmath>

#include <gtest/gtest.h>

#include "hardpan/scenario/build.h"
#include "hardpan/scenario/run.h"

namespace hardpan::scenario {
namespace {

// A shear box that stands still: 200 heavy grains without friction under a light lid.
const std::string box = R"(hardpan: 1
materials:
  sand: {density: 8000, young: 5.0e+6, poisson: 0.25, friction: 0, restitution: 0.2}
experiment: {kind: direct-shear, soil: sand, walls: sand, count: 200, diameter: 0.01, size: [0.07, 0.07],
             normal_stress: 1000, distance: 0.001, speed: 0.02, settle: 0.01, lid_mass: 0.2}
motors: {drive: {target: 0}}
)";

TEST(MeasureKinds, TheShearBoxKnowsTheWeightAboveItsPlane) {
  Scenario scenario = load_text(box, "f");
  *scenario.resolved.find("time")->find("end") = Value(2.0);  // at rest
  const auto sim = build(scenario.resolved);
  ASSERT_TRUE(sim->measure);
  sim->measure->begin(sim->world());
  while (sim->stepper.steps() < sim->step_count) {
    ASSERT_TRUE(sim->stepper.step().ok);
    sim->measure->sample(sim->world());
  }
  const lab::Row& last = sim->measure->last();  // displacement, tau, sigma, by the lid, rise, coordination
  const double plane = scenario.resolved.at("measure").at("plane").number(), area = 0.07 * 0.07;
  const grains::System& grains = sim->grains->grains();
  double above = 0;
  for (std::size_t i = 0; i < grains.size(); ++i)
    if (grains.state()[i].position.z > plane) above += 9.81 * grains.mass(i);
  EXPECT_GT(above / area, 500);
  EXPECT_NEAR(last[3], 1000, 5);
  EXPECT_NEAR(last[2], 1000 + above / area, 10);
  // What grains do to the one half they do to the other. It is not 0: it belongs to the packing.
  EXPECT_NEAR(last[1], -sim->grains->force(multibody::BodyId(0)).x() / area, 0.1);
  EXPECT_NEAR(last[0], 0, 1e-9);  // the motor gives way a little
  EXPECT_GT(last[5], 4);
  // Under the lid as it stands: solid and voids.
  const double solid = 200 * std::acos(-1.0) / 6 * 1e-6;
  const double lid = sim->bodies.state().pose[2].x.z() - 0.005;
  EXPECT_GT(lid * area / solid - 1, 0.5);
  EXPECT_LT(lid * area / solid - 1, 0.9);
}

// Lid and load press together, whatever the lid weighs where it is.
TEST(MeasureKinds, TheLoadOfAShearBoxKnowsGravity) {
  const auto load = [](const std::string& more) {
    return load_text(box + more, "f").resolved.at("loads").at("press").at("force").items()[2].number();
  };
  EXPECT_NEAR(load(""), -(1000 * 0.07 * 0.07 - 0.2 * 9.81), 1e-12);
  EXPECT_NEAR(load("gravity: [0, 0, -1.62]\n"), -(1000 * 0.07 * 0.07 - 0.2 * 1.62), 1e-12);
}

}  // namespace
}  // namespace hardpan::scenario
