#include "hardpan/grains/pair_forces.h"

#include <utility>

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

// Spheres of two materials in a box that repeats itself, close enough that many touch.
struct Bed {
  test::Cloud cloud;
  std::vector<std::uint32_t> material;
  std::vector<GrainLaw> laws;
  Contacts contacts;
  std::vector<std::vector<Load>> loads;  // of each chunk
  std::vector<double> margins;           // likewise
  double gone = 0;                       // as a share of them

  Bed(std::size_t count, NormalForce normal, TangentialForce tangential, bool turning, bool equal = false)
      : cloud(test::random_cloud(7, count, true, 0.05, 0.1)), contacts(count, 2, turning) {
    for (Ball& ball : cloud.state.balls)
      if (equal) ball.radius = 0.07, ball.mass = 1.3;
    cloud.build(0.01);
    for (const std::uint32_t id : cloud.state.id) material.push_back(id % 3 == 0);
    for (const double stiffness : {1e4, 2e4, 2e4, 5e4}) {
      GrainLaw law = material::hooke_law(stiffness, 0.8 * stiffness, 0.4, 0.3);
      law.normal = normal;
      law.tangential = tangential;
      law.adhesion = 1;
      if (turning) law.rolling = law.twisting = 0.1;
      laws.push_back(law);
    }
    look(test::margins(contacts, 0.005));
  }
  void look(const std::vector<double>& of_chunks) {
    margins = of_chunks;
    contacts.look(cloud.list, cloud.state, cloud.space, material, margins);
    loads.clear();
    for (std::size_t c = 0; c < contacts.chunks(); ++c) loads.emplace_back(contacts.loads(c));
  }

  PairWork work() const { return {cloud.space, laws, cloud.state.balls, {h, ahead}, gone}; }
  ChunkLoads loads_of(std::size_t chunk) { return {loads[chunk], contacts.begin_of(chunk)}; }
  Sums push() {
    Sums sums;
    for (std::size_t c = 0; c < contacts.chunks(); ++c)
      sums.add(push_pairs(work(), contacts.of(c), loads_of(c)));
    return sums;
  }
  // On each sphere, of all chunks.
  std::vector<Vec> forces() const {
    std::vector<Vec> all(cloud.state.size(), Vec{});
    for (std::size_t c = 0; c < contacts.chunks(); ++c)
      for (std::size_t k = 0; k < loads[c].size(); ++k) {
        const std::size_t own = contacts.end_of(c) - contacts.begin_of(c);
        Vec& force = all[k < own ? contacts.begin_of(c) + k : contacts.guests(c)[k - own]];
        force = force + loads[c][k].force;
      }
    return all;
  }
  void move() {
    double share = 0;
    for (std::size_t i = 0; i < cloud.state.size(); ++i)
      share = std::max(share, norm(cloud.state[i].velocity) / margins[contacts.chunk_of(i)]);
    gone += h * share;
    for (Ball& ball : cloud.state.balls) {
      ball.position = ball.position + h * ball.velocity;
      ball.velocity = ball.velocity + 0.1 * cross(ball.spin, ball.velocity);
      ball.spin = 0.9 * ball.spin;
    }
  }
};

