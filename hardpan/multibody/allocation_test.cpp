// A step asks for no memory once it has seen its sizes.
#include <gtest/gtest.h>

#include "hardpan/core/parallel.h"
#include "hardpan/core/test_allocations.h"
#include "hardpan/multibody/test_models.h"

namespace hardpan::multibody::test {
namespace {

// A random machine with a driveline, stops and friction.
Model busy_machine(double h) {
  Model model = random_mechanism(7, 20, h);
  const BodyId bob = add_body(model, Vec3(0.4, 0, 0));
  const CoordinateRef angle = add(model, hinge(model, world, bob, Vec3::Zero(), Vec3::UnitY(), rigid(h)));
  const CoordinateRef shaft = add(model, Shaft{"shaft", 0.1, 0, 3});
  add(model, Stop{"stop", {along(angle)}, -0.3, 0.3, 0.5, rigid(h)});
  add(model, Friction{"friction", {along(angle)}, Curve::constant(0.2), 0, rigid(h)});
  add(model, Motor{"motor", {along(shaft)}, Motor::Mode::speed, Curve::constant(5), 1.0, rigid(h)});
  add(model, Tie{"gear", {Axis{{{shaft, 1}, {angle, -3}}}}, rigid(h)});
  return model;
}

TEST(Allocations, AStepAsksForNoMemory) {
  const double h = 1e-3;
  for (const auto kind : {solve::SolverKind::direct, solve::SolverKind::newton, solve::SolverKind::pgs}) {
    System system(busy_machine(h));
    solve::Stepper stepper(h, {&system}, {.kind = kind, .max_iterations = 200});
    for (int i = 0; i < 400; ++i) ASSERT_TRUE(stepper.step().ok);  // the stop is struck on the way
    const std::size_t before = hardpan::test::allocations();
    int failed = 0;
    for (int i = 0; i < 200; ++i) failed += stepper.step().ok ? 0 : 1;
    EXPECT_EQ(hardpan::test::allocations() - before, 0u) << "solver " << static_cast<int>(kind);
    EXPECT_EQ(failed, 0);
  }
}

}  // namespace
}  // namespace hardpan::multibody::test
