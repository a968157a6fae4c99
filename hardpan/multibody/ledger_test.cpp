// The books: works add up to kinetic energy, nothing appears from nowhere, momentum comes from outside only.
#include "hardpan/multibody/ledger.h"

#include <cmath>

#include <gtest/gtest.h>

#include "hardpan/multibody/test_models.h"

namespace hardpan::multibody {
namespace {

using namespace test;

double works(const Ledger& books) {
  return books.gravity.work + books.joints.work + books.springs.work + books.loads.work;
}

class RandomMechanisms : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Ledger, RandomMechanisms, ::testing::Range(0, 12));

TEST_P(RandomMechanisms, EnergyBooksCloseToRounding) {
  const double h = 1e-3;
  Sim sim(random_mechanism(static_cast<std::uint64_t>(GetParam()), 8, h), h);
  const Ledger start = sim.books();
  double turned_over = start.kinetic + 1, dissipated = 0, kinetic = start.kinetic;
  for (int i = 0; i < 400; ++i) {
    ASSERT_GO(sim, 1);
    const Ledger& books = sim.books();
    turned_over += std::abs(books.kinetic - kinetic);
    kinetic = books.kinetic;
    ASSERT_GE(books.dissipated(), dissipated);
    dissipated = books.dissipated();
  }
  const Ledger& books = sim.books();
  EXPECT_NEAR(works(books), books.kinetic - start.kinetic, 1e-11 * turned_over);
  EXPECT_NEAR(books.total() + books.dissipated() + books.lost(), start.total() + books.loads.work,
              1e-11 * turned_over);
}

// The stored energies are those of the present configuration, computed here from scratch.
TEST_P(RandomMechanisms, StoredEnergyIsThatOfThePresentPoses) {
  const double h = 1e-3;
  Sim sim(random_mechanism(static_cast<std::uint64_t>(GetParam()), 6, h), h);
  ASSERT_GO(sim, 100);
  const Model& model = sim.system.model();
  double kinetic = 0, gravity = 0, springs = 0;
  for (std::size_t i = 0; i < model.bodies.size(); ++i) {
    const Body& body = model.bodies[i];
    const Mat3 R = sim.pose(i).q.toRotationMatrix();
    const Vec3 omega = sim.system.angular_velocity(BodyId(i));
    kinetic += 0.5 * body.mass * sim.velocity(i).squaredNorm() +
               0.5 * omega.dot(R * body.inertia * R.transpose() * omega);
    gravity -= body.mass * model.gravity.dot(sim.pose(i).x);
  }
  std::size_t c = 0;
  for (const CouplingInfo& info : sim.system.couplings()) {
    const Elastic& spring = std::get<std::vector<Elastic>>(model.couplings)[c++];
    springs += 0.5 * spring.stiffness * std::pow(sim.system.axis(info, 0).value - spring.rest, 2);
  }
  for (const BushingJoint& joint : std::get<std::vector<BushingJoint>>(model.joints)) {
    const Pose &A = sim.system.pose(joint.ends.a), &B = sim.system.pose(joint.ends.b);
    const Vec3 way = (A.q * joint.frame_A).conjugate() * (B.point(joint.s_B) - A.point(joint.s_A));
    const Eigen::AngleAxisd turn((A.q * joint.frame_A).conjugate() * (B.q * joint.frame_B));
    const Vec3 bend = 2 * std::sin(turn.angle() / 2) * turn.axis();
    springs += 0.5 * way.dot(joint.stiffness.cwiseProduct(way)) +
               0.5 * bend.dot(joint.angular_stiffness.cwiseProduct(bend));
  }
  EXPECT_NEAR(sim.books().kinetic, kinetic, 1e-10 * (1 + kinetic));
  EXPECT_NEAR(sim.books().gravity.stored, gravity, 1e-10 * (1 + std::abs(gravity)));
  EXPECT_NEAR(sim.books().springs.stored, springs, 1e-10 * (1 + springs));
}

TEST_P(RandomMechanisms, LinearMomentumComesFromOutsideOnly) {
  const double h = 1e-3;
  const auto seed = static_cast<std::uint64_t>(GetParam());
  for (const bool with_world : {false, true}) {
    Sim sim(random_mechanism(seed, 8, h, with_world), h);
    const Ledger start = sim.books();
    ASSERT_GO(sim, 400);
    const Ledger& books = sim.books();
    EXPECT_LT((books.momentum - books.impulse).norm(), 1e-10);
    if (!with_world) {
      EXPECT_LT((books.momentum - start.momentum).norm(), 1e-11);
    }
  }
}

// Rods and springs push along one line, so the angular books close to rounding; so do balls and hinges that
// have one end in the world.
TEST(Ledger, AngularMomentumClosesToRoundingForRodsSpringsAndWorldJoints) {
  Random random(31);
  const double h = 1e-3;
  for (const bool with_world : {false, true}) {
    Model model;
    if (!with_world) model.gravity.setZero();
    for (int i = 0; i < 6; ++i) add_random_body(model, random);
    for (std::size_t i = 1; i < 6; ++i) {
      if (i % 2)
        add_joint(model,
                  rod(model, BodyId(i - 1), BodyId(i), random.vector(0.3), random.vector(0.3), rigid(h)));
      else
        add_spring(model, BodyId(i - 1), BodyId(i), random.vector(0.3), random.vector(0.3), 0.5, 200, 2);
    }
    if (with_world) {
      add_joint(model, ball(model, world, BodyId(0), Vec3(0.3, 0.1, 0), rigid(h)));
      add_joint(model, hinge(model, BodyId(3), world, Vec3(1, 0.1, 0), Vec3::UnitX(), rigid(h)));
      model.loads.push_back(
          {"push", BodyId(5), random.vector(0.3), random.vector(20), random.vector(2), 0, 0.1});
    }
    Sim sim(model, h);
    const Ledger start = sim.books();
    ASSERT_GO(sim, 500);
    const Ledger& books = sim.books();
    EXPECT_LT((books.angular_momentum - books.angular_impulse).norm(), 1e-10);
    if (!with_world) {
      EXPECT_LT((books.angular_momentum - start.angular_momentum).norm(), 1e-11);
    } else {
      EXPECT_GT((books.angular_momentum - start.angular_momentum).norm(), 0.1);
    }
  }
}

// Four links joined by balls, free in space, each link with a spin of its own and no shock at the start.
Model free_chain(double h) {
  Model model = hanging_chain(4, 1, 0.3, {1e-10, 2 * h}, Vec3::UnitX());
  auto& balls = std::get<std::vector<BallJoint>>(model.joints);
  balls.erase(balls.begin());
  model.gravity.setZero();
  const double spin[] = {2, -1, 3, -2};
  Vec3 end = Vec3::Zero();  // velocity of the joint between this link and the last
  for (std::size_t i = 0; i < 4; ++i) {
    Body& body = model.bodies[i];
    body.angular_velocity = Vec3(0.3 * static_cast<double>(i), 0.5, spin[i]);
    body.velocity = end + body.angular_velocity.cross(Vec3(0.15, 0, 0));
    end += body.angular_velocity.cross(Vec3(0.3, 0, 0));
  }
  return model;
}

TEST(Ledger, AngularMomentumOfBallChainsClosesToRounding) {
  Sim sim(free_chain(2e-3), 2e-3);
  ASSERT_GO(sim, 1000);
  const Ledger& books = sim.books();
  EXPECT_LT((books.angular_momentum - books.angular_impulse).norm() / books.angular_momentum.norm(), 1e-13);
}

// A mass of 2 kg on a spring of 50 N/m (5 rad/s), pulled out by 0.1 m; `end` in s.
Ledger books_of_oscillator(double damping, double end, int steps) {
  Model model;
  model.gravity.setZero();
  const BodyId id = add_body(model, Vec3(0, 0, 1.1), 2);
  add_spring(model, world, id, Vec3::Zero(), Vec3::Zero(), 1, 50, damping);
  Sim sim(model, end / steps);
  EXPECT_TRUE(sim.go(steps).ok);
  return sim.books();
}

TEST(Ledger, LostHalvesWithTheStep) {
  double last = 0;
  for (const int steps : {500, 1000, 2000, 4000}) {
    const double lost = std::abs(books_of_oscillator(0.8, 1.0, steps).lost());
    if (last > 0) {
      EXPECT_NEAR(last / lost, 2.0, 0.1);
    }
    last = lost;
  }
}

// Without damper the row is time-reversible: the error of energy swings with the phase and does not grow.
TEST(Ledger, UndampedSpringLosesNothingInTheLongRun) {
  const double period = 2 * pi / 5;
  for (const double periods : {1.0, 100.0}) {
    const Ledger books = books_of_oscillator(0, periods * period, static_cast<int>(200 * periods));
    EXPECT_EQ(books.dissipated(), 0.0);
    EXPECT_LT(std::abs(books.lost()), 0.1 * (2 * pi / 200) * 0.25);  // a tenth of h w E
  }
}

TEST(Ledger, LostOfAPendulumVanishesWithTheStep) {
  const auto lost = [](double h) {
    Model model;
    const BodyId id = add_body(model, Vec3(0.7, 0, 0), 3, 0.2);
    add_joint(model, ball(model, world, id, Vec3::Zero(), rigid(h)));
    Sim sim(model, h);
    EXPECT_TRUE(sim.go(static_cast<int>(std::lround(1.0 / h))).ok);
    return std::abs(sim.books().lost());
  };
  const double coarse = lost(2e-3), fine = lost(1e-3);
  EXPECT_LT(coarse, 0.2);
  EXPECT_GT(coarse / fine, 1.8);
}

// A spring pulled out and let back in stairs of load. What the loads gave is dissipated (or lost to the
// scheme), nothing stays stored, and finer stairs cost less: the law itself is free.
TEST(Ledger, ClosedCycleOfASpringStoresNothing) {
  const auto work_of_cycle = [](int stairs) {
    Model model;
    model.gravity.setZero();
    const double pause = 1.0;
    const BodyId id = add_body(model, Vec3(0, 0, 1), 1);
    add_spring(model, world, id, Vec3::Zero(), Vec3::Zero(), 1, 100, 20);  // critical
    for (int i = 0; i < stairs; ++i)
      model.loads.push_back({"stair", id, Vec3::Zero(), Vec3(0, 0, 10.0 / stairs), Vec3::Zero(), pause * i,
                             pause * (2 * stairs - 1 - i)});
    Sim sim(model, 1e-3);
    EXPECT_TRUE(sim.go(static_cast<int>(std::lround(1000 * pause * 2 * stairs))).ok);
    const Ledger& books = sim.books();
    EXPECT_LT(books.springs.stored, 1e-6);
    EXPECT_LT(books.kinetic, 1e-6);
    EXPECT_NEAR(books.loads.work, books.dissipated() + books.lost(), 2e-6);
    EXPECT_LT(std::abs(books.lost()), 0.03 * books.dissipated());
    return books.loads.work;
  };
  // Each stair of f = F/n moves f/k and back: the work is F^2/(k n).
  EXPECT_NEAR(work_of_cycle(2), 0.5, 0.01);
  EXPECT_NEAR(work_of_cycle(4), 0.25, 0.01);
}

TEST(Ledger, DamperDissipatesWhatItTakes) {
  Model model;
  model.gravity.setZero();
  const BodyId id = add_body(model, Vec3(0, 0, 1), 2);
  model.bodies[0].velocity = Vec3(0, 0, 3);
  add_spring(model, world, id, Vec3::Zero(), Vec3::Zero(), 1, 0, 4);
  Sim sim(model, 1e-4);
  ASSERT_GO(sim, 5000);
  const double taken = 0.5 * 2 * 9 - sim.books().kinetic;
  EXPECT_NEAR(sim.books().dissipated() / taken, 1.0, 1e-3);
}

TEST(Ledger, PacksEveryNumber) {
  std::array<double, Ledger::size> values{};
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = 1.0 + static_cast<double>(i);
  const Ledger books = Ledger::unpack(values);
  EXPECT_EQ(books.pack(), values);
  EXPECT_EQ(books.kinetic, 1.0);
  EXPECT_EQ(sizeof(Ledger), Ledger::size * sizeof(double));
}

}  // namespace
}  // namespace hardpan::multibody