// As the header tells it, contact by contact.
template <NormalForce normal, TangentialForce tangential>
Sums push_one_by_one(Bed& bed) {
  Sums sums;
  for (std::size_t c = 0; c < bed.contacts.chunks(); ++c) {
    ChunkContacts& contacts = bed.contacts.of(c);
    for (std::size_t g = 0; g < contacts.groups.size(); ++g) {
      ContactGroup& group = contacts.groups[g];
      for (std::size_t k = 0; k < group.used; ++k) {
        const std::size_t place = group_width * g + k;
        const auto [i, j] = contacts.pair(place);
        const Ball &a = bed.cloud.state[i], &b = bed.cloud.state[j];
        TurnMemory* const turning = contacts.turning.empty() ? nullptr : &contacts.turning[place];
        const Vec way = bed.cloud.space.shortest(b.position - a.position);
        const double distance = norm(way);
        Memory memory = group.memory(k);
        material::GrainMeeting<double> at;
        at.overlap = a.radius + b.radius - distance;
        if (!(at.overlap > 0)) {
          sums.friction += memory.energy();
          group.set(k, {});
          if (turning) sums.friction += turning->energy(), *turning = {};
          continue;
        }
        const double radii = a.radius + b.radius, wider = b.radius - a.radius;
        const auto [radius, mass] = material::reduced(radii, wider, a.mass + b.mass, b.mass - a.mass);
        at.radius = radius;
        at.mass = mass;
        at.normal = (1 / distance) * way;
        const Vec& n = at.normal;
        const Vec half = 0.5 * way;
        const Vec v = b.velocity - a.velocity - cross(a.spin + b.spin, half) -
                      cross((0.5 * wider) * (b.spin - a.spin), n);
        const Vec now = v + (memory.compliance > 0 ? ahead : 0) * (v - memory.velocity);
        memory.velocity = v;
        at.v_n = dot(now, n);
        at.v_t = now - at.v_n * n;
        at.v_led = v - dot(v, n) * n;
        at.spins = dot(n, a.spin + b.spin);
        const GrainLaw& law = bed.laws[2 * bed.material[i] + bed.material[j]];
        const auto f = material::grain_force<normal, tangential>(law, at, h, memory);
        group.set(k, memory);
        const Vec force = f.normal * n + f.tangential, torque = cross(half, f.tangential),
                  differ = (0.5 * wider) * cross(n, f.tangential);
        Load &on_i = bed.loads_of(c).of(i), &on_j = bed.loads_of(c).at(group.to[k]);
        on_i = {on_i.force - force, on_i.torque - (torque - differ)};
        on_j = {on_j.force + force, on_j.torque - (torque + differ)};
        sums.add(sums_of(f.energy(h), 1));
        if (!turning) continue;
        const Vec rate = b.spin - a.spin;
        const material::TurnMeeting<double> turn{
            rate, rate + (turning->roll_k > 0 ? ahead : 0) * (rate - turning->rate),
            material::rolling_inertia(a.mass, a.radius, b.mass, b.radius)};
        turning->rate = rate;
        const auto m = material::grain_moment(law, at, f, turn, h, *turning);
        on_i.torque = on_i.torque - m.moment;
        on_j.torque = on_j.torque + m.moment;
        sums.add(sums_of(m.energy, 0));
      }
    }
  }
  return sums;
}

// With rolling, the moments of a group come after all its forces, so torques differ by rounding.
void expect_same_loads(const Bed& fast, const Bed& slow, bool turning) {
  for (std::size_t c = 0; c < fast.loads.size(); ++c)
    for (std::size_t i = 0; i < fast.loads[c].size(); ++i) {
      const Load &a = fast.loads[c][i], &b = slow.loads[c][i];
      ASSERT_TRUE(same_bits(a.force, b.force)) << i;
      ASSERT_TRUE(turning ? norm(a.torque - b.torque) <= 1e-12 * (1 + norm(b.torque))
                          : same_bits(a.torque, b.torque))
          << i;
    }
}

