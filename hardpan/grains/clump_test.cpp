// Rigid clumps: mass, free rotation, and contacts, against closed forms.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <numbers>

#include <gtest/gtest.h>

#include "hardpan/core/error.h"
#include "hardpan/core/parallel.h"
#include "hardpan/grains/test_grains.h"

namespace hardpan::grains {
namespace {

using namespace test;
using material::TangentialForce;

constexpr double pi = std::numbers::pi, density = 2500;
constexpr TangentialForce all_kinds[] = {TangentialForce::none, TangentialForce::pseudo,
                                         TangentialForce::displacement, TangentialForce::incremental};

Vec rotated(const Quat& q, const Vec& v) {
  const Vec3 r = q * Vec3(v.x, v.y, v.z);
  return {r.x(), r.y(), r.z()};
}
Quat some_rotation(const CounterRandom& random, std::uint64_t k) {
  const auto draw = [&](std::uint64_t n) { return random.uniform(4 * k + n, -1, 1); };
  return Quat(draw(0), draw(1), draw(2), draw(3)).normalized();
}
double sorted(const Vec& v, int k) {
  std::array<double, 3> a = {v.x, v.y, v.z};
  std::ranges::sort(a);
  return a[static_cast<std::size_t>(k)];
}

// Three balls in contact, or overlapping.
std::vector<Member> triangle(double radius, double side) {
  std::vector<Member> members;
  for (int k = 0; k < 3; ++k) {
    const double angle = 2 * pi * k / 3, reach = side / std::sqrt(3.0);
    members.push_back({{reach * std::cos(angle), reach * std::sin(angle), 0}, radius});
  }
  return members;
}
// Of three different sizes, out of a plane: no two moments are alike.
std::vector<Member> odd_one(double r) {
  return {{{0, 0, 0}, r}, {{1.2 * r, 0.3 * r, 0}, 0.7 * r}, {{-0.2 * r, 1.1 * r, 0.5 * r}, 0.5 * r}};
}

// ---- mass

TEST(GrainClumps, MassOfSpheresThatAreApart) {
  const double r = 0.01, m = density * 4 / 3 * pi * r * r * r;
  const std::vector<Member> two = {{{0.03, 0.05, 0.01}, r}, {{0.03, 0.05, 0.04}, r}};
  const Clump clump = solid_clump(two, density);
  EXPECT_NEAR(clump.mass / (2 * m), 1, 1e-14);
  EXPECT_LT(norm(clump.position - Vec{0.03, 0.05, 0.025}), 1e-16);
  EXPECT_NEAR(sorted(clump.inertia, 0) / (2 * 0.4 * m * r * r), 1, 1e-12);
  const double across = 2 * m * (0.4 * r * r + 0.015 * 0.015);
  EXPECT_NEAR(sorted(clump.inertia, 1) / across, 1, 1e-12);
  EXPECT_NEAR(sorted(clump.inertia, 2) / across, 1, 1e-12);
  // Members stay where they were.
  for (std::size_t k = 0; k < 2; ++k)
    EXPECT_LT(norm(clump.position + rotated(clump.orientation, clump.members[k].offset) - two[k].offset),
              1e-16);
}

// Two spheres of radius r, centres 2a apart: discs of radius s along the axis, s^2 = r^2 - (z - a)^2.
TEST(GrainClumps, MassOfSpheresThatOverlap) {
  const double r = 0.01, a = 0.004;
  double volume = 0, along = 0, across = 0;
  const int steps = 100'000;
  for (int k = 0; k < steps; ++k) {
    const double dz = (a + r) / steps, z = (k + 0.5) * dz, s2 = r * r - (z - a) * (z - a);
    volume += 2 * pi * s2 * dz;
    along += pi * s2 * s2 * dz;
    across += 2 * pi * (s2 * s2 / 4 + s2 * z * z) * dz;
  }
  const CounterRandom random(3);
  double worst = 0;
  for (std::uint64_t k = 0; k < 5; ++k) {
    const Quat q = k == 0 ? Quat::Identity() : some_rotation(random, k);
    const Vec shift{0.1, -0.2, 0.3};
    const Clump clump = solid_clump(
        std::vector<Member>{{shift + rotated(q, {0, 0, a}), r}, {shift + rotated(q, {0, 0, -a}), r}},
        density);
    const Vec axis = rotated(clump.orientation, {1, 0, 0});
    for (const double error :
         {clump.mass / (density * volume) - 1, clump.inertia.x / (density * along) - 1,
          clump.inertia.y / (density * across) - 1, clump.inertia.z / (density * across) - 1,
          norm(clump.position - shift) / r, std::abs(dot(axis, rotated(q, {0, 0, 1}))) - 1})
      worst = std::max(worst, std::abs(error));
  }
  std::printf("mass and inertia of two that overlap: error %.1e\n", worst);
  EXPECT_LT(worst, 1e-5);
}

TEST(GrainClumps, WhatIsInsideDoesNotCount) {
  const double r = 0.01, m = density * 4 / 3 * pi * r * r * r;
  const Clump clump = solid_clump(std::vector<Member>{{{0, 0, 0}, r}, {{0.003, 0.002, 0}, 0.4 * r}}, density);
  EXPECT_NEAR(clump.mass / m, 1, 1e-5);
  EXPECT_NEAR(sorted(clump.inertia, 0) / (0.4 * m * r * r), 1, 1e-5);
  EXPECT_NEAR(sorted(clump.inertia, 2) / (0.4 * m * r * r), 1, 1e-5);
}

// ---- free rotation

Model one_clump(const Clump& clump, const material::GrainLaw& law = soft_law(TangentialForce::incremental)) {
  Model model;
  model.gravity = {};
  model.laws = {law};
  model.clumps = {clump};
  return model;
}

Clump tumbling(const std::vector<Member>& members, const Vec& spin) {
  Clump clump = placed(solid_clump(members, density), {1, 2, 3}, Quat(0.5, 0.5, -0.5, 0.5));
  clump.spin = spin;
  return clump;
}

struct Tumble {
  double energy = 0;    // largest error, relative
  double momentum = 0;  // likewise
  Quat orientation;
};

Tumble tumble(double h, double seconds, double watched_from) {
  System grains(one_clump(tumbling(odd_one(0.01), {10, 7, 2})));
  const double energy = grains.kinetic_energy();
  const Vec l = grains.clumps().state().angular_momentum[0];
  Tumble out;
  const long steps = std::lround(seconds / h);
  for (long k = 0; k < steps; ++k) {
    grains.prepare();
    grains.step(h);
    if (static_cast<double>(k) * h < watched_from) continue;
    out.energy = std::max(out.energy, std::abs(grains.kinetic_energy() / energy - 1));
    out.momentum = std::max(out.momentum, norm(grains.clumps().state().angular_momentum[0] - l) / norm(l));
  }
  out.orientation = grains.clumps().state().orientation[0];
  EXPECT_EQ(grains.contacts(), 0u);  // members never meet each other
  return out;
}

TEST(GrainClumps, FreeTumblingKeepsEnergyAndAngularMomentum) {
  const Tumble coarse = tumble(2e-3, 10, 0), fine = tumble(1e-3, 10, 0), late = tumble(2e-3, 200, 190);
  std::printf("20 turns: energy %.1e at 2 ms, %.1e at 1 ms; after 400 turns %.1e; momentum %.1e\n",
              coarse.energy, fine.energy, late.energy, late.momentum);
  EXPECT_LT(late.momentum, 1e-15);
  EXPECT_NEAR(std::log2(coarse.energy / fine.energy), 2, 0.1);
  EXPECT_LT(late.energy, 1.1 * coarse.energy);
  EXPECT_LT(coarse.energy, 1e-3);
}

TEST(GrainClumps, FreeTumblingIsOfSecondOrder) {
  const auto far = [](const Quat& a, const Quat& b) { return a.angularDistance(b); };
  const Quat exact = tumble(1e-4, 2, 2).orientation;
  const double coarse = far(tumble(4e-3, 2, 2).orientation, exact);
  const double fine = far(tumble(2e-3, 2, 2).orientation, exact);
  std::printf("orientation after 2 s: %.1e at 4 ms, %.1e at 2 ms\n", coarse, fine);
  EXPECT_NEAR(std::log2(coarse / fine), 2, 0.1);
}

// With two moments alike the axis goes around L with |L|/I, at a fixed angle.
TEST(GrainClumps, SymmetricTopPrecesses) {
  const std::vector<Member> rod = {{{0, 0, 0.01}, 0.01}, {{0, 0, -0.01}, 0.01}};
  Clump clump = solid_clump(rod, density);
  clump.spin = {3, 0, 5};
  const double time = 1, h = 1e-4;
  System grains(one_clump(clump));
  const Vec l = grains.clumps().state().angular_momentum[0];
  const double rate = norm(l) / sorted(clump.inertia, 1);
  for (int k = 0; k < std::lround(time / h); ++k) {
    grains.prepare();
    grains.step(h);
  }
  const Quat turn(Eigen::AngleAxisd(rate * time, Vec3(l.x, l.y, l.z).normalized()));
  for (std::size_t k = 0; k < 2; ++k)
    EXPECT_LT(norm(grains.state()[k].position - rotated(turn, rod[grains.state().id[k]].offset)),
              1e-6 * 0.01);
}

// ---- contacts

// Without friction and without dampers: a rod that hits a wall with one end, impulse 2 v_n/(1/m + x^2/I).
TEST(GrainClumps, RodHitsAWallWithOneEnd) {
  const double r = 0.01, half = 0.03, angle = 0.5, v = 0.2, h = 1e-6;
  const material::GrainLaw law = soft_law(TangentialForce::none, 1, 0, 1e8);
  Clump rod = solid_clump(std::vector<Member>{{{-half, 0, 0}, r}, {{half, 0, 0}, r}}, density);
  rod = placed(rod, {0, 0, r + half * std::sin(angle) + 1e-6}, Quat(Eigen::AngleAxisd(angle, Vec3::UnitY())));
  rod.velocity = {0, 0, -v};
  System grains(one_clump(rod, law));
  const std::vector<Plane> floor = {{{}, {0, 0, 1}}};
  for (int k = 0; k < 2000; ++k) step(grains, h, floor, law);
  const double inertia = sorted(rod.inertia, 1), x = half * std::cos(angle);
  const double impulse = 2 * v / (1 / rod.mass + x * x / inertia);
  EXPECT_EQ(grains.contacts(), 0u);
  EXPECT_NEAR(grains.clumps().state().velocity[0].z, -v + impulse / rod.mass, 2e-3 * v);
  EXPECT_NEAR(grains.clumps().state().spin[0].y / (-x * impulse / inertia), 1, 2e-3);
}

TEST(GrainClumps, ClumpOfOneSphereIsTheSphere) {
  const double radius = 2.5e-3, h = 1e-5;
  material::GrainLaw law = soft_law(TangentialForce::incremental);
  law.rolling = 0.1;
  const Model spheres = loose(4, 4, radius, 0.1, law);
  Model clumps = spheres;
  clumps.grains.clear();
  for (const Grain& grain : spheres.grains) {
    const std::vector<Member> ball = {{{}, grain.radius}};
    Clump clump = placed(solid_clump(ball, grain.density), grain.position, Quat::Identity());
    clump.velocity = grain.velocity;
    clump.spin = grain.spin;
    clumps.clumps.push_back(clump);
  }
  System one(spheres), other(clumps);
  const auto planes = box_of(width_of(4, radius, 0.1), width_of(4, radius, 0.1));
  for (int k = 0; k < 8000; ++k) {
    step(one, h, planes, law);
    step(other, h, planes, law);
  }
  EXPECT_GT(one.contacts(), 50u);
  EXPECT_EQ(one.contacts(), other.contacts());
  double worst = 0;
  for (std::size_t i = 0; i < one.size(); ++i) {
    ASSERT_EQ(one.state().id[i], other.state().id[i]);
    worst = std::max(worst, norm(one.state()[i].position - other.state()[i].position) / radius);
    worst = std::max(worst, norm(one.state()[i].velocity - other.state()[i].velocity));
  }
  std::printf("clumps of one against spheres: %.1e\n", worst);
  EXPECT_LT(worst, 1e-9);
  EXPECT_NEAR(one.kinetic_energy() / other.kinetic_energy(), 1, 1e-9);
  EXPECT_NEAR(one.books().friction / other.books().friction, 1, 1e-9);
}

// Three balls on an incline of 20 degrees, mu 0.5: the way from 1 s to 6 s.
double creep(TangentialForce kind) {
  const double r = 0.05, h = 1e-4, angle = 20 * pi / 180;
  const material::GrainLaw law = soft_law(kind, 0.5, 0.5, 1e8);
  Clump clump = placed(solid_clump(triangle(r, 2 * r), density), {0, 0, r}, Quat::Identity());
  Model model = one_clump(clump, law);
  model.gravity = {9.81 * std::sin(angle), 0, -9.81 * std::cos(angle)};
  System grains(model);
  const std::vector<Plane> floor = {{{}, {0, 0, 1}}};
  const auto run = [&](double seconds) {
    for (int k = 0; k < std::lround(seconds / h); ++k) step(grains, h, floor, law);
    return grains.clumps().state().position[0];
  };
  const Vec from = run(1);
  return norm(run(5) - from);
}

TEST(GrainClumps, StandOnAnInclineWithHistoryOnly) {
  for (const TangentialForce kind : all_kinds) {
    const double way = creep(kind);
    std::printf("three balls, 20 degrees, mu 0.5, 5 s: %.1e m\n", way);
    if (material::remembers(kind)) {
      EXPECT_LT(way, 1e-6);
    } else {
      EXPECT_GT(way, 1e-2);
    }
  }
}

TEST(GrainClumps, SingleGrainsBesideThemMeetEachOther) {
  Clump clump = placed(solid_clump(triangle(0.01, 0.02), density), {1, 1, 1}, Quat::Identity());
  Model model = one_clump(clump, soft_law(TangentialForce::incremental, 0.5));
  Grain grain;
  grain.radius = 0.01;
  grain.density = density;
  model.grains = {grain, grain};
  model.grains[1].position = {0.0201, 0, 0};
  model.grains[1].velocity = {-0.2, 0, 0};
  System grains(model);
  for (int k = 0; k < 10'000; ++k) {
    grains.prepare();
    grains.step(1e-5);
  }
  Vec v[2];
  for (std::size_t i = 0; i < grains.size(); ++i)
    if (!grains.is_member(i)) v[grains.state().id[i]] = grains.state()[i].velocity;
  EXPECT_NEAR((v[1] - v[0]).x, 0.1, 1e-3);
  EXPECT_EQ(norm(grains.clumps().state().velocity[0]), 0.0);
}

// Clumps of several shapes on a loose lattice, and every fourth place a sphere.
Model mixed(int n, int m, double radius, const material::GrainLaw& law) {
  const std::vector<Clump> shapes = {solid_clump(triangle(radius, 1.2 * radius), density),
                                     solid_clump(odd_one(radius), density)};
  const CounterRandom random(5);
  Model model = loose(n, m, 2.2 * radius, 0.1, law);
  std::vector<Grain> singles;
  for (std::size_t k = 0; k < model.grains.size(); ++k) {
    Grain& grain = model.grains[k];
    if (k % 4 == 3) {
      grain.radius = radius;
      singles.push_back(grain);
      continue;
    }
    Clump clump = placed(shapes[k % 2], grain.position, some_rotation(random, k));
    clump.velocity = grain.velocity;
    clump.spin = 10.0 * grain.spin;
    model.clumps.push_back(clump);
  }
  model.grains = singles;
  return model;
}
double mixed_width(int n, double radius) { return width_of(n, 2.2 * radius, 0.1); }

TEST(GrainClumps, MomentumAndAngularMomentumStay) {
  const double radius = 2.5e-3, h = 1e-5;
  Model model = mixed(4, 4, radius, soft_law(TangentialForce::incremental));
  model.gravity = {};
  const double middle = 0.5 * mixed_width(4, radius);
  const auto inwards = [&](const Vec& x) {
    return 20.0 * (Vec{middle, middle, middle} - x) + Vec{0.1, 0.2, 0.3};
  };
  for (Grain& grain : model.grains) grain.velocity = inwards(grain.position);
  for (Clump& clump : model.clumps) clump.velocity = inwards(clump.position);
  System grains(model);
  const Vec p = grains.momentum(), l = test::angular_momentum(grains, 0);
  std::size_t most = 0;
  for (int k = 0; k < 5000; ++k) {
    grains.prepare();
    grains.step(h);
    most = std::max(most, grains.contacts());
  }
  EXPECT_GT(most, 30u);
  EXPECT_LT(norm(grains.momentum() - p), 1e-13 * norm(p));
  EXPECT_LT(norm(test::angular_momentum(grains, h / 2) - l), 1e-12 * norm(l));
}

TEST(GrainClumps, TheBooksOfASettlingBedClose) {
  const double radius = 2.5e-3, h = 1e-5;
  for (const TangentialForce kind : all_kinds) {
    const material::GrainLaw law = soft_law(kind, 0.5, 0.5, 8e6);
    System grains(mixed(4, 5, radius, law));
    const auto planes = box_of(mixed_width(4, radius), mixed_width(4, radius));
    const double begin = grains.kinetic_energy();
    for (int k = 0; k < 20'000; ++k) step(grains, h, planes, law);
    const Books& b = grains.books();
    const double gone = b.viscous + b.friction + b.stiffening;
    const double left = begin + b.gravity + b.walls - gone - grains.kinetic_energy() - b.stored;
    std::printf("settling clumps: books miss %.1e of what is gone\n", left / gone);
    EXPECT_LT(std::abs(left), 1e-3 * gone) << static_cast<int>(kind);
    EXPECT_GT(gone, 10 * begin);
    EXPECT_LT(grains.kinetic_energy(), 0.01 * gone);
    EXPECT_GT(grains.contacts(), 100u);
  }
}

// Through hundreds of steps, lists and turns, members are where the body has them.
TEST(GrainClumps, MembersStayInTheirPlaces) {
  const double radius = 2.5e-3;
  const material::GrainLaw law = soft_law(TangentialForce::incremental);
  Model model = mixed(5, 3, radius, law);
  const double width = mixed_width(5, radius);
  model.space.axes = {Axis{true, 0, width}, Axis{true, 0, width}, Axis{}};
  System grains(model);
  const std::vector<Plane> floor = {{{}, {0, 0, 1}}};
  for (int k = 0; k < 5000; ++k) step(grains, 1e-5, floor, law);
  const Clumps& clumps = grains.clumps();
  std::size_t member = 0;
  for (std::size_t c = 0; c < clumps.size(); ++c)
    for (const Member& m : model.clumps[c].members) {
      const std::size_t i = clumps.place(member++);
      const Vec x = clumps.state().position[c] + rotated(clumps.state().orientation[c], m.offset);
      EXPECT_LT(norm(model.space.shortest(grains.state()[i].position - x)), 1e-16 + 1e-14 * width);
      EXPECT_EQ(grains.radius(i), m.radius);
      EXPECT_EQ(norm(grains.state()[i].spin - clumps.state().spin[c]), 0.0);
    }
}

TEST(GrainClumps, SameBitsForThreadsAndAcrossARestart) {
  const double radius = 2.5e-3;
  const material::GrainLaw law = soft_law(TangentialForce::incremental);
  const Model model = mixed(7, 6, radius, law);
  const auto planes = box_of(mixed_width(7, radius), mixed_width(7, radius));
  const auto run = [&](System& grains, int steps) {
    for (int k = 0; k < steps; ++k) step(grains, 2e-5, planes, law);
  };
  set_thread_count(1);
  System whole(model);
  run(whole, 6001);
  EXPECT_GT(whole.contacts(), 100u);
  set_thread_count(2);
  System first(model), second(model);
  run(first, 4444);
  Archive archive;
  first.save(archive);
  second.restore(archive);
  EXPECT_EQ(hash(second), hash(first));
  run(second, 6001 - 4444);
  set_thread_count(0);
  EXPECT_EQ(hash(second), hash(whole));
}

TEST(GrainClumps, RefusesWhatCannotBe) {
  const auto refused = [](const auto& spoil) {
    Model model = mixed(2, 2, 2.5e-3, soft_law(TangentialForce::incremental));
    spoil(model.clumps[1]);
    EXPECT_THROW(System{model}, InputError);
  };
  refused([](Clump& c) { c.members.clear(); });
  refused([](Clump& c) { c.members[0].radius = 0; });
  refused([](Clump& c) { c.members[0].offset.x = NAN; });
  refused([](Clump& c) { c.mass = 0; });
  refused([](Clump& c) { c.inertia.y = -1; });
  refused([](Clump& c) { c.inertia.z = 3 * (c.inertia.x + c.inertia.y); });
  refused([](Clump& c) { c.orientation = Quat(0, 0, 0, 0); });
  refused([](Clump& c) { c.spin.z = INFINITY; });
  refused([](Clump& c) { c.material = 1; });
  EXPECT_THROW(solid_clump(std::vector<Member>{}, density), InputError);
  EXPECT_THROW(solid_clump(std::vector<Member>{{{}, 0}}, density), InputError);
}

}  // namespace
}  // namespace hardpan::grains
