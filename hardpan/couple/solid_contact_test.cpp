#include "hardpan/couple/solid_contact.h"

#include <cmath>

#include <gtest/gtest.h>

#include "hardpan/core/error.h"
#include "hardpan/core/parallel.h"
#include "hardpan/meshfree/test_solids.h"
#include "hardpan/multibody/test_models.h"

namespace hardpan::couple {
namespace {

using meshfree::Cloud;
using meshfree::Solid;
using multibody::Body;
using multibody::BodyId;

constexpr double g = 9.81;

// A block of 0.4 x 0.4 x 0.2 m whose top is at z = 0, held at its bottom unless it is free.
struct World {
  multibody::Model bodies;
  ContactModel contacts;
  meshfree::SolidModel solid;

  explicit World(const meshfree::SolidMaterial& material = meshfree::elastic(1e6, 0.25, 2000),
                 bool held = true, double friction = 0.5) {
    const Cloud cloud = meshfree::box_lattice({-0.2, -0.2, -0.2}, {0.2, 0.2, 0}, {5, 5, 3});
    solid = solid_of(cloud, material);
    if (held)
      for (Eigen::Index axis = 0; axis < 3; ++axis)
        solid.holds.push_back({meshfree::face(cloud, 2, -0.2), Vec3::Unit(axis), meshfree::still()});
    contacts.materials = {"any"};
    contacts.laws = {{.friction = friction}};
    set_gravity({0, 0, -g});
  }
  void set_gravity(const Vec3& gravity) { bodies.gravity = solid.gravity = gravity; }
  BodyId add(const geometry::Shape& shape, const Vec3& at, double mass, const Vec3& velocity = Vec3::Zero()) {
    Body body;
    body.name = "body" + std::to_string(bodies.bodies.size());
    body.pose = Pose{at};
    body.fixed = mass == 0;
    body.velocity = velocity;
    if (mass > 0) {
      body.mass = mass;
      body.inertia = mass * geometry::solid(shape).inertia;
    }
    const BodyId id(bodies.bodies.size());
    bodies.bodies.push_back(body);
    contacts.surfaces.push_back({id, {shape, {}}});
    return id;
  }
};

struct Course {
  multibody::System bodies;
  BodyContact contacts;
  Solid solid;
  SolidContact ground;
  solve::Stepper stepper;

