#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "hardpan/core/error.h"
#include "hardpan/core/parallel.h"
#include "hardpan/grains/system.h"
#include "hardpan/grains/test_grains.h"

namespace hardpan::grains {
namespace {

using namespace test;
using material::TangentialForce;

constexpr double radius = 2.5e-3, h = 1e-5;

// The kind, and whether it resists turning.
class SameBits : public testing::TestWithParam<std::pair<TangentialForce, double>> {
 protected:
  void TearDown() override { set_thread_count(0); }
  void run(System& grains, int steps) const {
    for (int k = 0; k < steps; ++k) step(grains, h, planes, law);
  }
  static material::GrainLaw law_of(TangentialForce kind, double turning) {
    material::GrainLaw law = soft_law(kind);
    law.rolling = turning;
    law.twisting = 0.5 * turning;
    return law;
  }
  material::GrainLaw law = law_of(GetParam().first, GetParam().second);
  std::vector<Plane> planes = box_of(width_of(8, radius, 0.1), width_of(8, radius, 0.1));
  Model model = loose(8, 8, radius, 0.1, law);
};

TEST_P(SameBits, ForOneAndTwoThreads) {
  set_thread_count(1);
  System one(model);
  run(one, 1500);
  set_thread_count(2);
  System two(model);
  run(two, 1500);
  EXPECT_GT(one.contacts(), 100u);
  EXPECT_EQ(hash(one), hash(two));
}

TEST_P(SameBits, AcrossARestart) {
  System whole(model), first(model), second(model);
  run(whole, 1501);
  run(first, 777);
  Archive archive;
  first.save(archive);
  second.restore(archive);
  EXPECT_EQ(hash(second), hash(first));
  run(second, 1501 - 777);
  EXPECT_EQ(hash(second), hash(whole));
}

// Whatever happened since: new lists, other orders.
TEST_P(SameBits, WhenPutBack) {
  System whole(model), other(model);
  run(whole, 500);
  run(other, 500);
  Archive kept;
  other.save(kept);
  const std::size_t contacts = other.contacts();
  const std::string before = hash(other);
  for (const int steps : {3, 700}) {
    const std::vector<std::uint32_t> order = other.state().id;
    run(other, steps);
    EXPECT_NE(hash(other), before);
    EXPECT_EQ(other.state().id == order, steps == 3);
    other.restore(kept);
    EXPECT_EQ(hash(other), before);
    EXPECT_EQ(other.contacts(), contacts);
  }
  run(whole, 400);
  run(other, 400);
  EXPECT_EQ(hash(whole), hash(other));
}

INSTANTIATE_TEST_SUITE_P(Grains, SameBits,
                         testing::Values(std::pair{TangentialForce::none, 0.0},
                                         std::pair{TangentialForce::none, 0.3},
                                         std::pair{TangentialForce::incremental, 0.0},
                                         std::pair{TangentialForce::incremental, 0.3}));

// Chunks that move as soon as they may, not only after all have pushed.
TEST(Grains, ManyChunksHaveTheSameBits) {
  const Model model = loose(21, 21, radius, 0.01, soft_law(TangentialForce::incremental));
  const auto planes = box_of(width_of(21, radius, 0.01), width_of(21, radius, 0.01));
  std::string hashes[3];
  for (const int threads : {1, 2, 3}) {
    set_thread_count(threads);
    System grains(model);
    for (int k = 0; k < 500; ++k) step(grains, h, planes, model.laws[0]);
    EXPECT_GT(grains.contacts(), 1000u);
    EXPECT_GT(grains.chunks(), 8u);
    hashes[threads - 1] = hash(grains);
  }
  set_thread_count(0);
  EXPECT_EQ(hashes[0], hashes[1]);
  EXPECT_EQ(hashes[0], hashes[2]);
}

// Copies for other threads (contacts.h) come and go with these.
TEST(Grains, ThreadsMayChange) {
  const Model model = loose(21, 21, radius, 0.01, soft_law(TangentialForce::incremental));
  const auto planes = box_of(width_of(21, radius, 0.01), width_of(21, radius, 0.01));
  std::string hashes[2];
  for (const bool change : {false, true}) {
    System grains(model);
    for (int k = 0; k < 300; ++k) {
      set_thread_count(change ? 1 + k / 7 % 4 : 1);
      step(grains, h, planes, model.laws[0]);
    }
    EXPECT_LT(grains.looks(), 60u);  // threads mostly change between two looks
    hashes[change] = hash(grains);
  }
  set_thread_count(0);
  EXPECT_EQ(hashes[0], hashes[1]);
}

TEST(Grains, RefusesTheStateOfOthers) {
  System grains(loose(2, 2, radius, 0, soft_law(TangentialForce::incremental)));
  System others(loose(2, 3, radius, 0, soft_law(TangentialForce::incremental)));
  Archive archive;
  others.save(archive);
  EXPECT_THROW(grains.restore(archive), IoError);
}

// A state may become that of another beginning, with another step: free fall goes on as if nothing had been.
TEST(GrainSystem, BeginsAnew) {
  Model model;
  model.laws = {material::hertz_law({1e7, 0.3}, {1e7, 0.3}, 0.5, 0.5)};
  model.grains = {{.velocity = {0.1, 0, 0}, .radius = 0.01, .density = 1000}};
  System grains(model);
  const double step = 1e-3;
  for (int k = 0; k < 100; ++k) grains.prepare(), grains.step(step);
  grains.begin();
  EXPECT_EQ(grains.books().gravity, 0);
  for (int k = 0; k < 50; ++k) grains.prepare(), grains.step(2 * step);
  EXPECT_NEAR(grains.state()[0].position.z, -0.5 * 9.81 * 0.2 * 0.2, 1e-12);
  EXPECT_NEAR(grains.state()[0].position.x, 0.02, 1e-15);
  EXPECT_NEAR(grains.books().lost(grains.kinetic_energy()), 0, 1e-12);
}

}  // namespace
}  // namespace hardpan::grains
