#include "hardpan/grains/pair_forces.h"

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

// One sphere of each of some contacts.
template <std::size_t width>
struct Side {
  const Ball* balls;
  const std::uint32_t* places;

  [[gnu::always_inline]] const Ball& operator()(std::size_t k) const { return balls[places[k]]; }
  [[gnu::always_inline]] PackColumns<width> all(BallRow number) const {
    return columns_of_row<width>(number, *this);
  }
  [[gnu::always_inline]] PackVec<width> against(const Side& other, BallRow number) const {
    PackRows<width> rows;
    for (std::size_t k = 0; k < width; ++k)
      rows[k] = load_pack(row((*this)(k), number)) - load_pack(row(other(k), number));
    return vector_of<width>(columns_of(rows));
  }
};

// Some contacts of a group, from `first` on, and what their law says.
template <std::size_t width>
struct Pushed {
  using P = PackOf<width>;
  PackMaskOf<width> touches;
  P arm_i, arm_j;
  material::GrainMeeting<P> meeting;
  material::GrainForce<P> force;
  material::GrainMemory<P> memory;
  P held_before;  // energy
};

template <NormalForce normal, TangentialForce tangential, std::size_t width>
[[gnu::always_inline]] inline Pushed<width> pushed(const PairWork& work, const material::GrainFactors& law,
                                                   const ContactGroup& group, std::size_t first) {
  using P = PackOf<width>;
  using V = PackVec<width>;
  const Side<width> i{work.balls.data(), &group.i[first]}, j{work.balls.data(), &group.j[first]};
  const PackColumns<width> spin_i = i.all(spin_row), spin_j = j.all(spin_row);
  const PackColumns<width> now_i = i.all(spin_now_row), now_j = j.all(spin_now_row);
  const P &radius_i = spin_i[3], &radius_j = spin_j[3];
  V way = j.against(i, position_row);
  if (work.space.periodic()) way = work.space.shortest(way);
  const P distance = norm(way), overlap = radius_i + radius_j - distance;

  Pushed<width> out;
  out.touches = overlap > P(0.0);
  material::GrainMeeting<P>& meeting = out.meeting;
  meeting.overlap = select(out.touches, overlap, P(0.0));
  const auto reduced = material::reduced(radius_i, now_i[3], radius_j, now_j[3]);
  meeting.radius = reduced.radius;
  meeting.mass = reduced.mass;
  const V n = (P(1) / select(out.touches, distance, P(1))) * way;
  meeting.normal = n;
  out.arm_i = radius_i - 0.5 * meeting.overlap;
  out.arm_j = radius_j - 0.5 * meeting.overlap;
  const V apart = j.against(i, velocity_now_row);
  meeting.v_n = dot(apart, n);
  meeting.v_t = apart - meeting.v_n * n -
                cross(out.arm_i * vector_of<width>(now_i) + out.arm_j * vector_of<width>(now_j), n);
  const V moved = j.against(i, velocity_row);
  const V turned_i = vector_of<width>(spin_i), turned_j = vector_of<width>(spin_j);
  meeting.slip =
      P(work.h) * (moved - dot(moved, n) * n - cross(out.arm_i * turned_i + out.arm_j * turned_j, n));
  meeting.spin = 0.5 * dot(n, turned_i + turned_j);
  out.memory.force = {load_pack<width>(&group.f_x[first]), load_pack<width>(&group.f_y[first]),
                      load_pack<width>(&group.f_z[first])};
  out.memory.compliance = load_pack<width>(&group.compliance[first]);
  out.held_before = out.memory.energy();
  out.force = material::grain_force<normal, tangential>(law, meeting, work.h, out.memory);
  return out;
}

// One contact after the other.
template <std::size_t width>
[[gnu::always_inline]] inline void add_forces(const ContactGroup& group, std::size_t first,
                                              const Pushed<width>& pushed, std::span<Load> loads) {
  using P = PackOf<width>;
  using V = PackVec<width>;
  const V& n = pushed.meeting.normal;
  const V nothing{P(0.0), P(0.0), P(0.0)};
  const V force = select(pushed.touches, pushed.force.normal * n + pushed.force.tangential, nothing);
  const V torque = select(pushed.touches, cross(n, pushed.force.tangential), nothing);
  const auto rows = [](const V& v) { return rows_of<width>(v, P(0.0)); };
  const PackRows<width> forces = rows(force), torques_i = rows(pushed.arm_i * torque),
                        torques_j = rows(pushed.arm_j * torque);
  for (std::size_t k = 0; k < width; ++k) {
    Load &on_i = loads[group.i[first + k]], &on_j = loads[group.to[first + k]];
    store_pack(load_pack(row(on_i, 0)) - forces[k], row(on_i, 0));
    store_pack(load_pack(row(on_i, 1)) - torques_i[k], row(on_i, 1));
    store_pack(load_pack(row(on_j, 0)) + forces[k], row(on_j, 0));
    store_pack(load_pack(row(on_j, 1)) - torques_j[k], row(on_j, 1));
  }
}

