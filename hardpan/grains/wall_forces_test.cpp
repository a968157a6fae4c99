#include "hardpan/grains/wall_forces.h"

#include <gtest/gtest.h>

#include "hardpan/grains/test_grains.h"
#include "hardpan/grains/test_units.h"

namespace hardpan::grains {
namespace {

using material::GrainLaw;
using material::NormalForce;
using material::TangentialForce;
using test::same_bits;

constexpr double h = 1e-3, ahead = 0.7;

// Spheres of two materials at two walls that move and turn.
struct Setting {
  test::Cloud cloud = test::random_cloud(11, 101, false, 0.02, 0.05);
  std::vector<std::uint32_t> material;
  std::vector<GrainLaw> laws;
  std::vector<Wall> walls;
  std::vector<WallTouch> touches;
  std::vector<Memory> memory;
  std::vector<TurnMemory> turning;
  std::vector<Load> loads;
  std::vector<WallPush> pushes;

  Setting(NormalForce normal, TangentialForce tangential, bool turns) {
    const CounterRandom random(3);
    std::uint64_t draw = 0;
    const auto any = [&](double most) { return random.uniform(draw++, -most, most); };
    const auto any_vector = [&] { return Vec{any(1), any(1), any(1)}; };
    for (const double stiffness : {1e4, 2e4, 3e4, 5e4}) {
      GrainLaw law = material::hooke_law(stiffness, 0.8 * stiffness, 0.4, 0.3);
      law.normal = normal;
      law.tangential = tangential;
      law.adhesion = 1;
      if (turns) law.rolling = law.twisting = 0.1;
      laws.push_back(law);
    }
    walls = {{std::span(laws).first(2), any_vector(), any_vector(), any_vector(), 0.1},
             {std::span(laws).last(2), any_vector(), any_vector(), any_vector()}};
    for (std::uint32_t i = 0; i < cloud.state.size(); ++i) {
      material.push_back(i % 7 == 0);
      WallTouch touch;
      const Vec n = any_vector();
      touch.normal = (1 / norm(n)) * n;
      touch.overlap = 0.001 + 0.001 * any(0.9);
      touch.grain = i;
      touch.place = i < 40 ? 0 : 256 + i % 3;
      touches.push_back(touch);
    }
    memory.resize(touches.size());
    turning.resize(touches.size());
    loads.resize(cloud.state.size());
    pushes.resize(walls.size());
  }
  WallWork work() const { return {walls, cloud.state.balls, material, {h, ahead}}; }
  Sums push() {
    const auto remembered = work().resists_turning() ? std::span(turning) : std::span<TurnMemory>{};
    return push_walls(work(), touches, memory, remembered, {loads, 0}, pushes);
  }
};

template <NormalForce normal, TangentialForce tangential>
Sums push_one_by_one(Setting& setting) {
  Sums sums;
  for (std::size_t k = 0; k < setting.touches.size(); ++k) {
    WallTouch& touch = setting.touches[k];
    const Wall& wall = setting.walls[touch.wall()];
    const Ball& ball = setting.cloud.state[touch.grain];
    const GrainLaw& law = wall.laws[setting.material[touch.grain]];
    const Vec& n = touch.normal;
    const double arm = ball.radius - 0.5 * touch.overlap;
    material::GrainMeeting<double> at;
    at.overlap = touch.overlap;
    at.radius = ball.radius;
    at.mass = ball.mass / (1 + wall.over_mass * ball.mass);
    at.normal = n;
    Memory& memory = setting.memory[k];
    const Vec place = ball.position - arm * n - wall.origin,
              wall_velocity = wall.velocity + cross(wall.spin, place);
    const Vec v = ball.velocity - wall_velocity - arm * cross(ball.spin, n);
    const Vec now = v + (memory.compliance > 0 ? ahead : 0) * (v - memory.velocity);
    memory.velocity = v;
    at.v_n = dot(now, n);
    at.v_t = now - at.v_n * n;
    at.v_led = v - dot(v, n) * n;
    at.spins = dot(n, ball.spin + wall.spin);
    const auto f = material::grain_force<normal, tangential>(law, at, h, memory);
    touch.force = f.normal * n + f.tangential;
    sums.add(sums_of(f.energy(h), 1));
    Load& load = setting.loads[touch.grain];
    load.force = load.force + touch.force;
    load.torque = load.torque - arm * cross(n, touch.force);
    WallPush& push = setting.pushes[touch.wall()];
    push.add({-touch.force, -cross(place, touch.force),
              (normal == NormalForce::hertz ? 1.5 : 1.0) * f.stiffness, dot(touch.force, wall_velocity)});
    if (!law.resists_turning()) continue;
    TurnMemory& turning = setting.turning[k];
    const Vec rate = ball.spin - wall.spin;
    const material::TurnMeeting<double> turn{rate,
                                             rate + (turning.roll_k > 0 ? ahead : 0) * (rate - turning.rate),
                                             1.4 * at.mass * ball.radius * ball.radius};
    turning.rate = rate;
    const auto m = material::grain_moment(law, at, f, turn, h, turning);
    load.torque = load.torque + m.moment;
    push.add({{}, -m.moment, 0, dot(m.moment, wall.spin)});
    sums.add(sums_of(m.energy, 0));
  }
  return sums;
}

template <NormalForce normal, TangentialForce tangential>
void expect_the_same(bool turns) {
  Setting fast(normal, tangential, turns), slow(normal, tangential, turns);
  for (int step = 0; step < 3; ++step) {
    for (Setting* setting : {&fast, &slow})
      for (Ball& ball : setting->cloud.state.balls)
        ball.velocity = 1.1 * ball.velocity, ball.spin = 0.9 * ball.spin;
    const Sums one = fast.push(), other = push_one_by_one<normal, tangential>(slow);
    test::expect_the_same(one, other);
    for (std::size_t k = 0; k < fast.touches.size(); ++k) {
      ASSERT_TRUE(same_bits(fast.touches[k].force, slow.touches[k].force)) << k;
      ASSERT_TRUE(same_bits(fast.loads[k].force, slow.loads[k].force)) << k;
      ASSERT_TRUE(same_bits(fast.loads[k].torque, slow.loads[k].torque)) << k;
      ASSERT_TRUE(same_bits(fast.memory[k].force, slow.memory[k].force)) << k;
      ASSERT_TRUE(same_bits(fast.memory[k].velocity, slow.memory[k].velocity)) << k;
      ASSERT_EQ(fast.touches[k].grain, slow.touches[k].grain);
      ASSERT_EQ(fast.touches[k].place, slow.touches[k].place);
    }
    for (std::size_t k = 0; k < fast.pushes.size(); ++k) {
      const WallPush &a = fast.pushes[k], &b = slow.pushes[k];
      EXPECT_LT(norm(a.force - b.force), 1e-12 * norm(b.force));
      EXPECT_LT(norm(a.moment - b.moment), 1e-12 * norm(b.moment));
      EXPECT_NEAR(a.stiffness / b.stiffness, 1, 1e-12);
      EXPECT_NEAR(a.power / b.power, 1, 1e-11);
    }
  }
}

TEST(WallForces, ManyAtOnceHaveTheBitsOfOneByOne) {
  test::on_every_unit([] {
    for (const bool turns : {false, true}) {
      expect_the_same<NormalForce::hertz, TangentialForce::incremental>(turns);
      expect_the_same<NormalForce::hertz, TangentialForce::displacement>(turns);
      expect_the_same<NormalForce::hertz, TangentialForce::pseudo>(turns);
      expect_the_same<NormalForce::hooke, TangentialForce::none>(turns);
    }
  });
}

TEST(WallForces, BooksHaveTheSameBitsOnEveryUnit) {
  std::vector<Sums> sums;
  test::on_every_unit(
      [&] { sums.push_back(Setting(NormalForce::hertz, TangentialForce::incremental, true).push()); });
  for (const Sums& s : sums) {
    EXPECT_EQ(s.contacts, 101u);
    EXPECT_TRUE(same_bits(s, sums[0]));
  }
}

// Whatever the order in which touches come, each finds its own, and what has ended is told.
TEST(WallMemory, BelongsToGrainAndPlace) {
  const auto touch = [](std::uint32_t grain, std::uint32_t place) {
    WallTouch t;
    t.grain = grain;
    t.place = place;
    return t;
  };
  WallMemory memory;
  const std::vector<WallTouch> first = {touch(3, 0), touch(3, 256), touch(1, 256)};
  EXPECT_EQ(memory.recall(first), 0);
  for (std::size_t k = 0; k < 3; ++k) memory.memory()[k] = {{1.0 + static_cast<double>(k), 0, 0}, 2};
  EXPECT_EQ(memory.recall(first), 0);
  EXPECT_EQ(memory.memory()[1].force.x, 2);
  const std::vector<WallTouch> second = {touch(1, 256), touch(2, 0), touch(3, 0)};
  EXPECT_EQ(memory.recall(second), 4);  // of the one that has ended
  EXPECT_EQ(memory.memory()[0].force.x, 3);
  EXPECT_EQ(memory.memory()[1].force.x, 0);
  EXPECT_EQ(memory.memory()[2].force.x, 1);
  memory.turning()[2].roll_k = 5;
  EXPECT_EQ(memory.recall(std::vector<WallTouch>{touch(3, 0), touch(1, 256), touch(2, 0)}), 0);
  EXPECT_EQ(memory.turning()[0].roll_k, 5);
  EXPECT_EQ(memory.turning()[1].roll_k, 0);
  EXPECT_EQ(memory.recall(second), 0);
  const std::vector<std::uint32_t> place = {0, 3, 2, 1}, id = {10, 11, 12, 13};
  std::vector<WallMemory> chunks = {memory, {}};
  WallMemory::renumber(chunks, place, [](std::uint32_t i) { return i / 2; });
  EXPECT_EQ(chunks[0].recall(std::vector<WallTouch>{touch(1, 0)}), 0);
  EXPECT_EQ(chunks[0].memory()[0].force.x, 1);
  EXPECT_EQ(chunks[1].recall(std::vector<WallTouch>{touch(3, 256), touch(2, 0)}), 0);
  EXPECT_EQ(chunks[1].memory()[0].force.x, 3);
  EXPECT_EQ(chunks[0].turning()[0].roll_k, 5);
  EXPECT_EQ(chunks[1].turning()[0].roll_k, 0);
}

}  // namespace
}  // namespace hardpan::grains
