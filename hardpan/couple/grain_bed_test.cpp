#include "hardpan/couple/grain_bed.h"

#include <cmath>

#include <gtest/gtest.h>

#include "hardpan/core/error.h"
#include "hardpan/core/parallel.h"
#include "hardpan/core/random.h"
#include "hardpan/geometry/polyhedron.h"
#include "hardpan/geometry/triangle_mesh.h"

namespace hardpan::couple {
namespace {

using multibody::Body;
using multibody::BodyId;

constexpr double radius = 5e-3, grain_step = 2e-5;

struct World {
  multibody::Model bodies;
  GrainBedModel bed;

  World() {
    bed.step = grain_step;
    bed.laws = bed.grains.laws = {material::hertz_law({5e6, 0.3}, {5e6, 0.3}, 0.5, 0.4)};
  }
  BodyId add(const geometry::Shape& shape, const Pose& pose, double mass = 0) {
    Body body;
    body.name = "body" + std::to_string(bodies.bodies.size());
    body.fixed = mass == 0;
    body.pose = pose;
    if (mass > 0) {
      body.mass = mass;
      body.inertia = mass * geometry::solid(shape).inertia;
    }
    const BodyId id(bodies.bodies.size());
    bodies.bodies.push_back(body);
    bed.surfaces.push_back({id, {shape, {}}});
    return id;
  }
  void add_grain(const Vec3& at, const Vec3& velocity = Vec3::Zero()) {
    bed.grains.grains.push_back({.position = {at.x(), at.y(), at.z()},
                                 .velocity = {velocity.x(), velocity.y(), velocity.z()},
                                 .radius = radius,
                                 .density = 2500});
  }
  void no_gravity() {
    bodies.gravity.setZero();
    bed.grains.gravity = {};
  }
};

// Fails a step when it is told to, after all others have agreed.
struct Veto final : solve::Subsystem {
  bool fails = false;

  void declare(solve::Problem&) override {}
  solve::StepReport predict(double, double, solve::Problem&) override { return {}; }
  void assemble(double, solve::Problem&) override {}
  solve::StepReport advance(double, std::span<const double>, std::span<const double>) override {
    return fails ? solve::StepReport::failure("told to") : solve::StepReport{};
  }
  void commit() override {}
  void save(Archive&) const override {}
  void restore(const Archive&) override {}
};

struct Course {
  multibody::System bodies;
  GrainBed bed;
  Veto veto;
  solve::Stepper stepper;

  Course(const World& world, double h)
      : bodies(world.bodies), bed(world.bed, bodies), stepper(h, {&bodies, &bed, &veto}) {}

