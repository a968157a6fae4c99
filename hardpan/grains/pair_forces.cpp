#include "hardpan/grains/pair_forces.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <numeric>

#include "hardpan/grains/rows.h"
#include "hardpan/math/widest.h"

namespace hardpan::grains {

using material::NormalForce;
using material::TangentialForce;

void Sums::add(const Sums& other) {
  viscous += other.viscous;
  friction += other.friction;
  stiffening += other.stiffening;
  stored += other.stored;
  contacts += other.contacts;
}

namespace {

// Groups go through three stages: how their spheres meet, what the law says, who is pushed. All three are
// under way at once, each with another group, so that nobody waits for the roots and quotients of one.

constexpr std::size_t groups_ahead = 8;  // is fetched

// How spheres meet.
template <std::size_t width>
struct Met {
  PackOf<width> overlap;  // 0: they do not touch
  PackVec<width> n;
  PackVec<width> half;      // of the way from i to j
  PackVec<width> velocity;  // of j against i at the contact
  PackOf<width> spins;
  PackOf<width> arm_difference, radius;  // half of arm_j - arm_i, R*
  material::GrainScale<PackOf<width>> scale;
};

// What pushes them.
template <std::size_t width>
struct Pushed {
  PackVec<width> force;                   // on j
  PackVec<width> torque_i, torque_j;      // turned round
  PackOf<width> pressing{}, stiffness{};  // for rolling and twisting
};

using Column = std::array<double, group_width>;
template <std::size_t width>
[[gnu::always_inline]] inline PackVec<width> load_vector(const Column& x, const Column& y, const Column& z,
                                                         std::size_t first) {
  return {load_pack<width>(&x[first]), load_pack<width>(&y[first]), load_pack<width>(&z[first])};
}
template <std::size_t width>
[[gnu::always_inline]] inline void store_vector(const PackVec<width>& v, Column& x, Column& y, Column& z,
                                                std::size_t first) {
  store_pack(v.x, &x[first]);
  store_pack(v.y, &y[first]);
  store_pack(v.z, &z[first]);
}

// The spheres of a chunk and its guests, by the numbers of their loads.
struct ChunkBalls {
  const Ball *own, *all;
  const std::uint32_t* places;

  ChunkBalls(const PairWork& work, const ChunkContacts& contacts)
      : own(&work.balls[contacts.spheres[0]]), all(work.balls.data()), places(contacts.places().data()) {}
  [[gnu::always_inline]] const Ball& first(const ContactGroup& group, std::size_t k) const {
    return own[group.from[k]];
  }
  [[gnu::always_inline]] const Ball& second(const ContactGroup& group, std::size_t k) const {
    return all[places[group.to[k]]];
  }
};

// The spheres of some contacts, row by row.
template <std::size_t width>
struct Spheres {
  const ChunkBalls& balls;
  const ContactGroup& group;
  std::size_t from;