// Rolling and twisting of one contact; seldom asked for.
template <std::size_t width>
[[gnu::always_inline]] inline Sums turn(const PairWork& work, const ContactGroup& group, std::size_t first,
                                        std::size_t k, const Pushed<width>& pushed, TurnMemory& memory,
                                        std::span<Load> loads) {
  const Ball &a = work.balls[group.i[first + k]], &b = work.balls[group.j[first + k]];
  const auto& meeting = pushed.meeting;
  material::GrainMeeting<double> at{};
  at.radius = meeting.radius[k];
  at.normal = {meeting.normal.x[k], meeting.normal.y[k], meeting.normal.z[k]};
  at.spin = meeting.spin[k];
  material::GrainForce<double> pressing{};
  pressing.pressing = pushed.force.pressing[k];
  pressing.stiffness = pushed.force.stiffness[k];
  const material::TurnMeeting<double> turn{work.h * (b.spin - a.spin), b.spin_now - a.spin_now,
                                           material::rolling_inertia(a.mass, a.radius, b.mass, b.radius)};
  const auto m = material::grain_moment(work.laws[group.law], at, pressing, turn, work.h, memory);
  Load &on_i = loads[group.i[first + k]], &on_j = loads[group.to[first + k]];
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

template <NormalForce normal, TangentialForce tangential, bool turns, std::size_t width>
[[gnu::always_inline]] inline void push_some(const PairWork& work, const material::GrainFactors& law,
                                             ContactGroup& group, std::size_t first,
                                             [[maybe_unused]] TurnMemory* turning, std::span<Load> loads,
                                             EnergyColumns<width>& columns, [[maybe_unused]] Sums& sums) {
  using P = PackOf<width>;
  const auto p = pushed<normal, tangential, width>(work, law, group, first);
  add_forces<width>(group, first, p, loads);
  const auto only = [&](const P& x) { return select(p.touches, x, P(0.0)); };
  store_pack(only(p.memory.force.x), &group.f_x[first]);
  store_pack(only(p.memory.force.y), &group.f_y[first]);
  store_pack(only(p.memory.force.z), &group.f_z[first]);
  store_pack(only(p.memory.compliance), &group.compliance[first]);
  columns.add(p.touches, p.force, p.held_before);
  if constexpr (turns)
    for (std::size_t k = 0; k < width && first + k < group.used; ++k)
      sums.add(p.touches[k] ? turn<width>(work, group, first, k, p, turning[first + k], loads)
                            : let_go(turning[first + k]));
}

// What groups need that come soon.
[[gnu::always_inline]] inline void fetch(const PairWork& work, const ContactGroup& group,
                                         std::span<Load> loads) {
  for (std::size_t k = 0; k < group_width; ++k) {
    const auto* ball = reinterpret_cast<const char*>(&work.balls[group.j[k]]);
    __builtin_prefetch(ball);
    __builtin_prefetch(ball + 64);
    __builtin_prefetch(ball + 128);
    __builtin_prefetch(&loads[group.to[k]], 1);
  }
}

template <NormalForce normal, TangentialForce tangential, bool turns>
Sums push_all(const PairWork& work, std::span<ContactGroup> groups, std::span<TurnMemory> turning,
              std::span<Load> loads) {
  constexpr std::size_t ahead = 1;
  Sums sums;
  on_widest([&]<std::size_t width>() {
    material::GrainFactors law(work.laws[0]);
    std::uint32_t of_law = 0;
    EnergyColumns<width> columns[group_width / width];
    for (std::size_t g = 0; g < groups.size(); ++g) {
      if (g + ahead < groups.size()) fetch(work, groups[g + ahead], loads);
      ContactGroup& group = groups[g];
      if (group.gap > work.gone) continue;
      if (group.law != of_law) law = work.laws[of_law = group.law];
      for (std::size_t part = 0; part < group_width / width; ++part)
        push_some<normal, tangential, turns, width>(work, law, group, part * width,
                                                    turns ? &turning[group_width * g] : nullptr, loads,
                                                    columns[part], sums);
    }
    sums.add(total<width>(columns));
  });
  return sums;
}

template <NormalForce normal, TangentialForce tangential>
void find_all(const PairWork& work, std::span<const ContactGroup> groups, std::vector<ContactForce>& forces) {
  for (const ContactGroup& group : groups)
    for (std::size_t first = 0; first < group.used && group.gap <= work.gone; first += pack_width) {
      const auto p = pushed<normal, tangential, pack_width>(work, work.laws[group.law], group, first);
      const PackVec<pack_width> force = p.force.normal * p.meeting.normal + p.force.tangential;
      for (std::size_t k = 0; k < pack_width && first + k < group.used; ++k)
        if (p.touches[k])
          forces.push_back(
              {group.i[first + k], group.j[first + k], {force.x[k], force.y[k], force.z[k]}, p.arm_i[k]});
    }
}

}  // namespace

Sums push_pairs(const PairWork& work, std::span<ContactGroup> groups, std::span<TurnMemory> turning,
                std::span<Load> loads) {
  return material::by_kind(work.laws[0], [&]<NormalForce normal, TangentialForce tangential>() {
    return turning.empty() ? push_all<normal, tangential, false>(work, groups, turning, loads)
                           : push_all<normal, tangential, true>(work, groups, turning, loads);
  });
}

void find_forces(const PairWork& work, std::span<const ContactGroup> groups,
                 std::vector<ContactForce>& forces) {
  material::by_kind(work.laws[0], [&]<NormalForce normal, TangentialForce tangential>() {
    find_all<normal, tangential>(work, groups, forces);
  });
}

}  // namespace hardpan::grains