  void steps(int count) {
    for (int i = 0; i < count; ++i) {
      const solve::StepReport report = stepper.step();
      ASSERT_TRUE(report.ok) << report.reason;
    }
  }
  Vec3 momentum() const {
    const grains::Vec p = bed.grains().momentum();
    return bodies.ledger().momentum + Vec3(p.x, p.y, p.z);
  }
  // Velocities of grains stand half a step before their places.
  Vec3 angular_momentum() const {
    Vec3 sum = bodies.ledger().angular_momentum;
    const grains::System& g = bed.grains();
    for (std::size_t i = 0; i < g.size(); ++i) {
      const grains::Vec l = g.mass(i) * cross(g.state()[i].position, g.state()[i].velocity) +
                            (0.4 * g.mass(i) * g.radius(i) * g.radius(i)) * g.state()[i].spin;
      sum += Vec3(l.x, l.y, l.z);
    }
    return sum;
  }
};

geometry::Mesh tetrahedron_mesh(double size) {
  const std::vector<Vec3> v = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
  std::vector<Vec3> vertices;
  for (const Vec3& x : v) vertices.push_back(size * x);
  const std::vector<std::array<std::uint32_t, 3>> faces = {{0, 1, 2}, {0, 2, 3}, {0, 3, 1}, {1, 3, 2}};
  return {std::make_shared<const geometry::TriangleMesh>(geometry::make_mesh(vertices, faces))};
}

// Speed after over speed before, straight against a surface whose highest point is the origin.
double rebound(const geometry::Shape& shape, const Pose& pose, double& deepest) {
  World world;
  world.no_gravity();
  world.add(shape, pose);
  world.add_grain({0, 0, radius + 1e-6}, {0, 0, -0.3});
  Course course(world, grain_step);
  deepest = 0;
  for (int k = 0; k < 1000; ++k) {
    course.steps(1);
    deepest = std::max(deepest, radius - course.bed.grains().state()[0].position.z);
  }
  const grains::Vec v = course.bed.grains().state()[0].velocity;
  EXPECT_LT(std::hypot(v.x, v.y), 1e-9);
  return v.z / 0.3;
}

TEST(GrainBed, FacesEdgesAndVerticesAreLikeThePlane) {
  double on_plane = 0;
  const double e = rebound(geometry::Plane{}, {}, on_plane);
  EXPECT_NEAR(e, 0.5, 0.005);
  const double size = 0.05, corner = size * std::sqrt(3.0);
  const auto mesh = tetrahedron_mesh(size);
  const Vec3 vertex = Vec3(1, 1, 1).normalized();
  const auto turned = [](const Vec3& up) { return Quat::FromTwoVectors(up, Vec3::UnitZ()); };
  const std::vector<std::pair<geometry::Shape, Pose>> places = {
      {geometry::Box{{1, 1, 1}}, {{0, 0, -0.5}}},
      {mesh, {{0, 0, -corner}, turned(vertex)}},       // a vertex
      {mesh, {{0, 0, -corner / 3}, turned(-vertex)}},  // a face
      {mesh, {{0, 0, -size}, turned(Vec3::UnitX())}},  // an edge
      {geometry::Box{{1, 1, 1}}, {{0, 0, -std::sqrt(0.5)}, turned(Vec3(1, 0, 1).normalized())}}};
  for (const auto& [shape, pose] : places) {
    double deepest = 0;
    EXPECT_NEAR(rebound(shape, pose, deepest), e, 0.01 * e);
    EXPECT_NEAR(deepest, on_plane, 0.01 * on_plane);
  }
}

// A block that touches it from the beginning flies into a cloud: the two exchange momentum and nothing else
// does.
TEST(GrainBed, MomentumOfBodiesAndGrainsTogetherStays) {
  World world;
  world.no_gravity();
  const BodyId block = world.add(geometry::Box{{0.06, 0.05, 0.04}}, {{-0.0349, 0.02, 0.02}}, 0.1);
  world.bodies.bodies[block.index()].velocity = {2, 0.1, 0};
  const CounterRandom random(1);
  for (int k = 0; k < 5; ++k)
    for (int j = 0; j < 5; ++j)
      for (int i = 0; i < 5; ++i)
        world.add_grain(2.1 * radius * Vec3(i, j, k) + 2e-4 * Vec3(random.uniform(25 * k + 5 * j + i), 0, 0));
  for (const double h : {grain_step, 5e-4}) {
    Course course(world, h);
    const Vec3 before = course.momentum(), turning = course.angular_momentum();
    course.steps(static_cast<int>(0.05 / h + 0.5));
    EXPECT_LT((course.angular_momentum() - turning).norm(), 20 * h * turning.norm());
    EXPECT_GT(course.bodies.angular_velocity(block).norm(), 1);
    EXPECT_LT((course.momentum() - before).norm(), 1e-13 * before.norm());
    EXPECT_LT(course.bodies.state().velocity[0].x(), 1.5);  // it was slowed down
    // The books of the bodies know what they were given.
    EXPECT_LT((course.bodies.ledger().momentum - course.bodies.ledger().impulse).norm(), 1e-12);
  }
}

// Two blocks fly, the one between them stands, and a grain waits for each of them where it will be: all are
// struck with the same speed, so all grains go away with the same.
TEST(GrainBed, EachBodyIsWhereItIs) {
  constexpr double size = 0.02, speed = 0.3, distance = 1e-3;
  World world;
  world.no_gravity();
  const geometry::Shape block = geometry::Box{{size, size, size}};
  world.add(block, {{0, 0, 0}}, 1e3);
  world.add(block, {{1, 0, 0}});
  world.add(block, {{2, 0, 0}}, 1e3);
  for (const std::size_t flies : {0u, 2u}) world.bodies.bodies[flies].velocity = {0, 0, speed};
  for (const double x : {0.0, 1.0, 2.0})
    world.add_grain({x, 0, 0.5 * size + radius + distance}, {0, 0, x == 1 ? -speed : 0});
  Course course(world, 5 * grain_step);
  course.steps(100);  // 10 ms, where they meet after 3.3
  for (const grains::Ball& ball : course.bed.grains().state().spheres()) {
    const double stands = std::abs(ball.position.x - 1) < 0.5 ? 0 : speed;  // what struck it goes on
    EXPECT_NEAR((ball.velocity.z - stands) / speed, 0.5, 0.005) << "at " << ball.position.x;
  }
}

// A grain that spins about the normal hits a block: what twisting takes from the one the other gets.
TEST(GrainBed, BodiesTakeTheMomentsOfTurning) {
  World world;
  world.no_gravity();
  for (auto* laws : {&world.bed.laws, &world.bed.grains.laws}) laws->at(0).twisting = 0.3;
  const BodyId block = world.add(geometry::Box{{0.06, 0.06, 0.02}}, {{0, 0, -0.0101}}, 0.01);
  world.add_grain({0, 0, radius}, {0, 0, -0.5});
  world.bed.grains.grains[0].spin = {0, 0, 50};
  Course course(world, grain_step);
  course.steps(1500);
  const grains::System& g = course.bed.grains();
  EXPECT_GT(g.state()[0].velocity.z, 0.1);
  const double lost = 0.4 * g.mass(0) * radius * radius * (50 - g.state()[0].spin.z);
  const double inertia = world.bodies.bodies[block.index()].inertia(2, 2);
  EXPECT_GT(lost, 0);
  EXPECT_NEAR(inertia * course.bodies.angular_velocity(block).z() / lost, 1, 1e-9);
}

// Clumps meet bodies as spheres do: one of two balls on a block that flies, nothing is lost.
TEST(GrainBed, ClumpsAndBodiesExchangeMomentum) {
  World world;
  world.no_gravity();
  const BodyId block = world.add(geometry::Box{{0.06, 0.06, 0.02}}, {{0, 0, -0.0101}}, 0.05);
  const std::vector<grains::Member> rod = {{{0, 0, 0}, radius}, {{0.012, 0, 0.002}, radius}};
  grains::Clump clump = grains::placed(grains::solid_clump(rod, 2500), {0, 0, radius}, Quat::Identity());
  clump.velocity = {0.1, 0.2, -0.5};
  world.bed.grains.clumps = {clump};
  Course course(world, grain_step);
  const Vec3 before = course.momentum();
  course.steps(1500);
  EXPECT_GT(course.bed.grains().momentum().z, -0.5 * clump.mass * 0.5);
  EXPECT_LT(course.bodies.state().velocity[block.index()].z(), 0);
  EXPECT_LT((course.momentum() - before).norm(), 1e-13 * before.norm());
}

struct Heap : World {
  BodyId floor, lid;
  double weight = 0;  // of all, N