  template <class Act>
  [[gnu::always_inline]] PackColumns<width> both(BallRow number, const Act& act) const {
    PackRows<width> rows;
    for (std::size_t k = 0; k < width; ++k)
      rows[k] = act(load_pack(row(balls.first(group, from + k), number)),
                    load_pack(row(balls.second(group, from + k), number)));
    return columns_of(rows);
  }
  [[gnu::always_inline]] PackColumns<width> difference(BallRow number) const {
    return both(
        number, [](const Pack& a, const Pack& b) __attribute__((always_inline)) { return b - a; });
  }
  [[gnu::always_inline]] PackColumns<width> sum(BallRow number) const {
    return both(
        number, [](const Pack& a, const Pack& b) __attribute__((always_inline)) { return a + b; });
  }
};

// Of spheres that are `equal`, differences are known.
template <NormalForce normal, bool equal, bool periodic, std::size_t width>
[[gnu::always_inline]] inline Met<width> meet(const PairWork& work, const ChunkBalls& balls,
                                              const material::GrainFactors& law, const ContactGroup& group,
                                              std::size_t first) {
  using P = PackOf<width>;
  using V = PackVec<width>;
  const Spheres<width> spheres{balls, group, first};
  const PackColumns<width> spins = spheres.sum(spin_row), moved = spheres.difference(velocity_row);
  V way = vector_of<width>(spheres.difference(position_row));
  if constexpr (periodic) way = work.space.shortest(way);
  const Ball& one = balls.first(group, 0);
  const P radii = equal ? P(2 * one.radius) : spins[3];
  const P distance = norm(way);
  const auto used = PackMaskOf<width>::first(group.used > first ? group.used - first : 0);
  Met<width> met;
  met.overlap = select(used, larger(radii - distance, P(0.0)), P(0.0));
  met.n = (P(1) / distance) * way;
  met.half = P(0.5) * way;
  met.velocity = vector_of<width>(moved) - cross(vector_of<width>(spins), met.half);
  met.spins = dot(met.n, vector_of<width>(spins));
  if constexpr (equal) {
    const auto reduced = material::reduced(2 * one.radius, 0.0, 2 * one.mass, 0.0);
    met.arm_difference = P(0.0);
    met.radius = P(reduced.radius);
    met.scale = material::grain_scale<normal>(law, met.overlap, met.radius, P(reduced.mass));
  } else {
    const PackColumns<width> differ = spheres.difference(spin_row), masses = spheres.sum(velocity_row);
    const auto reduced = material::reduced(radii, differ[3], masses[3], moved[3]);
    met.arm_difference = 0.5 * differ[3];
    met.velocity = met.velocity - cross(met.arm_difference * vector_of<width>(differ), met.n);
    met.radius = reduced.radius;
    met.scale = material::grain_scale<normal>(law, met.overlap, reduced.radius, reduced.mass);
  }
  return met;
}

template <std::size_t width>
[[gnu::always_inline]] inline material::GrainBefore<PackOf<width>> remembered(const PairWork& work,
                                                                              const ContactGroup& group,
                                                                              std::size_t first,
                                                                              const Met<width>& met) {
  return material::turned(load_vector<width>(group.f_x, group.f_y, group.f_z, first), met.n,
                          0.5 * work.step.h * met.spins);
}

template <NormalForce normal, TangentialForce tangential, bool equal, std::size_t width>
[[gnu::always_inline]] inline Pushed<width> apply_law(const PairWork& work, const material::GrainFactors& law,
                                                      ContactGroup& group, std::size_t first,
                                                      const Met<width>& met,
                                                      const material::GrainBefore<PackOf<width>>& before,
                                                      EnergyColumns<width>& columns) {
  using P = PackOf<width>;
  using V = PackVec<width>;
  material::GrainMeeting<P> meeting;
  meeting.overlap = met.overlap;
  meeting.normal = met.n;
  meeting.spins = met.spins;
  meeting.radius = met.radius;
  material::GrainMemory<P> memory;
  memory.compliance = load_pack<width>(&group.compliance[first]);
  memory.velocity = load_vector<width>(group.v_x, group.v_y, group.v_z, first);
  const P lost = 0.5 * memory.compliance * before.square;  // of those that have ended
  material::set_motion(meeting, met.velocity, work.step, memory);
  const auto touches = meeting.overlap > P(0.0);
  const auto force =
      material::grain_force<normal, tangential>(law, met.scale, before, meeting, work.step.h, memory);
  const V nothing{P(0.0), P(0.0), P(0.0)};
  const auto only = [&](const V& v) __attribute__((always_inline)) { return select(touches, v, nothing); };
  store_vector<width>(only(memory.force), group.f_x, group.f_y, group.f_z, first);
  store_pack(select(touches, memory.compliance, P(0.0)), &group.compliance[first]);
  store_vector<width>(only(memory.velocity), group.v_x, group.v_y, group.v_z, first);
  columns.add(touches, force, lost);
  Pushed<width> pushed;
  pushed.force = only(force.normal * met.n + force.tangential);
  pushed.torque_i = pushed.torque_j = only(cross(met.half, force.tangential));
  if constexpr (!equal) {
    const V differ = only(met.arm_difference * cross(met.n, force.tangential));
    pushed.torque_i = pushed.torque_i - differ;
    pushed.torque_j = pushed.torque_j + differ;
  }
  pushed.pressing = force.pressing;
  pushed.stiffness = force.stiffness;
  return pushed;
}

// One contact after the other.
template <bool equal, std::size_t width>
[[gnu::always_inline]] inline void add_forces(const ContactGroup& group, std::size_t first,
                                              const Pushed<width>& pushed, const ChunkLoads& loads) {
  const auto rows_i = load_rows<width>(pushed.force, pushed.torque_i),
             rows_j = equal ? rows_i : load_rows<width>(pushed.force, pushed.torque_j);
  for (std::size_t k = 0; k < width; ++k) {
    rows_i.take(k, loads.at(group.from[first + k]));
    rows_j.give(k, loads.at(group.to[first + k]));
  }
}

// Rolling and twisting of one contact; seldom asked for.
template <std::size_t width>
[[gnu::always_inline]] inline Sums turn(const PairWork& work, const ChunkBalls& balls,
                                        const ContactGroup& group, std::size_t first, std::size_t k,
                                        const Met<width>& met, const Pushed<width>& pushed,
                                        TurnMemory& memory, const ChunkLoads& loads) {
  const Ball &a = balls.first(group, first + k), &b = balls.second(group, first + k);
  material::GrainMeeting<double> at{};
  at.radius = met.radius[k];
  at.normal = {met.n.x[k], met.n.y[k], met.n.z[k]};
  at.spins = met.spins[k];
  material::GrainForce<double> pressing{};
  pressing.pressing = pushed.pressing[k];
  pressing.stiffness = pushed.stiffness[k];
  const auto turn = material::turn_meeting(
      b.spin - a.spin, work.step, material::rolling_inertia(a.mass, a.radius, b.mass, b.radius), memory);
  const auto m = material::grain_moment(work.laws[group.law], at, pressing, turn, work.step.h, memory);
  Load &on_i = loads.at(group.from[first + k]), &on_j = loads.at(group.to[first + k]);
  on_i.torque = on_i.torque - m.moment;
  on_j.torque = on_j.torque + m.moment;
  return sums_of(m.energy, 0);
}

// What held a contact that has ended is lost.
Sums let_go(TurnMemory& memory) {
  const double energy = memory.energy();
  memory = {};
  return {0, energy, 0, 0, 0};
}

template <std::size_t width>
[[gnu::always_inline]] inline Sums turn_all(const PairWork& work, const ChunkBalls& balls,
                                            const ContactGroup& group, std::size_t first,
                                            const Met<width>& met, const Pushed<width>& pushed,
                                            TurnMemory* memory, const ChunkLoads& loads) {
  Sums sums;
  for (std::size_t k = 0; k < width && first + k < group.used; ++k)
    sums.add(met.overlap[k] > 0 ? turn(work, balls, group, first, k, met, pushed, memory[first + k], loads)
                                : let_go(memory[first + k]));
  return sums;
}

// What the first and the last stage need of a group that comes soon.
[[gnu::always_inline]] inline void fetch_spheres(const ChunkBalls& balls, const ContactGroup& group,
                                                 const ChunkLoads& loads) {
  for (std::size_t k = 0; k < group_width; ++k) {
    __builtin_prefetch(&balls.second(group, k).position);
    __builtin_prefetch(&balls.second(group, k).spin);
    __builtin_prefetch(&loads.at(group.to[k]), 1);
  }
}

// What the law needs of one.
[[gnu::always_inline]] inline void fetch_memory(const ContactGroup& group) {
  for (const Column* column = &group.f_x; column <= &group.v_z; ++column) __builtin_prefetch(column, 1);
}

// Into the second cache.
[[gnu::always_inline]] inline void fetch_line(const void* line) {
  constexpr int for_reading = 0, second_cache = 2;
  __builtin_prefetch(line, for_reading, second_cache);
}

// All of one that comes later: others that were at work since the last step have put it out of the cache.
[[gnu::always_inline]] inline void fetch_group(const ContactGroup& group) {
  const auto* lines = reinterpret_cast<const std::byte*>(&group);
  for (std::size_t k = 0; k < sizeof(ContactGroup); k += 64) fetch_line(lines + k);
}

// A chunk begins with spheres that nobody has looked at for a step, and one group after the other would wait
// for some: so they are fetched with the groups of the chunk before, some of them with each. Who its guests
// are must be fetched before they are.
//
// And it ends with writing what others have in their caches. They are asked for these lines by writing
// something to each: to fetch a line as one that will be written does not help, as neighbours of what is
// fetched come along as what will be read, and such a line stays elsewhere, too, until it is written in truth
// (measured, Zen 4).
class Fetch {
 public:
  Fetch(const ComesNext& next, std::span<const Ball> balls, std::size_t turns)
      : own_(next.balls),
        guests_(next.guests),
        groups_(next.groups.first(std::min(groups_ahead, next.groups.size()))),
        passed_(next.passed),
        copies_(next.copies),
        balls_(balls),
        at_once_((next.balls.size() + next.guests.size()) / turns + 1),
        written_at_once_((next.copies.size() + next.passed.size()) / turns + line) {
    constexpr std::size_t in_a_line = line / sizeof(std::uint32_t);
    for (std::size_t k = 0; k < next.guests.size(); k += in_a_line) fetch_line(&next.guests[k]);
  }
  [[gnu::always_inline]] void some() {
    const std::span<std::byte> now = taken(copies_.empty() ? passed_ : copies_, written_at_once_);
    for (std::size_t k = 0; k < now.size(); k += line) now[k] = {};
    for (const ContactGroup& group : taken(groups_, 1)) fetch_group(group);
    if (!own_.empty())
      for (const Ball& ball : taken(own_, at_once_)) fetch_ball(ball);
    else
      for (const std::uint32_t guest : taken(guests_, at_once_)) fetch_ball(balls_[guest]);
  }

