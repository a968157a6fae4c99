// What a solid keeps: books, saved states, the same bits; and what it refuses.
#include "hardpan/core/error.h"
#include "hardpan/core/parallel.h"
#include "hardpan/meshfree/test_solids.h"

namespace hardpan::meshfree {
namespace {

// A block of soil that is pressed down and sideways, hard enough to yield, in gravity.
SolidModel pressed_block() {
  SolidModel model = solid_of(box_lattice(Vec3::Zero(), Vec3(0.3, 0.3, 0.3), {4, 4, 4}), soil(clay(-1e5)));
  model.gravity = Vec3(0, 0, -9.81);
  for (const Eigen::Index a : {0, 1, 2})
    model.holds.push_back({face(model.cloud, 2, 0), Vec3::Unit(a), still()});
  model.holds.push_back(plate(model.cloud, 2, 0.3, points({{0, 0}, {0.02, -0.004}})));
  model.tractions = {
      {face(model.cloud, 0, 0.3), Vec3::UnitX(), Traction::Measure::cauchy, Curve::constant(-2e4)}};
  return model;
}

double work_of(const SolidBooks& b) { return b.gravity + b.outside + b.stress + b.balance; }

TEST(SolidState, WorksAddUpToTheKineticEnergy) {
  Solid solid(pressed_block());
  for (std::size_t i = 0; i < solid.size(); ++i)
    solid.set_velocity(i, Vec3(0, 0, 0.05 * solid.position(i).x()));
  const double first = solid.kinetic_energy();
  solve::Stepper stepper(1e-3, {&solid}, matrix_free());
  double plastic = 0;
  for (int k = 0; k < 25; ++k) {
    run(stepper, 1);
    const SolidBooks& b = solid.books();
    EXPECT_NEAR(work_of(b), solid.kinetic_energy() - first, 1e-12 * std::abs(b.outside)) << k;
    EXPECT_GE(b.plastic, plastic);
    plastic = b.plastic;
  }
  EXPECT_GT(plastic, 0.1 * solid.books().outside);  // it did yield
}

// Slowly, so that viscous stress takes less than 1 %: what goes in is stored or dissipated, to 0.5 %. At rest
// in the end: while it moves, work lags behind what is stored by half a step.
TEST(SolidState, SlowWorkIsStoredOrDissipated) {
  SolidModel model = solid_of(cube_lattice(3), soil(clay(-1e5)));
  model.holds = corner_of_plates(model.cloud);
  model.holds.push_back(plate(model.cloud, 2, 1, points({{0, 0}, {1, -0.02}})));
  Solid solid(model);
  solve::Stepper stepper(0.02, {&solid});
  run(stepper, 53);
  const SolidBooks& b = solid.books();
  EXPECT_NEAR(b.lost(), 0, 5e-3 * b.outside);
  EXPECT_NEAR(b.dissipated() + b.stored, b.outside, 5e-3 * b.outside);
  EXPECT_LT(b.viscous, 1e-2 * b.outside);
}

// Squeezed at a steady rate r between plates, its sides held: V tau M r^2 a second, M the modulus of waves of
// pressure, and half of that in the first step, which begins at rest. And a shaken block: what viscous stress
// has taken is what is missing, to a hundredth.
TEST(SolidState, ViscousStressIsBooked) {
  const double E = 1e6, nu = 0.25, tau = 0.02, rate = 1e-3, M = E * (1 - nu) / (1 + nu) / (1 - 2 * nu);
  SolidModel model = solid_of(cube_lattice(3), elastic(E, nu));
  model.relaxation_time = tau;
  model.holds = corner_of_plates(model.cloud);
  for (const Eigen::Index a : {0, 1}) model.holds.push_back(plate(model.cloud, a, 1));
  model.holds.push_back(plate(model.cloud, 2, 1, points({{0, 0}, {1, -rate}})));
  Solid squeezed(model);
  solve::Stepper steady(0.02, {&squeezed});
  run(steady, 50);
  const double all = tau * M * rate * rate * (1 - 0.5 / 50);
  EXPECT_NEAR(squeezed.books().viscous, all, 0.005 * all);

  Solid shaken(solid_of(cube_lattice(4), elastic(E, nu)));
  for (std::size_t i = 0; i < shaken.size(); ++i) {
    const Vec3& x = shaken.position(i);
    shaken.set_velocity(i, Vec3(0.1 * std::sin(3 * x.y()), 0.1 * x.z() * x.z(), -0.1 * x.x()));
  }
  solve::Stepper free(1e-3, {&shaken}, matrix_free());
  run(free, 300);
  EXPECT_GT(shaken.books().viscous, 1);
  EXPECT_NEAR(shaken.books().lost(), 0, 0.01 * shaken.books().viscous);
}

TEST(SolidState, ARestartGivesTheSameBits) {
  Solid once(pressed_block()), again(pressed_block());
  solve::Stepper first(1e-3, {&once}, matrix_free()), second(1e-3, {&again}, matrix_free());
  run(first, 6);
  const Archive saved = first.save();
  run(first, 6);
  second.restore(saved);
  EXPECT_EQ(second.save().hash(), saved.hash());
  run(second, 6);
  EXPECT_EQ(first.save().hash(), second.save().hash());
}

TEST(SolidState, HasTheSameBitsForAnyThreadCount) {
  std::string hashes[2];
  for (const int more : {0, 1}) {
    set_thread_count(more ? 3 : 1);
    SolidModel model = pressed_block();
    model.cloud = box_lattice(Vec3::Zero(), Vec3(0.3, 0.3, 0.3), {7, 7, 6});  // several chunks
    model.material.assign(model.cloud.size(), 0);
    for (Hold& hold : model.holds) hold.particles = face(model.cloud, 2, &hold == &model.holds[3] ? 0.3 : 0);
    model.tractions[0].particles = face(model.cloud, 0, 0.3);
    Solid solid(model);
    solve::Stepper stepper(1e-3, {&solid}, matrix_free(1e-5));
    run(stepper, 2);
    hashes[more] = stepper.save().hash();
  }
  set_thread_count(0);
  EXPECT_EQ(hashes[0], hashes[1]);
}

// ---- what it refuses

void expect_fault(const SolidModel& model, const char* what) {
  EXPECT_NE(fault_of(model).find(what), std::string::npos) << fault_of(model);
  EXPECT_THROW(Solid{model}, InputError) << what;
}

TEST(SolidState, ModelsThatCannotBeAreRefused) {
  const SolidModel good = pressed_block();
  EXPECT_EQ(fault_of(good), "");
  const auto with = [&](const auto& change) {
    SolidModel model = good;
    change(model);
    return model;
  };
  expect_fault(SolidModel{}, "without particles");
  expect_fault(with([](SolidModel& m) { m.material.pop_back(); }), "a material for each particle");
  expect_fault(with([](SolidModel& m) { m.material[3] = 1; }), "a material that is not there");
  expect_fault(with([](SolidModel& m) { m.materials[0].density = 0; }), "density and stiffness");
  expect_fault(with([](SolidModel& m) { m.materials[0].law.shear = std::nan(""); }), "density and stiffness");
  expect_fault(with([](SolidModel& m) { m.reach = 1.4; }),
               "a reach of 1.4 spacings, must be 1 (nearest neighbours) or at least 1.5");
  expect_fault(with([](SolidModel& m) {
                 m.reach = 1;
                 m.cloud = jittered(m.cloud, 0.1);
               }),
               "which only a whole lattice can have");
  expect_fault(with([](SolidModel& m) { m.stabilisation = -1; }),
               "a stabilisation of -1, must not be below 0");
  expect_fault(with([](SolidModel& m) { m.holds[0].particles.clear(); }), "a hold has no particles");
  expect_fault(with([](SolidModel& m) { m.holds[0].particles[0] = 64; }),
               "a hold has particles that are not there");
  expect_fault(with([](SolidModel& m) { m.holds[0].direction *= 2; }),
               "the direction of a hold is not a unit vector");
  expect_fault(with([](SolidModel& m) { m.tractions[0].normal.setZero(); }),
               "the direction of a traction is not a unit vector");
}

// A cube of soil, sides held, whose height is to be these in two steps.
void expect_failure(double first, double second, const char* reason) {
  SolidModel model = solid_of(cube_lattice(2), soil(clay(-1e5)));
  model.holds = corner_of_plates(model.cloud);
  for (const Eigen::Index a : {0, 1}) model.holds.push_back(plate(model.cloud, a, 1));
  model.holds.push_back(plate(model.cloud, 2, 1, points({{0, 0}, {1, first - 1}, {2, second - 1}})));
  Solid solid(model);
  solve::Stepper stepper(1, {&solid});
  run(stepper, 1);
  const std::string before = stepper.save().hash();
  const solve::StepReport report = stepper.step();
  EXPECT_FALSE(report.ok);
  EXPECT_NE(report.reason.find(reason), std::string::npos) << report.reason;
  EXPECT_EQ(stepper.save().hash(), before);
  EXPECT_EQ(stepper.steps(), 1);
}

TEST(SolidState, AStepThatGoesTooFarFailsAndChangesNothing) {
  expect_failure(0.62, -0.1, "was turned inside out: the step is too long");
  expect_failure(0.9, 1.5, "in one step, at most 0.5 is allowed: a shorter step is needed");
}

}  // namespace
}  // namespace hardpan::meshfree