  Heap() {
    const double width = 0.061, wall = 0.02;
    floor = add(geometry::Box{{width + wall, width + wall, wall}}, {{width / 2, width / 2, -wall / 2}});
    for (const double side : {-wall / 2, width + wall / 2}) {
      add(geometry::Box{{wall, width + wall, 0.4}}, {{side, width / 2, 0.1}});
      add(geometry::Box{{width + wall, wall, 0.4}}, {{width / 2, side, 0.1}});
    }
    const CounterRandom random(2);
    std::uint64_t c = 0;
    for (int k = 0; k < 4; ++k)
      for (int j = 0; j < 5; ++j)
        for (int i = 0; i < 5; ++i)
          add_grain(
              {0.006 + 0.0122 * i, 0.006 + 0.0122 * j + 1e-4 * random.uniform(c++), 0.006 + 0.0115 * k});
    lid = add(geometry::Box{{0.058, 0.058, 0.01}}, {{width / 2, width / 2, 0.06}}, 0.5);
    const double grain = 2500 * 4.0 / 3.0 * std::numbers::pi * std::pow(radius, 3);
    weight = 9.81 * (0.5 + 100 * grain);
    bed.laws = bed.grains.laws = {material::hertz_law({5e6, 0.3}, {5e6, 0.3}, 0.1, 0.4)};  // to settle soon
    // Smooth walls: the floor carries it all.
    bed.materials = 2;
    bed.laws = {bed.laws[0], bed.laws[0]};
    bed.laws[1].friction = 0;
    for (std::size_t s = 1; s < 5; ++s) bed.surfaces[s].material = 1;
  }
};

TEST(GrainBed, TheFloorCarriesGrainsAndLid) {
  const Heap heap;
  Course course(heap, 2e-4);
  course.steps(6000);
  EXPECT_NEAR(course.bed.force(heap.floor).z(), -heap.weight, 1e-3 * heap.weight);
  EXPECT_NEAR(course.bed.force(heap.lid).z(), 0.5 * 9.81, 2e-3 * 0.5 * 9.81);
  EXPECT_LT(course.bodies.state().velocity[heap.lid.index()].norm(), 1e-3);
}

TEST(GrainBed, SameBitsForThreadsAndAcrossARestart) {
  const Heap heap;
  set_thread_count(1);
  Course whole(heap, 2e-4);
  whole.steps(500);
  set_thread_count(2);
  Course first(heap, 2e-4), second(heap, 2e-4);
  first.steps(233);
  second.stepper.restore(first.stepper.save());
  second.steps(500 - 233);
  set_thread_count(0);
  EXPECT_EQ(whole.stepper.save().hash(), second.stepper.save().hash());
}

// Grains step before anybody knows whether the machine can: if not, they are as they were.
TEST(GrainBed, AStepThatFailsIsTakenBack) {
  World world;
  world.add(geometry::Plane{}, {});
  world.add_grain({0, 0, 0.9 * radius});
  world.add(geometry::Box{{0.1, 0.1, 0.01}}, {{0, 0, 1.8 * radius + 0.004}},
            0.001);  // light, on stiff ground
  Course course(world, 0.01);
  const std::string before = course.stepper.save().hash();
  EXPECT_FALSE(course.stepper.step().ok);
  EXPECT_EQ(course.stepper.save().hash(), before);
}

// Spheres and clumps that remember how they rolled, stirred by a block: lists are made anew all the time.
World stirred() {
  Heap heap;
  for (auto* laws : {&heap.bed.laws, &heap.bed.grains.laws})
    for (material::GrainLaw& law : *laws) law.rolling = 0.2, law.twisting = 0.1;
  const std::vector<grains::Member> rod = {{{0, 0, 0}, radius}, {{0.006, 0, 0.002}, radius}};
  for (int k = 0; k < 4; ++k)
    heap.bed.grains.clumps.push_back(grains::placed(grains::solid_clump(rod, 2500),
                                                    {0.012 + 0.012 * k, 0.03, 0.085},
                                                    Quat(1, 0.1 * k, 0, 0).normalized()));
  for (std::size_t i = 0; i < heap.bed.grains.grains.size(); ++i)
    heap.bed.grains.grains[i].velocity = {i % 2 ? 0.5 : -0.5, i % 3 ? 0.2 : -0.4, 0};
  multibody::Body& lid = heap.bodies.bodies[heap.lid.index()];
  lid.velocity = {0.3, 0, -0.5};
  lid.angular_velocity = {0, 2, 1};
  return heap;
}

// Wherever it is between two times at which grains are kept; and nothing tells afterwards that it was.
TEST(GrainBed, AnyStepThatFailsIsTakenBack) {
  const World world = stirred();
  Course whole(world, 2e-4), other(world, 2e-4);
  std::vector<std::uint32_t> order;
  int done = 0;
  constexpr int kept = GrainBed::seldom;
  for (const int fails_after : {0, 1, kept - 1, kept, kept + 1, kept + 137, kept + 137, 2 * kept + 50}) {
    other.steps(fails_after - done);
    done = fails_after;
    const std::string before = other.stepper.save().hash();
    const std::size_t contacts = other.bed.grains().contacts();
    if (done == kept) order = other.bed.grains().state().id;
    if (done == kept + 137) {
      EXPECT_NE(other.bed.grains().state().id, order);
    }
    other.veto.fails = true;
    EXPECT_FALSE(other.stepper.step().ok);
    other.veto.fails = false;
    EXPECT_EQ(other.stepper.save().hash(), before) << done;
    EXPECT_EQ(other.bed.grains().contacts(), contacts);
  }
  EXPECT_GT(other.bed.grains().contacts(), 100u);
  other.steps(50);
  whole.steps(done + 50);
  EXPECT_EQ(other.stepper.save().hash(), whole.stepper.save().hash());
}

// What was kept of another beginning is no way back.
TEST(GrainBed, AStepThatFailsIsTakenBackAfterARestart) {
  const World world = stirred();
  Course first(world, 2e-4), second(world, 2e-4);
  first.steps(60);
  const Archive archive = first.stepper.save();
  for (const bool anew : {false, true}) {
    second.steps(30);
    anew ? second.stepper.begin_from(archive) : second.stepper.restore(archive);
    for (const int more : {0, 20}) {
      second.steps(more);
      const std::string before = second.stepper.save().hash();
      second.veto.fails = true;
      EXPECT_FALSE(second.stepper.step().ok);
      second.veto.fails = false;
      EXPECT_EQ(second.stepper.save().hash(), before) << anew << more;
    }
  }
}

TEST(GrainBed, RefusesLawsThatDoNotFit) {
  const auto refused = [](const auto& spoil) {
    Heap heap;
    spoil(heap.bed);
    multibody::System bodies(heap.bodies);
    EXPECT_THROW(GrainBed(heap.bed, bodies), InputError);
  };
  refused([](GrainBedModel& m) { m.step = 0; });
  refused([](GrainBedModel& m) { m.laws.pop_back(); });
  refused([](GrainBedModel& m) { m.laws[1].tangential = material::TangentialForce::none; });
}

TEST(GrainBed, TellsWhoLeavesTheWorldOnAnySide) {
  for (int side = 0; side < 6; ++side) {
    World world;
    world.no_gravity();
    world.bed.world = {{-0.1, -0.2, -0.3}, {0.1, 0.2, 0.3}};
    Vec3 way = Vec3::Zero();
    way[side / 2] = side % 2 == 0 ? -1 : 1;
    world.add_grain({0, 0, 0});
    world.add_grain(0.05 * way, 10 * way);
    Course course(world, 1e-3);
    solve::StepReport report;
    int steps = 0;
    for (; report.ok && steps < 100; ++steps) report = course.stepper.step();
    EXPECT_FALSE(report.ok) << side;
    EXPECT_NE(report.reason.find("grain 1 has left the world"), std::string::npos) << report.reason;
    EXPECT_NEAR(steps, 5 + 10 * (side / 2), 2) << side;
  }
}

}  // namespace
}  // namespace hardpan::couple