  Course(const World& world, double h, const solve::SolverOptions& solver = {}, std::size_t parts = 2,
         double softness = 0.01)
      : bodies(world.bodies),
        contacts(world.contacts, bodies, solver.friction),
        solid(world.solid),
        ground({.materials = {0}, .parts = parts, .softness = softness}, contacts, bodies, solid,
               solver.friction),
        stepper(h, {&bodies, &contacts, &solid, &ground}, solver) {}
  void run(int steps) {
    for (int k = 0; k < steps; ++k) {
      const solve::StepReport report = stepper.step();
      ASSERT_TRUE(report.ok) << report.reason;
    }
  }
  Vec3 velocity(BodyId body) const { return bodies.state().velocity[body.index()]; }
  multibody::Ledger ledger() const {
    multibody::Ledger books = bodies.ledger();
    contacts.books().add_to(books);
    ground.books().add_to(books);
    return books;
  }
};

solve::SolverOptions with(solve::SolverKind kind, solve::Friction friction = solve::Friction::cone) {
  solve::SolverOptions options;
  options.kind = kind;
  options.friction = friction;
  return options;
}

// A plate settles on the block: it is carried, the force is that of its weight, in its middle, and all
// particles below share it evenly but for the rim.
// Balls as in the paper stick out by half a spacing: there the plate lies, in its middle, with its weight.
TEST(SolidContact, BallsAroundParticlesCarryAPlate) {
  World world;
  world.solid.gravity.setZero();
  const BodyId plate = world.add(geometry::Box{Vec3(0.3, 0.3, 0.1)}, {0, 0, 0.1}, 20);
  Course course(world, 0.01, with(solve::SolverKind::newton), 0);
  course.run(300);
  const Vec3 force = course.ground.force(plate, 0.01);
  EXPECT_NEAR(force.z() / (20 * g), 1, 1e-4);
  EXPECT_LT(force.head<2>().norm(), 1e-6 * 20 * g);
  EXPECT_LT(course.ground.moment(plate, course.bodies.pose(plate).x, 0.01).norm(), 1e-6 * 20 * g);
  const double lies_at = course.bodies.pose(plate).x.z() - 0.05;
  EXPECT_LT(lies_at, 0.05);
  EXPECT_GT(lies_at, 0.045);
}

TEST(SolidContact, APlateIsCarried) {
  World world;
  const double mass = 50;
  const BodyId plate = world.add(geometry::Box{{0.2, 0.2, 0.05}}, {0, 0, 0.025}, mass);
  Course course(world, 2e-3);
  course.run(1000);
  const Vec3 force = course.ground.force(plate, 2e-3);
  EXPECT_NEAR(force.z(), mass * g, 1e-4 * mass * g);
  EXPECT_LT(force.head<2>().norm(), 1e-6 * mass * g);
  EXPECT_LT(course.ground.moment(plate, course.bodies.pose(plate).x, 2e-3).norm(), 1e-6 * mass * g);
  EXPECT_LT(course.velocity(plate).norm(), 1e-5);
  EXPECT_LT(course.bodies.pose(plate).x.z(), 0.025 - 1e-4);
}

// A plate larger than the block lies on all of its top, rim included, and on nothing beside it.
TEST(SolidContact, SidesDoNotCarryWhatLiesOnTheTop) {
  World world;
  const BodyId plate = world.add(geometry::Box{{0.6, 0.6, 0.05}}, {0, 0, 0.025}, 50);
  Course course(world, 2e-3);
  course.run(20);
  EXPECT_LT(course.bodies.pose(plate).x.z(), 0.025);
  EXPECT_EQ(std::ranges::count_if(course.ground.touches(), &Touch::pressed), 81);
}

// Bodies and solid are alone: what one gains the other loses, momentum and its moment, while they meet,
// rub and part.
TEST(SolidContact, MomentumIsKept) {
  World world(meshfree::elastic(1e5, 0.25, 1000), false);
  world.set_gravity(Vec3::Zero());
  world.solid.stabilisation = 0;  // whose rows do not keep its moment exactly
  const BodyId ball = world.add(geometry::Sphere{0.1}, {0.12, 0.04, 0.12}, 5, {-0.3, 0.2, -1});
  Course course(world, 1e-3, {}, 3);  // parts that carry unevenly
  const auto momentum = [&] { return Vec3(course.solid.momentum() + 5 * course.velocity(ball)); };
  const auto spin = [&] {
    return Vec3(course.solid.angular_momentum() +
                course.bodies.pose(ball).x.cross(5 * course.velocity(ball)) +
                0.4 * 5 * 0.01 * course.bodies.angular_velocity(ball));
  };
  const Vec3 before = momentum(), spin_before = spin();
  double most = 0;
  for (int k = 0; k < 200; ++k) {
    course.run(1);
    most = std::max(most, course.ground.force(ball, 1e-3).norm());
    EXPECT_LT((momentum() - before).norm(), 1e-12);
  }
  EXPECT_GT(most, 10);                                                                    // it touched
  EXPECT_TRUE(course.ground.touches().empty() || !course.ground.touches()[0].pressed());  // and is gone
  EXPECT_GT(course.velocity(ball).z(), 0);
  EXPECT_LT((spin() - spin_before).norm(), 1e-9 * spin_before.norm());
}

// What presses on a ball without friction goes through its middle, however the surface lies beside it: its
// spin stays. The gap opens and closes by what forces do work along, and all energy is accounted for.
TEST(SolidContact, NormalsDoNotTurnABall) {
  World world(meshfree::elastic(1e5, 0.25, 2000), true, 0);
  world.solid.stabilisation = 0;
  const BodyId ball = world.add(geometry::Sphere{0.1}, {-0.1, 0.01, 0.1}, 10, {0.5, 0, 0});
  const Vec3 spin(3, 10, 0);
  world.bodies.bodies[ball.index()].angular_velocity = spin;
  Course course(world, 2.5e-4);
  double sideways = 0;
  for (int k = 0; k < 1200; ++k) {
    course.run(1);
    const Vec3 force = course.ground.force(ball, 2.5e-4);
    sideways = std::max(sideways, force.head<2>().norm() / std::max(1.0, force.norm()));
  }
  EXPECT_GT(sideways, 0.1);
  EXPECT_LT((course.bodies.angular_velocity(ball) - spin).norm(), 1e-9);
  EXPECT_NEAR(course.ledger().contacts.lost, 0, 0.01 * 0.5 * 10 * 0.25);
}

// Where a blow begins before the surface is reached, what is left of it ends in the next step: an impact all
// the same, and no work of springs.
TEST(SolidContact, ABlowOfTwoStepsIsAnImpact) {
  for (const double height : {0.02, 0.021, 0.022, 0.023, 0.024}) {
    World world;
    const double mass = 20;
    world.add(geometry::Box{{0.2, 0.2, 0.04}}, {0, 0, 0.02 + height}, mass);
    Course course(world, 5e-3);
    course.run(40);
    const multibody::Ledger books = course.ledger();
    const double fall = mass * g * height;
    EXPECT_NEAR(books.contacts.lost, 0, 0.01 * fall);
    EXPECT_GT(books.impacts.dissipated, 0.6 * fall);
  }
}

// A block on a slope that is the block's own: it stays below the angle of friction, without creep, and slides
// beyond it as on rigid ground.
TEST(SolidContact, SticksAndSlides) {
  solve::SolverOptions products = with(solve::SolverKind::newton);
  products.matrix_free = true;
  for (const auto& solver : {with(solve::SolverKind::newton), products}) {
    for (const double slope : {0.45, 0.6}) {
      World world(meshfree::elastic(1e7, 0.25, 2000));
      const double cosine = 1 / std::sqrt(1 + slope * slope);
      world.set_gravity({g * slope * cosine, 0, -g * cosine});
      world.solid.relaxation_time = 5e-3;  // so that it has come to rest when one looks
      const BodyId block = world.add(geometry::Box{{0.2, 0.2, 0.02}}, {-0.05, 0, 0.01}, 4);
      Course course(world, 1e-3, solver);
      course.run(100);
      const double x = course.bodies.pose(block).x.x(), v = course.velocity(block).x();
      course.run(100);
      if (slope < 0.5) {
        EXPECT_LT(std::abs(course.bodies.pose(block).x.x() - x), 1e-7);
      } else {
        const double a = g * cosine * (slope - 0.5);
        EXPECT_NEAR(course.velocity(block).x() - v, 0.1 * a, 0.01 * 0.1 * a);
      }
    }
  }
}

// With soft rows taken into the velocities, by products alone, or all of them factored: the same motion,
// while a ball comes down, rubs and turns, on what yields and what does not, beside two bodies and a hinge.
// Under Coulomb's law, which may have several solutions, products come to one of them.
TEST(SolidContact, SolvedByProductsOrByFactors) {
  material::SoilParameters soft = meshfree::clay();
  soft.young = 1e6;
  soft.cohesion = 1e3;
  soft.tension = 2.5e3;
  for (const bool yields : {false, true})
    for (const solve::Friction law : {solve::Friction::convex, solve::Friction::cone}) {
      World world(yields ? meshfree::soil(soft) : meshfree::elastic(1e6, 0.25, 2000));
      const BodyId ball = world.add(geometry::Sphere{0.1}, {0.02, 0.01, 0.105}, 20, {0.5, 0, -0.5});
      const BodyId lid = world.add(geometry::Box{{0.1, 0.1, 0.02}}, {-0.12, -0.1, 0.01}, 2);
      const BodyId arm = world.add(geometry::Box{{0.1, 0.02, 0.02}}, {-0.12, -0.1, 0.2}, 1);
      multibody::add(world.bodies, multibody::test::hinge(world.bodies, lid, arm, {-0.12, -0.1, 0.11},
                                                          Vec3::UnitX(), multibody::test::rigid(2e-3)));
      solve::SolverOptions factors = with(solve::SolverKind::newton, law), products = factors;
      factors.tolerance = products.tolerance = 1e-9;
      products.matrix_free = true;
      Course other(world, 2e-3, products);
      for (int k = 0; k < 25; ++k) {
        const solve::StepReport report = other.stepper.step();
        ASSERT_TRUE(report.ok) << report.reason;
        EXPECT_TRUE(report.solve.converged);
        EXPECT_LT(report.solve.residual.velocity, 1e-9);
      }
      EXPECT_GT(other.ground.force(ball, 2e-3).norm(), 50);
      if (law == solve::Friction::cone) continue;
      Course one(world, 2e-3, factors);
      one.run(25);
      for (const BodyId body : {ball, lid, arm})
        EXPECT_LT((one.velocity(body) - other.velocity(body)).norm(), 1e-7);
      for (std::size_t i = 0; i < one.solid.size(); ++i)
        EXPECT_LT((one.solid.velocity(i) - other.solid.velocity(i)).norm(), 1e-7);
    }
}

// A ball falls on it and comes to rest: energy is accounted for.
TEST(SolidContact, BooksClose) {
  World world;
  world.solid.stabilisation = 0;  // whose rows do not keep moments exactly
  world.add(geometry::Sphere{0.1}, {0.02, 0.01, 0.15}, 10);
  Course course(world, 1e-3);
  course.run(400);
  const multibody::Ledger books = course.ledger();
  const meshfree::SolidBooks& own = course.solid.books();
  const double change = books.kinetic + course.solid.kinetic_energy();
  const double works = books.gravity.work + own.gravity + own.outside + own.stress + own.balance +
                       books.contacts.work + books.friction.work + books.impacts.work;
  EXPECT_NEAR(change, works, 1e-9);
  EXPECT_LT(
      (books.angular_momentum + course.solid.angular_momentum() - books.angular_impulse - own.angular_impulse)
          .norm(),
      1e-9);
  EXPECT_GE(books.friction.dissipated, 0);
  EXPECT_GE(books.impacts.dissipated, -1e-12);
}

// A ball falls on a plate that lies on the block: the plate passes the blow on. What particles below it take
// up is an impact, and hardly anything is lost otherwise.
TEST(SolidContact, ABlowThroughAPlateIsAnImpact) {
  World world;
  world.add(geometry::Box{{0.2, 0.2, 0.04}}, {0, 0, 0.02}, 10);
  world.add(geometry::Sphere{0.05}, {0, 0, 0.19}, 10);
  Course course(world, 1e-3);
  course.run(500);
  const multibody::Ledger books = course.ledger();
  const double fall = 10 * g * 0.1;
  EXPECT_GT(books.impacts.dissipated, 0.5 * fall);  // 10 kg at rest are hit by 10 kg: a half, and the block's
  EXPECT_NEAR(books.contacts.lost, 0, 0.01 * fall);
}

// A ball strikes a plate that lies on all of the block, and stops: the plate has its momentum then and shares
// it, within the step, with the uppermost particles. Those below have not heard of it.
TEST(SolidContact, ABlowIsSharedWithTheParticlesBelow) {
  World world;
  world.set_gravity({0, 0, -0.1});  // so that the plate presses
  world.contacts.laws[0].restitution = 1;
  const double mass = 10, layer = 2000 * 0.4 * 0.4 * 0.05, shared = mass / (mass + layer);
  const BodyId plate = world.add(geometry::Box{{0.6, 0.6, 0.04}}, {0, 0, 0.02}, mass);
  const BodyId ball = world.add(geometry::Sphere{0.05}, {0, 0, 0.0902}, mass, {0, 0, -1});
  Course course(world, 1e-4, {}, 2, 1e-6);
  for (int k = 0; k < 10 && course.velocity(ball).z() < -0.5; ++k) course.run(1);
  EXPECT_NEAR(course.velocity(ball).z(), 0, 1e-3);
  EXPECT_NEAR(course.velocity(plate).z(), -shared, 0.01 * shared);
  EXPECT_NEAR(course.solid.momentum().z(), -layer * shared, 0.01 * layer * shared);
  EXPECT_NEAR(course.ground.books().impacts.dissipated, 0.5 * layer * shared, 0.01 * layer * shared);
}

TEST(SolidContact, SameBitsForAnyThreadsAndAfterARestart) {
  World world;
  world.add(geometry::Sphere{0.1}, {0.02, 0.01, 0.101}, 10, {0.5, 0, -0.3});
  set_thread_count(1);
  Course whole(world, 1e-3), first(world, 1e-3);
  whole.run(60);
  set_thread_count(2);
  first.run(30);
  Course second(world, 1e-3);
  second.stepper.restore(first.stepper.save());
  second.run(30);
  EXPECT_EQ(whole.stepper.save().hash(), second.stepper.save().hash());
  set_thread_count(0);
}

TEST(SolidContact, ForeignStatesAreRefused) {
  World world;
  world.add(geometry::Sphere{0.1}, {0.02, 0.01, 0.1}, 10);
  Course course(world, 1e-3);
  course.run(60);
  ASSERT_FALSE(course.ground.touches().empty());
  const Archive archive = course.stepper.save();
  World other;
  Course without(other, 1e-3);
  EXPECT_THROW(without.ground.restore(archive), IoError);
}

}  // namespace
}  // namespace hardpan::couple
