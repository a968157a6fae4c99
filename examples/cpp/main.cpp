// A pendulum from C++: describe it as a scenario, step it, look at it. Build: see CMakeLists.txt.
#include <fmt/core.h>

#include "hardpan/core/version.h"
#include "hardpan/scenario/build.h"
#include "hardpan/scenario/run.h"

int main() {
  const auto scenario = hardpan::scenario::load_text(R"(
hardpan: 1
title: Pendulum
time: {end: 1.0, step: 1.0e-4}
bodies:
  bob: {mass: 2.0, shape: {kind: sphere, radius: 0.1}, position: [1, 0, 0]}
joints:
  pivot: {kind: hinge, between: [world, bob], at: [0, 0, 0], axis: [0, 1, 0]}
)",
                                                     "pendulum");
  const auto simulation = hardpan::scenario::build(scenario.resolved);
  fmt::print("Hardpan {}\n  t [s]    x [m]    z [m]\n", hardpan::version());
  for (int i = 0; i < 10'000; ++i) {
    if (i % 1000 == 0) {
      const hardpan::Vec3& x = simulation->bodies.state().pose[0].x;
      fmt::print("{:7.2f} {:8.4f} {:8.4f}\n", simulation->stepper.time(), x.x(), x.z());
    }
    const auto report = simulation->stepper.step();
    if (!report.ok) return fmt::print("{}\n", report.reason), 1;
  }
  fmt::print("energy lost to the step: {:.2g} J\n", simulation->bodies.ledger().lost());
}
