#include "hardpan/couple/body_contact.h"

#include <cmath>

#include <gtest/gtest.h>

namespace hardpan::couple {
namespace {

using multibody::Body;
using multibody::BodyId;

struct World {
  multibody::Model bodies;
  ContactModel contacts;

  World() {
    contacts.materials = {"stuff"};
    contacts.laws = {{}};
  }
  BodyId add(const geometry::Shape& shape, const Vec3& at, bool fixed = false) {
    Body body;
    body.name = "body" + std::to_string(bodies.bodies.size());
    body.fixed = fixed;
    body.pose.x = at;
    if (geometry::is_solid(shape)) {
      const geometry::Solid solid = geometry::solid(shape);
      body.mass = 1000 * solid.volume;
      body.inertia = body.mass * solid.inertia;
    }
    body.shapes.push_back({shape, {}});
    const BodyId id(bodies.bodies.size());
    bodies.bodies.push_back(body);
    contacts.surfaces.push_back({id, body.shapes[0]});
    return id;
  }
  Body& operator[](BodyId id) { return bodies.bodies[id.index()]; }
  material::ContactLaw& law() { return contacts.laws[0]; }
};

struct Course {
  multibody::System bodies;
  BodyContact contacts;
  solve::Stepper stepper;
  double initial;

  explicit Course(const World& world, double h, solve::SolverKind kind = solve::SolverKind::newton)
      : bodies(world.bodies),
        contacts(world.contacts, bodies),
        stepper(h, {&bodies, &contacts}, {.kind = kind}),
        initial(bodies.ledger().total()) {}