 private:
  static constexpr std::size_t line = 64;

  template <class T>
  [[gnu::always_inline]] static std::span<T> taken(std::span<T>& all, std::size_t count) {
    const std::span<T> some = all.first(std::min(count, all.size()));
    all = all.subspan(some.size());
    return some;
  }
  [[gnu::always_inline]] static void fetch_ball(const Ball& ball) {
    fetch_line(&ball.position);
    fetch_line(&ball.spin);
  }

  std::span<const Ball> own_;
  std::span<const std::uint32_t> guests_;
  std::span<const ContactGroup> groups_;
  std::span<std::byte> passed_, copies_;
  std::span<const Ball> balls_;
  std::size_t at_once_, written_at_once_;
};

// Whether anybody did in the last step.
template <std::size_t width>
[[gnu::always_inline]] inline bool touched(const ContactGroup& group) {
  PackOf<width> most(0.0);
  for (std::size_t first = 0; first < group_width; first += width)
    most = larger(load_pack<width>(&group.compliance[first]), most);
  return any(most > PackOf<width>(0.0));
}

// Of all contacts of a group, m.
template <std::size_t width>
[[gnu::always_inline]] inline double least_gap(const PairWork& work, const ChunkBalls& balls,
                                               const ContactGroup& group) {
  using P = PackOf<width>;
  P least(std::numeric_limits<double>::max());
  for (std::size_t first = 0; first < group_width; first += width) {
    const Spheres<width> spheres{balls, group, first};
    const auto way = work.space.shortest(vector_of<width>(spheres.difference(position_row)));
    least = -larger(-(norm(way) - spheres.sum(spin_row)[3]), -least);
  }
  double all = least[0];
  for (std::size_t k = 1; k < width; ++k) all = std::min(all, least[k]);
  return all;
}

// Numbers of groups, those that do not rest. Where nobody touches after all, they rest again.
void find_awake(const PairWork& work, const Section& section, ChunkContacts& contacts,
                std::vector<std::uint32_t>& awake) {
  constexpr double rounding = 1e-6;  // of margins, and more
  awake.resize(section.touching);
  std::iota(awake.begin(), awake.end(), section.first);
  const ChunkBalls balls(work, contacts);
  on_widest([&]<std::size_t width>() {
    for (std::uint32_t k = 0; k < section.resting; ++k) {
      const std::uint32_t number = section.first + section.touching + k;
      double& rests_until = contacts.rests_until[number];
      if (rests_until > work.gone) continue;
      const ContactGroup& group = contacts.groups[number];
      const double gap = touched<width>(group) ? 0 : least_gap<width>(work, balls, group);
      const double left = gap / contacts.reach - rounding;
      if (left > 0)
        rests_until = work.gone + left;
      else
        awake.push_back(number);
    }
  });
}

// Of one law.
template <NormalForce normal, TangentialForce tangential, bool turns, bool equal, bool periodic>
Sums push_all(const PairWork& given, const Section& section, ChunkContacts& contacts,
              std::span<const std::uint32_t> awake, const ChunkLoads& all_loads, Fetch& for_next) {
  Sums sums;
  on_widest([&]<std::size_t width>() {
    constexpr std::size_t parts = group_width / width;
    // Of its own, so that nothing that is stored can change them.
    const PairWork work = given;
    ContactGroup* const groups = contacts.groups.data();
    const std::span<const std::uint32_t> numbers = awake;
    const ChunkLoads loads = all_loads;
    const ChunkBalls balls(work, contacts);
    Fetch fetch = for_next;
    const material::GrainFactors law(work.laws[section.law]);
    EnergyColumns<width> columns[parts];
    // Stands before the first and after the last, and does nothing.
    ContactGroup nobody = groups[numbers[0]];
    nobody.used = 0;
    nobody.compliance.fill(0.0);
    std::size_t next = 0;
    const auto take = [&]() __attribute__((always_inline)) {
      return next < numbers.size() ? &groups[numbers[next++]] : &nobody;
    };
    const auto later = [&](std::size_t by) __attribute__((always_inline))->const ContactGroup& {
      return groups[numbers[std::min(next + by, numbers.size() - 1)]];
    };
    ContactGroup *feels = take(), *pushes = &nobody;
    Met<width> met[parts];
    Pushed<width> pushed[parts] = {};
    for (std::size_t part = 0; part < parts; ++part)
      met[part] = meet<normal, equal, periodic, width>(work, balls, law, *feels, part * width);
    while (feels != &nobody || pushes != &nobody) {
      ContactGroup* const meets = take();
      fetch_memory(*meets);
      fetch_group(later(groups_ahead));
      fetch.some();
      fetch_spheres(balls, later(0), loads);
      for (std::size_t part = 0; part < parts; ++part) {
        const std::size_t first = part * width;
        const auto before = remembered(work, *feels, first, met[part]);
        if constexpr (!turns) add_forces<equal, width>(*pushes, first, pushed[part], loads);
        pushed[part] = apply_law<normal, tangential, equal, width>(work, law, *feels, first, met[part],
                                                                   before, columns[part]);
        if constexpr (turns) {
          add_forces<equal, width>(*feels, first, pushed[part], loads);
          if (feels != &nobody)
            sums.add(turn_all<width>(
                work, balls, *feels, first, met[part], pushed[part],
                &contacts.turning[group_width * static_cast<std::size_t>(feels - groups)], loads));
        }
        met[part] = meet<normal, equal, periodic, width>(work, balls, law, *meets, first);
      }
      pushes = feels;
      feels = meets;
    }
    sums.add(total<width>(columns, work.step.h));
    for_next = fetch;
  });
  return sums;
}

template <NormalForce normal, TangentialForce tangential>
void find_all(const PairWork& work, const ChunkContacts& contacts, std::vector<ContactForce>& forces) {
  if (contacts.groups.empty()) return;
  const ChunkBalls balls(work, contacts);
  EnergyColumns<pack_width> unused;
  for (const ContactGroup& group : contacts.groups) {
    ContactGroup copy = group;
    for (std::size_t first = 0; first < group_width; first += pack_width) {
      const material::GrainFactors law(work.laws[group.law]);
      const auto met = meet<normal, false, true, pack_width>(work, balls, law, group, first);
      const auto pushed = apply_law<normal, tangential, false, pack_width>(
          work, law, copy, first, met, remembered(work, group, first, met), unused);
      for (std::size_t k = 0; k < pack_width; ++k)
        if (met.overlap[k] > 0)
          forces.push_back({contacts.spheres[group.from[first + k]],
                            contacts.spheres[group.to[first + k]],
                            {pushed.force.x[k], pushed.force.y[k], pushed.force.z[k]},
                            norm(Vec{met.half.x[k], met.half.y[k], met.half.z[k]}) - met.arm_difference[k]});
    }
  }
}

}  // namespace

Sums push_pairs(const PairWork& work, ChunkContacts& contacts, const ChunkLoads& loads,
                const ComesNext& next) {
  thread_local std::vector<std::uint32_t> awake;
  std::size_t turns_of_fetch = 1;
  for (const Section& section : contacts.sections) turns_of_fetch += section.touching;
  Fetch fetch(next, work.balls, turns_of_fetch);
  return material::by_kind(work.laws[0], [&]<NormalForce normal, TangentialForce tangential>() {
    const auto push = [&]<bool turns, bool same, bool periodic>() {
      Sums sums;
      for (const Section& section : contacts.sections) {
        find_awake(work, section, contacts, awake);
        if (!awake.empty())
          sums.add(push_all<normal, tangential, turns, same, periodic>(work, section, contacts, awake, loads,
                                                                       fetch));
      }
      return sums;
    };
    if (!contacts.turning.empty()) return push.template operator()<true, false, true>();
    if (work.space.periodic()) return push.template operator()<false, false, true>();
    return contacts.equal ? push.template operator()<false, true, false>()
                          : push.template operator()<false, false, false>();
  });
}

void find_forces(const PairWork& work, const ChunkContacts& contacts, std::vector<ContactForce>& forces) {
  material::by_kind(work.laws[0], [&]<NormalForce normal, TangentialForce tangential>() {
    find_all<normal, tangential>(work, contacts, forces);
  });
}

}  // namespace hardpan::grains
