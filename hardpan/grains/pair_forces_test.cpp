#include "hardpan/grains/pair_forces.h"

#include <bit>
#include <cmath>

#include <gtest/gtest.h>

#include "hardpan/core/random.h"
#include "hardpan/math/widest.h"

namespace hardpan::grains {
namespace {

using material::GrainLaw;
using material::NormalForce;
using material::TangentialForce;

// Grains of two materials at random in a box that repeats along x, close enough that many touch.
struct Bed {
  Space space;
  Columns position;
  std::vector<double> radius;
  std::vector<std::uint32_t> id, material;
  std::vector<Motion> motion;
  std::vector<GrainLaw> laws;
  PairList pairs;

  Bed(std::size_t count, NormalForce normal, TangentialForce tangential, bool turning) : pairs(turning) {
    space.axes[0] = {true, 0, 1};
    const CounterRandom random(7);
    std::uint64_t draw = 0;
    const auto between = [&](double a, double b) { return random.uniform(draw++, a, b); };
    for (std::size_t i = 0; i < count; ++i) {
      position.push_back({between(0, 1), between(0, 0.5), between(0, 0.5)});
      radius.push_back(between(0.05, 0.1));
      id.push_back(static_cast<std::uint32_t>(i));
      material.push_back(static_cast<std::uint32_t>(between(0, 1) < 0.3));
      const auto any = [&] { return Vec{between(-1, 1), between(-1, 1), between(-1, 1)}; };
      motion.push_back(
          {position[i], radius[i], any(), between(1, 2), any(), radius[i], 1e-3 * any(), 0, 1e-3 * any(), 0});
    }
    for (const double stiffness : {1e4, 2e4, 2e4, 5e4}) {
      GrainLaw law = material::hooke_law(stiffness, 0.8 * stiffness, 0.4, 0.3);
      law.normal = normal;
      law.tangential = tangential;
      law.adhesion = 1;
      if (turning) law.rolling = law.twisting = 0.1;
      laws.push_back(law);
    }
    CellGrid grid;
    grid.build(position, 0.21, space);
    pairs.build(grid, position, radius, id, space, 0.01);
  }

