#include "hardpan/grains/pair_forces.h"

#include <algorithm>
#include <cstddef>

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

// What happens at the contacts of a group, by columns. Groups go through three stages: how their spheres
// meet, what the law says, who is pushed. While the law of one waits for roots and quotients, the next one is
// brought and the one before it is given away: a core has all three under way.
using Column = std::array<double, group_width>;
struct alignas(64) Meetings {
  Column overlap;  // 0: they do not touch
  Column n_x, n_y, n_z;
  Column v_x, v_y, v_z;  // of j against i at the contact
  Column spin;
  Column arm, arm_difference, radius, mass;  // of spheres that differ: half of arm_j +- arm_i, R*, m*
  Column f_x, f_y, f_z;                      // afterwards: force on j
  Column t_x, t_y, t_z, u_x, u_y, u_z;       // torques on i and j, turned round; of equal spheres the first
  Column pressing, stiffness;                // for rolling and twisting
};

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

// The spheres of some contacts, row by row.
template <std::size_t width>
struct Spheres {
  const Ball* balls;
  const std::uint32_t *i, *j;

  template <class Act>
  [[gnu::always_inline]] PackColumns<width> both(BallRow number, const Act& act) const {
    PackRows<width> rows;
    for (std::size_t k = 0; k < width; ++k)
      rows[k] = act(load_pack(row(balls[i[k]], number)), load_pack(row(balls[j[k]], number)));
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
template <bool equal, std::size_t width>
[[gnu::always_inline]] inline void meet(const PairWork& work, const ContactGroup& group, std::size_t first,
                                        Meetings& to) {
  using P = PackOf<width>;
  using V = PackVec<width>;
  const Spheres<width> spheres{work.balls.data(), &group.i[first], &group.j[first]};
  const PackColumns<width> spins = spheres.sum(spin_row), moved = spheres.difference(velocity_row);
  V way = vector_of<width>(spheres.difference(position_row));
  if (work.space.periodic()) way = work.space.shortest(way);
  const P radii = equal ? P(2 * group.radius) : spins[3];
  const P distance = norm(way), depth = radii - distance;
  const P places = lane_numbers<width>() + P(static_cast<double>(first));
  const P overlap =
      select(P(static_cast<double>(group.used)) > places, select(depth > P(0.0), depth, P(0.0)), P(0.0));
  const V n = (P(1) / distance) * way;
  const P arm = 0.5 * (radii - overlap);
  V surfaces = arm * vector_of<width>(spins);
  if constexpr (!equal) {
    const PackColumns<width> differ = spheres.difference(spin_row), masses = spheres.sum(velocity_row);
    const auto reduced = material::reduced(radii, differ[3], masses[3], moved[3]);
    const P arm_difference = 0.5 * differ[3];
    surfaces = surfaces + arm_difference * vector_of<width>(differ);
    store_pack(arm, &to.arm[first]);
    store_pack(arm_difference, &to.arm_difference[first]);
    store_pack(reduced.radius, &to.radius[first]);
    store_pack(reduced.mass, &to.mass[first]);
  }
  store_pack(overlap, &to.overlap[first]);
  store_vector<width>(n, to.n_x, to.n_y, to.n_z, first);
  store_vector<width>(vector_of<width>(moved) - cross(surfaces, n), to.v_x, to.v_y, to.v_z, first);
  store_pack(0.5 * dot(n, vector_of<width>(spins)), &to.spin[first]);
}

template <NormalForce normal, TangentialForce tangential, bool turns, bool equal, std::size_t width>
[[gnu::always_inline]] inline void apply_law(const PairWork& work, const material::GrainFactors& law,
                                             ContactGroup& group, std::size_t first, Meetings& at,
                                             EnergyColumns<width>& columns) {
  using P = PackOf<width>;
  using V = PackVec<width>;
  material::GrainMeeting<P> meeting;
  meeting.overlap = load_pack<width>(&at.overlap[first]);
  meeting.normal = load_vector<width>(at.n_x, at.n_y, at.n_z, first);
  meeting.spin = load_pack<width>(&at.spin[first]);
  if constexpr (equal) {
    const auto reduced = material::reduced(2 * group.radius, 0.0, 2 * group.mass, 0.0);
    meeting.radius = P(reduced.radius);
    meeting.mass = P(reduced.mass);
  } else {
    meeting.radius = load_pack<width>(&at.radius[first]);
    meeting.mass = load_pack<width>(&at.mass[first]);
  }
  material::GrainMemory<P> memory;
  memory.force = load_vector<width>(group.f_x, group.f_y, group.f_z, first);
  memory.compliance = load_pack<width>(&group.compliance[first]);
  memory.velocity = load_vector<width>(group.v_x, group.v_y, group.v_z, first);
  material::set_motion(meeting, load_vector<width>(at.v_x, at.v_y, at.v_z, first), work.step, memory);
  const auto touches = meeting.overlap > P(0.0);
  P lost(0.0);
  if (any(select(touches, P(0.0), memory.compliance) > P(0.0))) lost = memory.energy();  // some have ended
  const auto force = material::grain_force<normal, tangential>(law, meeting, work.step.h, memory);
  const V nothing{P(0.0), P(0.0), P(0.0)};
  const auto only = [&](const V& v) __attribute__((always_inline)) { return select(touches, v, nothing); };
  const V across = only(cross(meeting.normal, force.tangential));
  store_vector<width>(only(force.normal * meeting.normal + force.tangential), at.f_x, at.f_y, at.f_z, first);
  if constexpr (equal) {
    store_vector<width>((0.5 * (P(2 * group.radius) - meeting.overlap)) * across, at.t_x, at.t_y, at.t_z,
                        first);
  } else {
    const P arm = load_pack<width>(&at.arm[first]), difference = load_pack<width>(&at.arm_difference[first]);
    store_vector<width>((arm - difference) * across, at.t_x, at.t_y, at.t_z, first);
    store_vector<width>((arm + difference) * across, at.u_x, at.u_y, at.u_z, first);
  }
  store_vector<width>(only(memory.force), group.f_x, group.f_y, group.f_z, first);
  store_pack(select(touches, memory.compliance, P(0.0)), &group.compliance[first]);
  store_vector<width>(memory.velocity, group.v_x, group.v_y, group.v_z, first);
  columns.add(touches, force, lost);
  if constexpr (turns) {
    store_pack(force.pressing, &at.pressing[first]);
    store_pack(force.stiffness, &at.stiffness[first]);
  }
}

// One contact after the other.
template <bool equal, std::size_t width>
[[gnu::always_inline]] inline void add_forces(const ContactGroup& group, std::size_t first,
                                              const Meetings& at, const ChunkLoads& loads) {
  using V = PackVec<width>;
  const V force = load_vector<width>(at.f_x, at.f_y, at.f_z, first),
          torque = load_vector<width>(at.t_x, at.t_y, at.t_z, first),
          other = equal ? torque : load_vector<width>(at.u_x, at.u_y, at.u_z, first);
  const auto rows_i = load_rows<width>(force, torque), rows_j = load_rows<width>(force, other);
  for (std::size_t k = 0; k < width; ++k) {
    rows_i.take(k, loads.of(group.i[first + k]));
    rows_j.give(k, loads.at(group.to[first + k]));
  }
}

// Rolling and twisting of one contact; seldom asked for.
Sums turn(const PairWork& work, const ContactGroup& group, std::size_t k, const Meetings& of,
          TurnMemory& memory, const ChunkLoads& loads) {
  const Ball &a = work.balls[group.i[k]], &b = work.balls[group.j[k]];
  material::GrainMeeting<double> at{};
  at.radius = of.radius[k];
  at.normal = {of.n_x[k], of.n_y[k], of.n_z[k]};
  at.spin = of.spin[k];
  material::GrainForce<double> pressing{};
  pressing.pressing = of.pressing[k];
  pressing.stiffness = of.stiffness[k];
  const auto turn = material::turn_meeting(
      b.spin - a.spin, work.step, material::rolling_inertia(a.mass, a.radius, b.mass, b.radius), memory);
  const auto m = material::grain_moment(work.laws[group.law], at, pressing, turn, work.step.h, memory);
  Load &on_i = loads.of(group.i[k]), &on_j = loads.at(group.to[k]);
  on_i.torque = on_i.torque - m.moment;
  on_j.torque = on_j.torque + m.moment;
  return {m.viscous, m.friction, m.stiffening, m.stored, 0};
}

// What held a contact that has ended is lost.
Sums let_go(TurnMemory& memory) {
  const double energy = memory.energy();
  memory = {};
  return {0, energy, 0, 0, 0};
}

Sums turn_all(const PairWork& work, const ContactGroup& group, const Meetings& of,
              std::span<TurnMemory> memory, const ChunkLoads& loads) {
  Sums sums;
  for (std::size_t k = 0; k < group.used; ++k)
    sums.add(of.overlap[k] > 0 ? turn(work, group, k, of, memory[k], loads) : let_go(memory[k]));
  return sums;
}

// What the first and the last stage need of a group that comes soon.
[[gnu::always_inline]] inline void fetch_spheres(const PairWork& work, const ContactGroup& group,
                                                 const ChunkLoads& loads) {
  for (std::size_t k = 0; k < group_width; ++k) {
    __builtin_prefetch(&work.balls[group.j[k]]);
    __builtin_prefetch(&loads.at(group.to[k]), 1);
  }
}

// What the law needs of one.
[[gnu::always_inline]] inline void fetch_memory(const ContactGroup& group) {
  for (const Column* column = &group.f_x; column <= &group.v_z; ++column) __builtin_prefetch(column, 1);
}

template <NormalForce normal, TangentialForce tangential, bool turns, bool equal>
Sums push_all(const PairWork& work, std::span<ContactGroup> groups, std::span<TurnMemory> turning,
              const ChunkLoads& loads) {
  Sums sums;
  Meetings room[3];
  struct Stage {
    ContactGroup* group;  // none: nothing to do
    Meetings* at;
  };
  on_widest([&]<std::size_t width>() {
    material::GrainFactors law(work.laws[0]);
    std::uint32_t of_law = 0;
    EnergyColumns<width> columns[group_width / width];
    std::size_t next = 0;
    const auto take = [&]() __attribute__((always_inline)) {
      while (next < groups.size() && groups[next].gap > work.gone) ++next;
      return next < groups.size() ? &groups[next++] : nullptr;
    };
    Stage meets{take(), &room[0]}, feels{nullptr, &room[1]}, pushes{nullptr, &room[2]};
    while (meets.group || feels.group || pushes.group) {
      if (feels.group) {
        if (next < groups.size()) fetch_spheres(work, groups[next], loads);
        if (feels.group->law != of_law) law = work.laws[of_law = feels.group->law];
        for (std::size_t part = 0; part < group_width / width; ++part)
          apply_law<normal, tangential, turns, equal, width>(work, law, *feels.group, part * width, *feels.at,
                                                             columns[part]);
      }
      if (meets.group) {
        for (std::size_t first = 0; first < group_width; first += width)
          meet<equal, width>(work, *meets.group, first, *meets.at);
        fetch_memory(*meets.group);
      }
      if (pushes.group) {
        for (std::size_t first = 0; first < group_width; first += width)
          add_forces<equal, width>(*pushes.group, first, *pushes.at, loads);
        if constexpr (turns) {
          const auto place = static_cast<std::size_t>(pushes.group - groups.data());
          sums.add(turn_all(work, *pushes.group, *pushes.at,
                            turning.subspan(group_width * place, group_width), loads));
        }
      }
      Meetings* const free = pushes.at;
      pushes = feels;
      feels = meets;
      meets = {take(), free};
    }
    sums.add(total<width>(columns));
  });
  return sums;
}

template <NormalForce normal, TangentialForce tangential>
void find_all(const PairWork& work, std::span<const ContactGroup> groups, std::vector<ContactForce>& forces) {
  Meetings at;
  EnergyColumns<pack_width> unused;
  for (const ContactGroup& group : groups) {
    if (group.gap > work.gone) continue;
    ContactGroup copy = group;
    for (std::size_t first = 0; first < group_width; first += pack_width) {
      meet<false, pack_width>(work, group, first, at);
      apply_law<normal, tangential, false, false, pack_width>(work, work.laws[group.law], copy, first, at,
                                                              unused);
    }
    for (std::size_t k = 0; k < group.used; ++k)
      if (at.overlap[k] > 0)
        forces.push_back(
            {group.i[k], group.j[k], {at.f_x[k], at.f_y[k], at.f_z[k]}, at.arm[k] - at.arm_difference[k]});
  }
}

}  // namespace

Sums push_pairs(const PairWork& work, std::span<ContactGroup> groups, bool equal,
                std::span<TurnMemory> turning, const ChunkLoads& loads) {
  return material::by_kind(work.laws[0], [&]<NormalForce normal, TangentialForce tangential>() {
    if (!turning.empty()) return push_all<normal, tangential, true, false>(work, groups, turning, loads);
    return equal ? push_all<normal, tangential, false, true>(work, groups, turning, loads)
                 : push_all<normal, tangential, false, false>(work, groups, turning, loads);
  });
}

void find_forces(const PairWork& work, std::span<const ContactGroup> groups,
                 std::vector<ContactForce>& forces) {
  material::by_kind(work.laws[0], [&]<NormalForce normal, TangentialForce tangential>() {
    find_all<normal, tangential>(work, groups, forces);
  });
}

}  // namespace hardpan::grains