template <NormalForce normal, TangentialForce tangential>
void expect_the_same(std::size_t count, bool turning, bool equal = false) {
  Bed fast(count, normal, tangential, turning, equal), slow = fast;
  for (int step = 0; step < 4; ++step) {
    const Sums one = fast.push(), other = push_one_by_one<normal, tangential>(slow);
    test::expect_the_same(one, other);
    ASSERT_GE(one.contacts, count > 2 ? count / 2 : 0);
    expect_same_loads(fast, slow, turning);
    for (std::size_t c = 0; c < fast.contacts.chunks(); ++c)
      for (std::size_t g = 0; g < fast.contacts.of(c).groups.size(); ++g)
        for (std::size_t k = 0; k < fast.contacts.of(c).groups[g].used; ++k) {
          const Memory a = fast.contacts.of(c).groups[g].memory(k),
                       b = slow.contacts.of(c).groups[g].memory(k);
          ASSERT_TRUE(same_bits(a.force, b.force) && a.compliance == b.compliance);
          ASSERT_TRUE(a.compliance == 0 || same_bits(a.velocity, b.velocity));
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

// On every vector unit that there is, of any number of spheres, so that the last group is sometimes not full;
// some pairs part, some begin.
TEST(PairForces, ManyAtOnceHaveTheBitsOfOneByOne) {
  test::on_every_unit([] {
    for (const std::size_t count : {2u, 60u, 61u, 140u})
      for (const bool turning : {false, true}) expect_the_same_of_all_laws(count, turning);
  });
}

// Those of one size have a shorter way to the same.
TEST(PairForces, EqualSpheresHaveTheBitsOfOthers) {
  using enum TangentialForce;
  test::on_every_unit([] {
    for (const std::size_t count : {2u, 60u, 140u}) {
      expect_the_same<NormalForce::hertz, incremental>(count, false, true);
      expect_the_same<NormalForce::hooke, displacement>(count, false, true);
      expect_the_same<NormalForce::hertz, incremental>(count, true, true);
    }
  });
  Bed bed(140, NormalForce::hertz, incremental, false, true),
      mixed(140, NormalForce::hertz, incremental, false);
  EXPECT_TRUE(bed.contacts.of(0).equal);
  EXPECT_FALSE(mixed.contacts.of(0).equal);
}

// Groups in which nobody touches rest, again and again, and wake in time: as if all were looked at in every
// step. Spheres of every second chunk are slow and have a narrow margin; all turn back, so that touches end.
TEST(PairForces, RestingLeavesNoTrace) {
  test::on_every_unit([] {
    Bed fast(2500, NormalForce::hertz, TangentialForce::displacement, false);
    std::vector<double> margins(fast.contacts.chunks());
    for (std::size_t c = 0; c < margins.size(); ++c) margins[c] = c % 2 == 0 ? 0.001 : 0.008;
    for (std::size_t i = 0; i < 2500; ++i) {
      Ball& ball = fast.cloud.state.balls[i];
      ball.velocity = 10 * margins[fast.contacts.chunk_of(i)] * ball.velocity;
    }
    fast.look(margins);
    Bed slow = fast;
    std::size_t resting = 0, again = 0, woken = 0;
    const auto turn_back = [](Bed& bed) {
      for (Ball& ball : bed.cloud.state.balls) ball.velocity = -ball.velocity;
    };
    bool back = false;
    for (; fast.gone < 1; fast.move(), slow.move()) {
      if (fast.gone > 0.6 && !std::exchange(back, true)) turn_back(fast), turn_back(slow);
      const auto before = fast.contacts;
      test::expect_the_same(fast.push(),
                            push_one_by_one<NormalForce::hertz, TangentialForce::displacement>(slow));
      expect_same_loads(fast, slow, false);
      for (std::size_t c = 0; c < fast.contacts.chunks(); ++c) {
        const ChunkContacts& now = fast.contacts.of(c);
        for (const Section& section : now.sections)
          for (std::size_t g = section.first + section.touching, n = 0; n < section.resting; ++g, ++n) {
            resting += now.rests_until[g] > fast.gone;
            again += now.rests_until[g] > before.of(c).rests_until[g];
            woken += now.groups[g].compliance != before.of(c).groups[g].compliance;
            ASSERT_EQ(now.groups[g].compliance, slow.contacts.of(c).groups[g].compliance);
            ASSERT_EQ(now.groups[g].f_x, slow.contacts.of(c).groups[g].f_x);
          }
      }
    }
    EXPECT_GT(resting, 1000u);
    EXPECT_GT(again, 100u);
    EXPECT_GT(woken, 100u);
  });
}

// Books, too: their sums have one order on every unit.
TEST(PairForces, EveryUnitHasTheSameBits) {
  std::vector<Sums> sums;
  test::on_every_unit([&] {
    for (const bool turning : {false, true}) {
      Bed bed(140, NormalForce::hertz, TangentialForce::incremental, turning);
      for (int step = 0; step < 4; ++step, bed.move()) sums.push_back(bed.push());
    }
  });
  for (std::size_t k = 8; k < sums.size(); ++k) EXPECT_TRUE(same_bits(sums[k], sums[k - 8])) << k;
}

// Those of the next step, before it is made, and without a trace.
TEST(PairForces, CanBeFoundWithoutPushing) {
  Bed bed(140, NormalForce::hertz, TangentialForce::incremental, false);
  bed.push();
  bed.move();
  std::vector<ContactForce> forces;
  const std::vector<Vec> before = bed.forces();
  for (std::size_t c = 0; c < bed.contacts.chunks(); ++c) find_forces(bed.work(), bed.contacts.of(c), forces);
  const Sums sums = bed.push();
  EXPECT_EQ(forces.size(), sums.contacts);
  std::vector<Vec> right(140, Vec{});
  for (const auto& [i, j, force, arm] : forces) {
    right[i] = right[i] - force;
    right[j] = right[j] + force;
    EXPECT_GT(arm, 0);
    EXPECT_LT(arm, bed.cloud.state[i].radius);
  }
  const std::vector<Vec> after = bed.forces();
  for (std::size_t i = 0; i < 140; ++i)
    EXPECT_LT(norm(after[i] - before[i] - right[i]), 1e-11 * (1 + norm(right[i]))) << i;
}

}  // namespace
}  // namespace hardpan::grains