  void move() {
    for (std::size_t i = 0; i < position.size(); ++i) {
      position.set(i, position[i] + motion[i].way);
      motion[i].position = position[i];
    }
  }
};

constexpr double h = 1e-3;

// As the header tells it, pair by pair.
template <NormalForce normal, TangentialForce tangential>
Sums push_one_by_one(Bed& bed, std::vector<PairForce>& forces, std::vector<Vec>& moments) {
  Sums sums;
  for (std::size_t i = 0; i < bed.position.size(); ++i)
    for (std::uint32_t pair = bed.pairs.first_pair(i); pair < bed.pairs.first_pair(i + 1); ++pair) {
      const std::uint32_t j = bed.pairs.second(pair);
      const Motion &a = bed.motion[i], &b = bed.motion[j];
      const Vec way = bed.space.shortest(bed.position[j] - bed.position[i]);
      material::GrainMeeting<double> at;
      at.overlap = a.radius + b.radius - norm(way);
      forces[pair] = {};
      if (!moments.empty()) moments[pair] = {};
      if (!(at.overlap > 0)) {
        sums.friction += bed.pairs.memory()[pair].energy();
        bed.pairs.memory()[pair] = {};
        if (moments.empty()) continue;
        sums.friction += bed.pairs.turning()[pair].energy();
        bed.pairs.turning()[pair] = {};
        continue;
      }
      const auto [radius, mass] = material::reduced(a.radius, a.mass, b.radius, b.mass);
      at.radius = radius;
      at.mass = mass;
      at.normal = (1 / (a.radius + b.radius - at.overlap)) * way;
      const double arm_i = a.radius - 0.5 * at.overlap, arm_j = b.radius - 0.5 * at.overlap;
      const Vec u = b.velocity - a.velocity - cross(arm_i * a.spin + arm_j * b.spin, at.normal);
      at.v_n = dot(u, at.normal);
      at.v_t = u - at.v_n * at.normal;
      const Vec moved = b.way - a.way - cross(arm_i * a.angle + arm_j * b.angle, at.normal);
      at.slip = moved - dot(moved, at.normal) * at.normal;
      at.spin = (0.5 / h) * dot(at.normal, a.angle + b.angle);
      const GrainLaw& law = bed.laws[2 * bed.material[i] + bed.material[j]];
      const auto f = material::grain_force<normal, tangential>(law, at, h, bed.pairs.memory()[pair]);
      forces[pair] = {f.normal * at.normal + f.tangential, arm_i, cross(at.normal, f.tangential), arm_j};
      sums.add({f.viscous, f.friction, f.stiffening, f.stored, 1});
      if (moments.empty()) continue;
      const material::TurnMeeting<double> turn{b.angle - a.angle, b.spin - a.spin,
                                               material::rolling_inertia(a.mass, a.radius, b.mass, b.radius)};
      const auto m = material::grain_moment(law, at, f, turn, h, bed.pairs.turning()[pair]);
      moments[pair] = m.moment;
      sums.add({m.viscous, m.friction, m.stiffening, m.stored, 0});
    }
  return sums;
}

bool same_bits(const Vec& a, const Vec& b) {
  const auto same = [](double x, double y) {
    return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
  };
  return same(a.x, b.x) && same(a.y, b.y) && same(a.z, b.z);
}

template <NormalForce normal, TangentialForce tangential>
void expect_the_same(std::size_t count, bool turning) {
  Bed fast(count, normal, tangential, turning), slow = fast;
  std::vector<PairForce> fast_forces(fast.pairs.size()), slow_forces(fast.pairs.size());
  std::vector<Vec> fast_moments(turning ? fast.pairs.size() : 0), slow_moments = fast_moments;
  std::vector<Load> loads(count);
  const PairWork work{fast.space, fast.laws,   2,     fast.motion,  fast.material,
                      fast.pairs, fast_forces, loads, fast_moments, h};
  for (int step = 0; step < 4; ++step) {
    const Sums one = push_pairs(work, 0, count),
               other = push_one_by_one<normal, tangential>(slow, slow_forces, slow_moments);
    ASSERT_EQ(one.contacts, other.contacts);
    ASSERT_GE(one.contacts, count > 2 ? count / 2 : 0);
    for (const auto& [a, b] : {std::pair{one.viscous, other.viscous},
                               {one.friction, other.friction},
                               {one.stiffening, other.stiffening},
                               {one.stored, other.stored}})
      ASSERT_NEAR(a, b, 1e-12 * (1 + std::abs(b)));
    for (std::size_t pair = 0; pair < fast.pairs.size(); ++pair) {
      ASSERT_TRUE(same_bits(fast_forces[pair].force, slow_forces[pair].force)) << pair;
      ASSERT_TRUE(same_bits(fast_forces[pair].torque, slow_forces[pair].torque)) << pair;
      ASSERT_EQ(fast_forces[pair].arm_i, slow_forces[pair].arm_i);
      ASSERT_EQ(fast_forces[pair].arm_j, slow_forces[pair].arm_j);
      ASSERT_TRUE(same_bits(fast.pairs.memory()[pair].force, slow.pairs.memory()[pair].force)) << pair;
      ASSERT_EQ(fast.pairs.memory()[pair].compliance, slow.pairs.memory()[pair].compliance);
      ASSERT_TRUE(!turning || same_bits(fast_moments[pair], slow_moments[pair])) << pair;
    }
    fast.move();
    slow.move();
  }
}

void expect_the_same_of_all_laws(std::size_t count, bool turning) {
  using enum TangentialForce;
  expect_the_same<NormalForce::hertz, none>(count, turning);
  expect_the_same<NormalForce::hertz, pseudo>(count, turning);
  expect_the_same<NormalForce::hertz, displacement>(count, turning);
  expect_the_same<NormalForce::hertz, incremental>(count, turning);
  expect_the_same<NormalForce::hooke, none>(count, turning);
  expect_the_same<NormalForce::hooke, displacement>(count, turning);
  expect_the_same<NormalForce::hooke, incremental>(count, turning);
}

// On every vector unit that there is, of any number of grains, so that the last four are sometimes less; some
// pairs part, some begin.
TEST(PairForces, FourAtOnceHaveTheBitsOfOneByOne) {
  const Unit widest = widest_unit();
  for (const Unit unit : {Unit::plain, Unit::avx2, Unit::avx512}) {
    limit_unit(unit);
    for (const std::size_t count : {2u, 60u, 61u, 140u})
      for (const bool turning : {false, true}) expect_the_same_of_all_laws(count, turning);
  }
  limit_unit(widest);
}

// Each grain has what its pairs do to it, as the first of them and as the second.
TEST(PairForces, LoadsAreTheSumsOfPairs) {
  const std::size_t count = 140;
  Bed bed(count, NormalForce::hertz, TangentialForce::incremental, false);
  std::vector<PairForce> forces(bed.pairs.size());
  std::vector<Load> loads(count);
  const PairWork work{bed.space, bed.laws, 2, bed.motion, bed.material, bed.pairs, forces, loads, {}, h};
  push_pairs(work, 0, count);
  add_seconds(work, 0, count);
  std::vector<Load> right(count);
  for (std::size_t pair = 0; pair < bed.pairs.size(); ++pair) {
    const PairForce& f = forces[pair];
    Load &a = right[bed.pairs.first(pair)], &b = right[bed.pairs.second(pair)];
    a.force = a.force - f.force;
    a.torque = a.torque - f.arm_i * f.torque;
    b.force = b.force + f.force;
    b.torque = b.torque - f.arm_j * f.torque;
  }
  for (std::size_t i = 0; i < count; ++i) {
    EXPECT_LT(norm(loads[i].force - right[i].force), 1e-12 * (1 + norm(right[i].force))) << i;
    EXPECT_LT(norm(loads[i].torque - right[i].torque), 1e-12 * (1 + norm(right[i].torque))) << i;
  }
}

}  // namespace
}  // namespace hardpan::grains