  void steps(int count) {
    for (int i = 0; i < count; ++i) {
      const solve::StepReport report = stepper.step();
      ASSERT_TRUE(report.ok) << report.reason;
    }
  }
  // What the books do not explain.
  double energy_gap() const {
    const multibody::Ledger l = ledger();
    return l.total() + l.dissipated() + l.lost() - l.work() - initial;
  }
  double momentum_gap() const {
    const multibody::Ledger l = ledger();
    return (l.momentum - l.impulse).norm() + (l.angular_momentum - l.angular_impulse).norm();
  }
  multibody::Ledger ledger() const {
    multibody::Ledger books = bodies.ledger();
    contacts.books().add_to(books);
    return books;
  }
  Vec3 position(BodyId id) const { return bodies.pose(id).x; }
  Vec3 velocity(BodyId id) const { return bodies.state().velocity[id.index()]; }
};

TEST(BodyContact, WeightStandsOnTheFloor) {
  World world;
  const BodyId floor = world.add(geometry::Plane{}, Vec3::Zero(), true);
  const BodyId box = world.add(geometry::Box{{0.2, 0.3, 0.1}}, {0, 0, 0.05});
  Course run(world, 1e-3);
  run.steps(5000);
  const double weight = 9.81 * world[box].mass;
  EXPECT_NEAR(run.contacts.force(box, floor, 1e-3).z() / weight, 1, 1e-6);
  EXPECT_NEAR(run.contacts.force(floor, box, 1e-3).z() / weight, -1, 1e-6);
  EXPECT_EQ(run.contacts.touches().size(), 4u);
  EXPECT_LT(run.momentum_gap(), 1e-9);
  EXPECT_NEAR(run.energy_gap(), 0, 1e-9);
}

TEST(BodyContact, ReboundFollowsNewtonsLaw) {
  for (const double e : {0.0, 0.3, 0.8, 1.0}) {
    World world;
    world.law().restitution = e;
    world.add(geometry::Plane{}, Vec3::Zero(), true);
    const BodyId ball = world.add(geometry::Sphere{0.1}, {0, 0, 0.1});
    world[ball].velocity = {0, 0, -2};
    world.bodies.gravity = Vec3::Zero();
    Course run(world, 1e-4);
    run.steps(10);
    EXPECT_NEAR(run.velocity(ball).z(), 2 * e, 1e-7) << e;  // the trace of compliance in the impact
    EXPECT_NEAR(run.contacts.books().impacts.dissipated, 0.5 * world[ball].mass * 4 * (1 - e * e), 1e-6);
    EXPECT_LT(run.momentum_gap(), 1e-12);
    EXPECT_NEAR(run.energy_gap(), 0, 1e-9);
  }
}

// A sphere that strikes at an angle: it rolls off if mu >= 2/7 |u_t|/((1 + e) |u_n|), and slides on
// otherwise.
TEST(BodyContact, ObliqueImpactSticksOrSlides) {
  for (const double mu : {0.05, 0.1, 0.4}) {
    World world;
    world.law() = {.friction = mu, .restitution = 0.5};
    world.add(geometry::Plane{}, Vec3::Zero(), true);
    const BodyId ball = world.add(geometry::Sphere{0.1}, {0, 0, 0.1});
    world[ball].velocity = {1, 0, -1};
    world.bodies.gravity = Vec3::Zero();
    Course run(world, 1e-4);
    run.steps(5);
    const double given = std::min(mu * 1.5, 2.0 / 7.0);
    EXPECT_NEAR(run.velocity(ball).x(), 1 - given, 1e-6) << mu;
    EXPECT_NEAR(run.velocity(ball).z(), 0.5, 1e-6);
    EXPECT_NEAR(run.energy_gap(), 0, 1e-9);
    EXPECT_GE(run.contacts.books().impacts.dissipated, 0);
  }
}

TEST(BodyContact, EnergyNeverGrowsInHeapsOfImpacts) {
  World world;
  world.law() = {.friction = 0.7, .restitution = 0.9};
  world.add(geometry::Plane{}, Vec3::Zero(), true);
  for (int i = 0; i < 6; ++i) {
    const BodyId box = world.add(geometry::Box{{0.3, 0.1, 0.05}}, {0.02 * i, 0, 0.3 + 0.2 * i});
    world[box].pose.q = Quat(Eigen::AngleAxisd(0.7 * i, Vec3(1, i, 0.3).normalized()));
    world[box].angular_velocity = {3.0 * i, -2, 5};
  }
  Course run(world, 1e-3);
  const auto total = [&] { return run.ledger().total(); };
  const double turnover = run.initial + 1;
  double last = total();
  for (int i = 0; i < 1000; ++i) {
    run.steps(1);
    EXPECT_LT(total(), last + 1e-4 * turnover) << i;
    last = total();
  }
  EXPECT_GE(run.contacts.books().impacts.lost, -1e-6 * turnover);
  EXPECT_LT(run.momentum_gap(), 1e-9);
  EXPECT_NEAR(run.energy_gap(), 0, 1e-9);
}

// A ball that rolls is slowed down by 5/7 g r/R, one that spins on the spot by g s/(2/5 R^2).
TEST(BodyContact, MomentsResistRollingAndTwisting) {
  World world;
  world.law() = {.rolling = 0.002, .twisting = 0.001};
  world.add(geometry::Plane{}, Vec3::Zero(), true);
  const BodyId rolls = world.add(geometry::Sphere{0.1}, {0, 0, 0.1});
  const BodyId spins = world.add(geometry::Sphere{0.1}, {0, 1, 0.1});
  world[rolls].velocity = {1, 0, 0};
  world[rolls].angular_velocity = {0, 10, 0};
  world[spins].angular_velocity = {0, 0, 20};
  Course run(world, 1e-3);
  run.steps(500);
  EXPECT_NEAR(run.velocity(rolls).x(), 1 - 5.0 / 7.0 * 9.81 * 0.02 * 0.5, 1e-4);
  EXPECT_NEAR(run.bodies.angular_velocity(spins).z(), 20 - 9.81 * 0.001 / 0.004 * 0.5, 1e-3);
  EXPECT_LT(run.momentum_gap(), 1e-9);
  EXPECT_NEAR(run.energy_gap(), 0, 1e-9);
}

TEST(BodyContact, GroupsAndJointsKeepBodiesApart) {
  const auto touches = [](auto change) {
    World world;
    world.add(geometry::Sphere{0.1}, {0, 0, 0});
    world.add(geometry::Sphere{0.1}, {0, 0, 0.15});
    change(world);
    Course run(world, 1e-3);
    run.steps(1);
    return !run.contacts.touches().empty();
  };
  EXPECT_TRUE(touches([](World&) {}));
  EXPECT_FALSE(touches([](World& w) { w.contacts.strangers = {{0, 1}}; }));
  EXPECT_FALSE(touches([](World& w) {
    w.contacts.surfaces[0].groups = 2;
    w.contacts.surfaces[1].avoids = 2;
  }));
  EXPECT_TRUE(touches([](World& w) {
    w.contacts.surfaces[0].groups = 2;
    w.contacts.surfaces[1].avoids = 4;
  }));
  EXPECT_FALSE(touches([](World& w) { w.bodies.bodies[0].fixed = w.bodies.bodies[1].fixed = true; }));
}

// The state holds everything that matters: what goes on from it is the same to the bit.
TEST(BodyContact, RestoredRunGoesOnWithTheSameBits) {
  World world;
  world.add(geometry::Plane{}, Vec3::Zero(), true);
  for (int i = 0; i < 8; ++i)
    world.add(geometry::Box{{0.1, 0.1, 0.1}}, {0.03 * (i % 3), 0.02 * (i % 2), 0.1 + 0.12 * i});
  Course whole(world, 1e-3), again(world, 1e-3);
  whole.steps(300);
  const Archive middle = whole.stepper.save();
  whole.steps(200);
  again.stepper.restore(middle);
  again.steps(200);
  EXPECT_EQ(whole.stepper.save().hash(), again.stepper.save().hash());
}

TEST(Touches, MatchByFeatureThenByPlace) {
  std::vector<geometry::ContactPoint> points(3);
  for (std::size_t i = 0; i < 3; ++i) {
    points[i].feature = 10 + i;
    points[i].on_a = points[i].on_b = Vec3(static_cast<double>(i), 0, 0);
  }
  std::vector<Touch> known(3);
  known[0].feature = 11, known[0].point = Vec3(0, 0, 0);
  known[1].feature = 7, known[1].point = Vec3(2.1, 0, 0);
  known[2].feature = 8, known[2].point = Vec3(0.2, 0, 0);
  std::vector<const Touch*> found(3);
  match_touches(points, known, found);
  EXPECT_EQ(found[1], &known[0]);
  EXPECT_EQ(found[0], &known[2]);
  EXPECT_EQ(found[2], &known[1]);
  match_touches(points, std::span(known).first(1), found);
  EXPECT_EQ(found[0], nullptr);
  EXPECT_EQ(found[1], &known[0]);
}

// ---- adhesion

// A sphere of 1 kg under a plate, attracted by `share` of its weight.
struct Hanging {
  World world;
  BodyId plate, ball;
  explicit Hanging(double share) {
    plate = world.add(geometry::Box{{1, 1, 0.1}}, {0, 0, 0.05}, true);
    ball = world.add(geometry::Sphere{0.05}, {0, 0, -0.05});
    world[ball].mass = 1;
    world.law().compliance = 1e-6;
    world.law().adhesion = share * world.bodies.gravity.norm();
  }
};

TEST(BodyContact, AdhesionCarriesUpToItsForce) {
  const Hanging held(1.001);
  Course stays(held.world, 1e-3);
  stays.steps(1000);
  const double weight = held.world.bodies.gravity.norm();
  EXPECT_NEAR(stays.contacts.force(held.ball, held.plate, 1e-3).z(), weight, 1e-6 * weight);
  // The surfaces push a thousandth of the weight: eps N.
  EXPECT_NEAR(stays.position(held.ball).z(), -0.05 + 1e-6 * 0.001 * weight, 1e-10);
  EXPECT_NEAR(stays.contacts.touches().at(0).impulse.norm(), 1e-3 * 0.001 * weight, 1e-9);

  const Hanging lost(0.999);
  Course falls(lost.world, 1e-3);
  falls.steps(1000);
  EXPECT_NEAR(falls.position(lost.ball).z(), -0.05 - 0.5 * weight, 0.02);
  EXPECT_TRUE(falls.contacts.force(lost.ball, lost.plate, 1e-3).isZero(0));
}

TEST(BodyContact, AdhesionIsInTheBooks) {
  for (const double share : {0.999, 1.001, 3.0}) {
    const Hanging hanging(share);
    for (const double h : {1e-3, 1e-4}) {
      Course course(hanging.world, h);
      course.steps(2000);
      EXPECT_LE(course.momentum_gap(), 1e-12) << share;
      EXPECT_LE(std::abs(course.energy_gap()), 1e-10) << share;
      // At rest, d = eps N deep with N = C - m g: N d/2 - C d = -eps (C - m g)(C + m g)/2.
      const double mg = hanging.world.bodies.gravity.norm(), c = share * mg;
      const double depth = share > 1 ? 1e-6 * (c - mg) : 0;
      EXPECT_NEAR(course.contacts.books().normal.stored, -depth * (c + mg) / 2, 1e-6 * depth * c) << share;
    }
  }
}

// A ball on the edge of a box, in free flight, the box pulled away: what one gets, the other gives, also
// about the middle.
TEST(BodyContact, AdhesionActsOnBoth) {
  World world;
  const BodyId box = world.add(geometry::Box{{0.2, 0.2, 0.1}}, {0, 0, 0});
  const BodyId ball = world.add(geometry::Sphere{0.05}, {0.07, 0.04, 0.0999999});
  world.bodies.gravity.setZero();
  world.law() = {.compliance = 1e-5, .adhesion = 20};
  world[box].velocity = {0, 0, -0.002};
  Course course(world, 1e-4);
  const multibody::Ledger before = course.ledger();
  course.steps(500);
  const multibody::Ledger after = course.ledger();
  EXPECT_LE((after.momentum - before.momentum).norm(), 1e-12);
  EXPECT_LE((after.angular_momentum - before.angular_momentum).norm(), 1e-9);
  EXPECT_LE(course.momentum_gap(), 1e-12);
  EXPECT_LT(course.velocity(ball).z(), -5e-4);  // taken along
  EXPECT_GT(course.bodies.state().angular_momentum[box.index()].norm(), 1e-6);
}

// It presses: friction slows what slides by mu (g + C/m).
TEST(BodyContact, AdhesionPresses) {
  World world;
  world.add(geometry::Plane{}, Vec3::Zero(), true);
  const BodyId ball = world.add(geometry::Sphere{0.05}, {0, 0, 0.05});
  world[ball].mass = 1;
  world[ball].inertia = 1e9 * Mat3::Identity();  // so that it does not roll
  world[ball].velocity = {2, 0, 0};
  world.law() = {.friction = 0.3, .compliance = 1e-7, .adhesion = 5};
  const double slowed = 0.3 * (world.bodies.gravity.norm() + 5);
  Course course(world, 1e-4);
  course.steps(2000);
  EXPECT_NEAR(course.velocity(ball).x(), 2 - slowed * 0.2, 2e-3 * slowed * 0.2);
  EXPECT_LE(course.momentum_gap(), 1e-11);
}

}  // namespace
}  // namespace hardpan::couple
