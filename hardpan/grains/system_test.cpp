#include "hardpan/grains/system.h"

#include <cmath>
#include <cstdio>
#include <numbers>
#include <utility>

#include <gtest/gtest.h>

#include "hardpan/core/error.h"
#include "hardpan/grains/test_grains.h"

namespace hardpan::grains {
namespace {

using namespace test;
using material::TangentialForce;

constexpr double radius = 2.5e-3, h = 1e-5;

Model two_grains(const material::GrainLaw& law, const Vec& velocity) {
  Model model;
  model.gravity = {};
  model.laws = {law};
  Grain grain;
  grain.radius = radius;
  grain.density = 2500;
  model.grains = {grain, grain};
  model.grains[0].position = {0, 0, 0};
  model.grains[1].position = {2 * radius + 1e-9, 0, 0};
  model.grains[1].velocity = velocity;
  return model;
}

TEST(Grains, RestitutionIsTheOneAskedFor) {
  for (const double e : {0.2, 0.5, 0.9}) {
    System grains(two_grains(soft_law(TangentialForce::incremental, e), {-0.2, 0, 0}));
    for (int k = 0; k < 2000; ++k) {
      grains.prepare();
      grains.step(h);
    }
    const Vec u = grains.state()[1].velocity - grains.state()[0].velocity;
    const double sign = grains.state().id[0] == 0 ? 1 : -1;
    EXPECT_NEAR(sign * u.x / 0.2, e, 0.005 * e);
  }
}

TEST(Grains, MomentumAndAngularMomentumStay) {
  material::GrainLaw law = soft_law(TangentialForce::incremental);
  law.rolling = 0.3;
  law.twisting = 0.2;
  law.adhesion = 0.02;
  Model model = loose(4, 4, radius, 0.2, law);
  model.gravity = {};
  for (Grain& grain : model.grains) {
    const Vec inwards = Vec{0.012, 0.012, 0.012} - grain.position;
    grain.velocity = 20.0 * inwards + Vec{0.1, 0.2, 0.3};
  }
  System grains(model);
  const Vec p = grains.momentum(), l = test::angular_momentum(grains, 0);
  std::size_t most = 0;
  for (int k = 0; k < 1000; ++k) {
    grains.prepare();
    grains.step(h);
    most = std::max(most, grains.contacts());
  }
  EXPECT_GT(most, 30u);
  EXPECT_LT(norm(grains.momentum() - p), 1e-13 * norm(p));
  EXPECT_LT(norm(test::angular_momentum(grains, h / 2) - l), 1e-12 * norm(l));
}

// Falls, rubs and comes to rest: where all of the energy went is known without a term found by subtraction.
void expect_closed_books(const material::GrainLaw& law) {
  System grains(loose(5, 6, radius, 0.1, law));
  const auto planes = box_of(width_of(5, radius, 0.1), width_of(5, radius, 0.1));
  const double begin = grains.kinetic_energy();
  for (int k = 0; k < 10'000; ++k) step(grains, h, planes, law);
  const Books& b = grains.books();
  const double gone = b.viscous + b.friction + b.stiffening;
  const double left = begin + b.gravity + b.walls - gone - grains.kinetic_energy() - b.stored;
  std::printf("books miss %.1e of what is gone\n", left / gone);
  EXPECT_LT(std::abs(left), 1e-3 * gone);
  EXPECT_GT(gone, 10 * begin);
  EXPECT_GE(b.viscous, 0);
  EXPECT_GE(b.friction, 0);
  if (law.tangential == TangentialForce::incremental) {
    EXPECT_GE(b.stiffening, 0);
  }
}

TEST(Grains, TheBooksOfASettlingBedClose) {
  for (const TangentialForce kind : {TangentialForce::none, TangentialForce::pseudo,
                                     TangentialForce::displacement, TangentialForce::incremental})
    expect_closed_books(soft_law(kind, 0.5, 0.5, 8e6));
}

TEST(Grains, TheBooksCloseWithRollingTwistingAndCohesion) {
  material::GrainLaw law = soft_law(TangentialForce::incremental, 0.5, 0.5, 8e6);
  law.rolling = 0.3;
  law.twisting = 0.2;
  expect_closed_books(law);
  law.tangential = TangentialForce::none;
  expect_closed_books(law);
  law = soft_law(TangentialForce::incremental, 0.5, 0.5, 8e6);
  for (const double w : {0.05, 1.0}) {  // a pull of a quarter of the weight, and of five
    law.adhesion = w;
    expect_closed_books(law);
  }
}

// A grain too heavy to move: sheared by its plate, it then turns with it by a quarter.
TEST(Grains, WhatAWallRemembersTurnsWithIt) {
  const material::GrainLaw law = soft_law(TangentialForce::incremental);
  Model model;
  model.gravity = {};
  model.laws = {law};
  const double quarter = 0.5 * std::numbers::pi;
  Grain grain;
  grain.position = {0, 0, 0.999 * radius};
  grain.spin = {0, 0, quarter};
  grain.radius = radius;
  grain.density = 1e15;
  model.grains = {grain};
  System grains(model);
  const auto remembered = [&] {
    Archive archive;
    grains.save(archive);
    std::vector<double> f(7);
    archive.get("grains/walls/memory", std::span(f));
    return Vec{f[0], f[1], f[2]};
  };
  step(grains, h, std::vector<Plane>{{{}, {0, 0, 1}, {-1e-3, 0, 0}, {0, 0, quarter}}}, law);
  const Vec f = remembered();
  EXPECT_LT(f.x, 0);
  for (int k = 0; k < 1000; ++k)
    step(grains, 1e-3, std::vector<Plane>{{{}, {0, 0, 1}, {}, {0, 0, quarter}}}, law);
  EXPECT_LT(norm(remembered() - Vec{-f.y, f.x, 0}), 1e-3 * norm(f));
}

// ---- rolling and twisting

material::GrainLaw rough_law(double rolling, double twisting) {
  material::GrainLaw law = soft_law(TangentialForce::incremental, 0.5, 0.5, 8e6);
  law.rolling = rolling;
  law.twisting = twisting;
  return law;
}

TEST(Grains, RollOutOnAPlane) {
  const material::GrainLaw law = rough_law(0.05, 0);
  Model model;
  model.laws = {law};
  Grain grain;
  grain.radius = radius;
  grain.density = 2500;
  const double m = grain.density * 4 / 3 * std::numbers::pi * std::pow(radius, 3);
  const double depth = std::pow(m * 9.81 / (law.stiffness_n * std::sqrt(radius)), 2.0 / 3);
  grain.position = {0, 0, radius - depth};
  grain.velocity = {0.1, 0, 0};
  grain.spin = {0, 0.1 / radius, 0};
  model.grains = {grain};
  System grains(model);
  const std::vector<Plane> floor = {{{}, {0, 0, 1}}};
  const auto run = [&](double seconds) {
    for (int k = 0; k < std::lround(seconds / h); ++k) step(grains, h, floor, law);
  };
  run(0.1);
  const double v = grains.state()[0].velocity.x;
  run(0.1);
  EXPECT_NEAR((v - grains.state()[0].velocity.x) / 0.1 / (5.0 / 7 * 9.81 * 0.05), 1, 0.005);
  run(1);
  const double there = grains.state()[0].position.x;
  run(1);
  EXPECT_LT(std::abs(grains.state()[0].position.x - there), 1e-9);
}

// A plate that turns takes along what lies on it, and its work is in the books.
TEST(Grains, TwistedByATurningWall) {
  const material::GrainLaw law = rough_law(0.1, 0.1);
  System grains([&] {
    Model model;
    model.laws = {law};
    Grain grain;
    grain.position = {0, 0, radius - 1e-6};
    grain.radius = radius;
    grain.density = 2500;
    model.grains = {grain};
    return model;
  }());
  const std::vector<Plane> plate = {{{}, {0, 0, 1}, {}, {0, 0, 3}}};
  const auto missing = [&] {
    const Books& b = grains.books();
    return b.walls + b.gravity - (b.viscous + b.friction + b.stiffening) - b.stored - grains.kinetic_energy();
  };
  step(grains, h, plate, law);
  const double before = missing();  // what the overlap stored
  for (int k = 0; k < 50'000; ++k) step(grains, h, plate, law);
  EXPECT_NEAR(grains.state()[0].spin.z, 3, 1e-6);
  EXPECT_GT(grains.books().walls, 0.5 * 0.4 * grains.mass(0) * radius * radius * 9);
  EXPECT_LT(std::abs(missing() - before), 1e-3 * grains.books().walls);
}

// So that their list lasts, across a restart, too.
TEST(Grains, FastOnesHaveAWiderSkin) {
  Model model = loose(8, 4, radius, 0.1, soft_law(TangentialForce::incremental));
  const auto planes = box_of(width_of(8, radius, 0.1), width_of(8, radius, 0.1));
  const auto run = [&](System& grains, int steps) {
    for (int k = 0; k < steps; ++k) step(grains, h, planes, model.laws[0]);
  };
  for (Grain& grain : model.grains) grain.velocity = {};
  System slow(model);
  run(slow, 20);
  const double largest = std::ranges::max(model.grains, {}, &Grain::radius).radius;
  EXPECT_DOUBLE_EQ(slow.skin(), 0.2 * largest);
  model.grains[0].velocity = {0, 0, 5e-3 * radius / h};
  System fast(model), again(model);
  run(fast, 100);
  EXPECT_GT(fast.skin(), 0.3 * largest);
  EXPECT_LE(fast.skin(), largest);
  Archive archive;
  fast.save(archive);
  again.restore(archive);
  EXPECT_EQ(again.skin(), fast.skin());
  run(fast, 400);
  run(again, 400);
  EXPECT_EQ(hash(fast), hash(again));
}

// Two that come from both sides, just too far from each other to be in the list, use up the skin together.
// Found too late they would overlap at once, and fly apart faster than they came.
TEST(Grains, MeetInTimeFromBothSides) {
  for (const double gap : {0.9, 1.02, 1.3, 1.7}) {  // of the skin
    Model model;
    model.laws = {soft_law(TangentialForce::incremental, 1)};
    model.gravity = {};
    model.skin = 0.2 * radius;
    const double speed = 2e-3 * radius / h;
    for (const double side : {-1.0, 1.0}) {
      Grain grain;
      grain.position = {side * (radius + 0.5 * gap * model.skin), 0, 0};
      grain.velocity = {-side * speed, 0, 0};
      grain.radius = radius;
      grain.density = 2500;
      model.grains.push_back(grain);
    }
    System grains(model);
    const double before = grains.kinetic_energy();
    bool touched = false;
    for (int k = 0; k < 2000; ++k) {
      grains.prepare();
      grains.step(h);
      touched = touched || grains.contacts() > 0;
    }
    EXPECT_TRUE(touched) << gap;
    EXPECT_EQ(grains.contacts(), 0u) << gap;
    EXPECT_NEAR(grains.kinetic_energy() / before, 1, 0.02) << gap;
  }
}

// Some fast ones fly about above many slow ones, whose chunks have narrow margins: whatever overlaps is
// pushed, in every step.
TEST(Grains, NobodyIsOverlooked) {
  Model model = loose(14, 14, radius, 0.1, soft_law(TangentialForce::incremental));
  model.gravity = {};
  for (std::size_t i = 0; i < model.grains.size(); ++i) {
    Vec& v = model.grains[i].velocity;
    const bool fast = i % 23 == 0 && i > model.grains.size() / 2;
    v = (fast ? 0.01 * radius / h / norm(v) : 1e-3) * v;
  }
  System grains(model);
  ASSERT_GT(grains.chunks(), 3u);
  const auto overlaps = [&] {
    std::size_t count = 0;
    for (std::size_t i = 0; i < grains.size(); ++i)
      for (std::size_t j = i + 1; j < grains.size(); ++j)
        count += norm(grains.state()[j].position - grains.state()[i].position) <
                 grains.radius(i) + grains.radius(j);
    return count;
  };
  std::size_t most = 0;
  bool narrow = false;
  for (int k = 0; k < 420; ++k) {
    grains.prepare();
    const std::size_t expected = k % 6 == 0 ? overlaps() : 0;
    grains.step(h);
    if (k % 6 == 0) {
      ASSERT_EQ(grains.contacts(), expected) << k;
    }
    most = std::max(most, expected);
    narrow = narrow || std::ranges::min(grains.state().margins.length) < 0.5 * grains.widest_margin();
  }
  EXPECT_GT(most, 50u);
  EXPECT_GT(grains.looks(), 10u);
  EXPECT_TRUE(narrow);
}

TEST(Grains, FastOnesFitIntoAShortPeriod) {
  Model model = loose(4, 4, radius, 0.1, soft_law(TangentialForce::incremental));
  const double largest = std::ranges::max(model.grains, {}, &Grain::radius).radius;
  for (Axis& axis : model.space.axes) axis = {true, 0, 7 * largest};
  model.gravity = {};
  model.grains[0].velocity = {0, 0, 2e-2 * radius / h};
  System grains(model);
  for (int k = 0; k < 300; ++k) grains.prepare(), grains.step(h);
  EXPECT_GT(grains.skin(), 0.25 * largest);
  EXPECT_LT(grains.skin(), 0.34 * largest);
}

// Lists made at other times put the grains in another order: nothing but rounding may tell.
TEST(Grains, TheSkinDoesNotMatter) {
  std::vector<Vec> ends[2];
  for (const int wide : {0, 1}) {
    Model model = loose(5, 5, radius, 0.1, rough_law(0.3, 0.2));
    model.skin = (wide ? 0.5 : 0.01) * radius;
    System grains(model);
    const auto planes = box_of(width_of(5, radius, 0.1), width_of(5, radius, 0.1));
    for (int k = 0; k < 3000; ++k) step(grains, h, planes, model.laws[0]);
    ends[wide].resize(grains.size());
    for (std::size_t i = 0; i < grains.size(); ++i)
      ends[wide][grains.state().id[i]] = grains.state()[i].position;
  }
  for (std::size_t i = 0; i < ends[0].size(); ++i) EXPECT_LT(norm(ends[0][i] - ends[1][i]), 1e-7 * radius);
}

// A periodic cell falls as one: nothing in it may notice where the border is.
TEST(Grains, PeriodsHaveNoBorder) {
  std::vector<Vec> ends[2];
  for (const int shifted : {0, 1}) {
    Model model = loose(6, 3, radius, 0.1, soft_law(TangentialForce::incremental));
    const double width = width_of(6, radius, 0.1), shift = shifted ? 0.37 * width : 0.0;
    model.space.axes = {Axis{true, shift, width}, Axis{true, -shift, width}, Axis{}};
    System grains(model);
    const std::vector<Plane> floor = {{{0, 0, 0}, {0, 0, 1}}};
    for (int k = 0; k < 3000; ++k) step(grains, h, floor, model.laws[0]);
    EXPECT_GT(grains.contacts(), 60u);
    ends[shifted].resize(grains.size());
    for (std::size_t i = 0; i < grains.size(); ++i) {
      Vec x = grains.state()[i].position;
      x.x -= width * std::floor(x.x / width);
      x.y -= width * std::floor(x.y / width);
      ends[shifted][grains.state().id[i]] = x;
    }
  }
  const double width = width_of(6, radius, 0.1);
  for (std::size_t i = 0; i < ends[0].size(); ++i) {
    Vec way = ends[0][i] - ends[1][i];
    way.x -= width * std::round(way.x / width);
    way.y -= width * std::round(way.y / width);
    EXPECT_LT(norm(way), 1e-6 * radius);
  }
}

TEST(Grains, RefusesWhatCannotBe) {
  const auto refused = [](const auto& spoil) {
    Model model = loose(2, 2, radius, 0, soft_law(TangentialForce::incremental));
    spoil(model);
    EXPECT_THROW(System{model}, InputError);
  };
  refused([](Model& m) { m.grains[3].radius = 0; });
  refused([](Model& m) { m.grains[3].density = -1; });
  refused([](Model& m) { m.grains[3].position.y = NAN; });
  refused([](Model& m) { m.grains[3].material = 1; });
  refused([](Model& m) { m.laws.clear(); });
  refused([](Model& m) { m.laws[0].stiffness_n = 0; });
  refused([](Model& m) { m.laws[0].friction = -0.1; });
  refused([](Model& m) { m.laws[0].rolling = -0.1; });
  refused([](Model& m) { m.laws[0].twisting = NAN; });
  refused([](Model& m) { m.laws[0].turning_damping = -0.1; });
  refused([](Model& m) { m.laws[0].adhesion = -0.1; });
  refused([](Model& m) {
    m.materials = 2;
    m.laws.assign(4, m.laws[0]);
    m.laws[2].tangential = TangentialForce::none;
  });
}

}  // namespace
}  // namespace hardpan::grains
