#include "hardpan/grains/pair_forces.h"

#include <algorithm>
#include <cstddef>
#include <type_traits>

#include "hardpan/math/pack.h"
#include "hardpan/math/widest.h"

namespace hardpan::grains {

using material::GrainLaw;
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

using PackVec = Vector3<Pack>;

// A pair that touches.
struct alignas(16) Touch {
  double way[3];  // from i to j, m
  double overlap;
  std::uint32_t i, j, pair, law;
};

// Both with room for all pairs.
struct Found {
  std::vector<Touch> touch;
  std::vector<std::uint32_t> parting;  // pairs that touch no longer
  std::size_t touches = 0, partings = 0;
};

struct PackSums {
  Pack viscous{0.0}, friction{0.0}, stiffening{0.0}, stored{0.0};
};

// Vectors with a number behind them, as memory and records of grains have them, stand in rows of four.
template <class Record>
[[gnu::always_inline]] inline auto row(Record& record, std::size_t number) {
  using Byte = std::conditional_t<std::is_const_v<Record>, const std::byte, std::byte>;
  static_assert(std::is_trivially_copyable_v<Record>);
  return reinterpret_cast<Byte*>(&record) + number * pack_width * sizeof(double);
}

// The row at `at(k)` for each pair k.
template <class At>
[[gnu::always_inline]] inline PackGroup gathered(const At& at) {
  return transposed({load_pack(at(0)), load_pack(at(1)), load_pack(at(2)), load_pack(at(3))});
}

[[gnu::always_inline]] inline PackVec vector_of(const PackGroup& group) {
  return {group[0], group[1], group[2]};
}

struct GrainPacks {
  PackVec velocity, spin, way, angle;
  Pack radius, mass;
};

// `grain` is Touch::i or Touch::j.
template <std::uint32_t Touch::*grain>
[[gnu::always_inline]] inline GrainPacks grains_of(std::span<const Motion> motion,
                                                   const Touch* const* touch) {
  static_assert(sizeof(Motion) == 20 * sizeof(double));
  const auto part = [&](std::size_t number) {
    return gathered([&](std::size_t k) { return row(motion[touch[k]->*grain], number); });
  };
  const PackGroup velocity = part(1), spin = part(2);
  return {vector_of(velocity), vector_of(spin), vector_of(part(3)), vector_of(part(4)), spin[3], velocity[3]};
}

[[gnu::always_inline]] inline Sums turn(const PairWork& work, const Touch& touch, std::size_t k,
                                        const material::GrainMeeting<Pack>& meeting,
                                        const material::GrainForce<Pack>& force) {
  const Motion &a = work.motion[touch.i], &b = work.motion[touch.j];
  material::GrainMeeting<double> at{};
  at.radius = meeting.radius[k];
  at.normal = {meeting.normal.x[k], meeting.normal.y[k], meeting.normal.z[k]};
  at.spin = meeting.spin[k];
  material::GrainForce<double> pressing{};
  pressing.pressing = force.pressing[k];
  pressing.stiffness = force.stiffness[k];
  const material::TurnMeeting<double> turn{b.angle - a.angle, b.spin - a.spin,
                                           material::rolling_inertia(a.mass, a.radius, b.mass, b.radius)};
  const auto m = material::grain_moment(work.laws[touch.law], at, pressing, turn, work.h,
                                        work.pairs.turning()[touch.pair]);
  work.moments[touch.pair] = m.moment;
  return {m.viscous, m.friction, m.stiffening, m.stored, 0};
}

// One to four touches of one law.
template <NormalForce normal, TangentialForce tangential>
[[gnu::always_inline]] inline void push_four(const PairWork& work, const material::GrainFactors& law,
                                             std::span<const Touch> touches, PackSums& columns, Sums& sums) {
  static_assert(sizeof(Memory) == 4 * sizeof(double) && sizeof(PairForce) == 8 * sizeof(double));
  const std::size_t count = touches.size();
  const Touch* at[pack_width];  // where there are less, the first stands in, for nothing
  for (std::size_t k = 0; k < pack_width; ++k) at[k] = &touches[k < count ? k : 0];
  Memory* const memory = work.pairs.memory().data();
  const GrainPacks i = grains_of<&Touch::i>(work.motion, at), j = grains_of<&Touch::j>(work.motion, at);
  const PackGroup place = gathered([&](std::size_t k) { return row(*at[k], 0); });
  const PackGroup before = gathered([&](std::size_t k) { return row(memory[at[k]->pair], 0); });
  const PackVec way = vector_of(place);

  material::GrainMeeting<Pack> meeting;
  meeting.overlap = place[3];
  const auto reduced = material::reduced(i.radius, i.mass, j.radius, j.mass);
  meeting.radius = reduced.radius;
  meeting.mass = reduced.mass;
  meeting.normal = (Pack(1) / (i.radius + j.radius - meeting.overlap)) * way;
  const Pack arm_i = i.radius - 0.5 * meeting.overlap, arm_j = j.radius - 0.5 * meeting.overlap;
  const PackVec u = j.velocity - i.velocity - cross(arm_i * i.spin + arm_j * j.spin, meeting.normal);
  meeting.v_n = dot(u, meeting.normal);
  meeting.v_t = u - meeting.v_n * meeting.normal;
  const PackVec moved = j.way - i.way - cross(arm_i * i.angle + arm_j * j.angle, meeting.normal);
  meeting.slip = moved - dot(moved, meeting.normal) * meeting.normal;
  meeting.spin = (0.5 / work.h) * dot(meeting.normal, i.angle + j.angle);

  material::GrainMemory<Pack> remembered{vector_of(before), before[3]};
  const auto force = material::grain_force<normal, tangential>(law, meeting, work.h, remembered);
  const PackVec pull = force.normal * meeting.normal + force.tangential;
  const PackVec torque = cross(meeting.normal, force.tangential);
  const auto put = [&](const PackVec& v, const Pack& last, const auto& to) {
    const PackGroup rows = transposed({v.x, v.y, v.z, last});
    for (std::size_t k = 0; k < count; ++k) store_pack(rows[k], to(at[k]->pair));
  };
  put(remembered.force, remembered.compliance, [&](std::uint32_t pair) { return row(memory[pair], 0); });
  put(pull, arm_i, [&](std::uint32_t pair) { return row(work.forces[pair], 0); });
  put(torque, arm_j, [&](std::uint32_t pair) { return row(work.forces[pair], 1); });
  for (std::size_t k = 0; k < count; ++k) {
    const PairForce& pair = work.forces[at[k]->pair];
    Load& load = work.loads[at[k]->i];
    store_pack(load_pack(row(load, 0)) - load_pack(row(pair, 0)), row(load, 0));
    store_pack(load_pack(row(load, 1)) - Pack(pair.arm_i) * load_pack(row(pair, 1)), row(load, 1));
  }
  const PackMask counts = Pack(static_cast<double>(count)) > Pack(Pack::Lanes{0, 1, 2, 3});
  const auto add = [&](Pack& column, const Pack& more) { column = column + select(counts, more, Pack(0.0)); };
  add(columns.viscous, force.viscous);
  add(columns.friction, force.friction);
  add(columns.stiffening, force.stiffening);
  add(columns.stored, force.stored);
  if (!work.moments.empty())
    for (std::size_t k = 0; k < count; ++k) sums.add(turn(work, touches[k], k, meeting, force));
}

// A pair that touches no more: what it held is lost.
void let_go(const PairWork& work, std::uint32_t pair, Sums& sums) {
  sums.friction += work.pairs.memory()[pair].energy();
  work.pairs.memory()[pair] = {};
  work.forces[pair] = {};
  if (work.moments.empty()) return;
  sums.friction += work.pairs.turning()[pair].energy();
  work.pairs.turning()[pair] = {};
  work.moments[pair] = {};
}

// In the order of the list. Every pair is written down, and counted if it is one.
template <bool periodic>
[[gnu::always_inline]] inline void find_all(const PairWork& work, std::size_t begin, std::size_t end,
                                            Found& found) {
  const std::uint32_t first = work.pairs.first_pair(begin), last = work.pairs.first_pair(end);
  const std::size_t room = last - first + pack_width;
  if (found.touch.size() < room) found.touch.resize(room), found.parting.resize(room);
  Touch* touch = found.touch.data();
  std::uint32_t* parted = found.parting.data();
  std::uint8_t* const touched = work.pairs.touched().data();
  for (std::uint32_t pair = first; pair < last; pair += pack_width) {
    for (std::uint32_t k = 0; k < pack_width; ++k) {  // what pairs need that come soon
      constexpr std::uint32_t ahead = 16;
      const auto* next = reinterpret_cast<const char*>(
          &work.motion[work.pairs.second(std::min(pair + ahead + k, last - 1))]);
      __builtin_prefetch(next);
      __builtin_prefetch(next + 64);
      __builtin_prefetch(next + 128);
    }
    std::uint32_t i[pack_width], j[pack_width];
    PackGroup to;
    Pack reach;
    for (std::uint32_t k = 0; k < pack_width; ++k) {
      const std::uint32_t at = pair + k < last ? pair + k : pair;
      i[k] = work.pairs.first(at);
      j[k] = work.pairs.second(at);
      const Motion &a = work.motion[i[k]], &b = work.motion[j[k]];
      to[k] = load_pack(row(b, 0)) - load_pack(row(a, 0));
      reach.set(k, a.radius + b.radius);
    }
    PackVec way = vector_of(transposed(to));
    if constexpr (periodic) way = work.space.shortest(way);
    const Pack overlap = reach - norm(way);
    const PackGroup rows = transposed({way.x, way.y, way.z, overlap});
    for (std::uint32_t k = 0; k < pack_width; ++k) {
      const bool counts = pair + k < last;
      const bool touches = overlap[k] > 0;
      store_pack(rows[k], touch->way);
      touch->i = i[k];
      touch->j = j[k];
      touch->pair = pair + k;
      touch->law = 0;
      touch += counts && touches;
      *parted = pair + k;
      if (!counts) break;
      parted += !touches && touched[pair + k];
      touched[pair + k] = touches;
    }
  }
  found.touches = static_cast<std::size_t>(touch - found.touch.data());
  found.partings = static_cast<std::size_t>(parted - found.parting.data());
}

// From the list of pairs in which a grain is the second, which is in order.
[[gnu::always_inline]] inline void add_all_seconds(const PairWork& work, std::size_t begin, std::size_t end) {
  const std::span<const std::uint32_t> all = work.pairs.as_second();
  std::uint32_t next = work.pairs.first_as_second(begin);
  constexpr std::uint32_t ahead = 24;
  for (std::size_t i = begin; i < end; ++i) {
    Load& load = work.loads[i];
    Pack force = load_pack(row(load, 0)), torque = load_pack(row(load, 1));
    for (; next < work.pairs.first_as_second(i + 1); ++next) {
      if (next + ahead < all.size()) __builtin_prefetch(&work.forces[all[next + ahead]]);
      const PairForce& from = work.forces[all[next]];
      force = force + load_pack(row(from, 0));
      torque = torque - Pack(from.arm_j) * load_pack(row(from, 1));
    }
    store_pack(force, row(load, 0));
    store_pack(torque, row(load, 1));
  }
}

template <NormalForce normal, TangentialForce tangential>
[[gnu::always_inline]] inline Sums push_all(const PairWork& work, std::span<const Touch> touches) {
  Sums sums;
  PackSums columns;
  material::GrainFactors law(work.laws[0]);
  std::uint32_t of_law = 0;
  for (std::size_t first = 0, last = 0; first < touches.size(); first = last) {
    if (touches[first].law != of_law) {
      of_law = touches[first].law;
      law = work.laws[of_law];
    }
    const std::size_t most = std::min(first + pack_width, touches.size());
    while (last < most && touches[last].law == touches[first].law) ++last;
    push_four<normal, tangential>(work, law, touches.subspan(first, last - first), columns, sums);
  }
  sums.add({sum(columns.viscous), sum(columns.friction), sum(columns.stiffening), sum(columns.stored),
            touches.size()});
  return sums;
}

template <NormalForce normal, TangentialForce tangential>
Sums push_touches(const PairWork& work, std::span<const Touch> touches) {
  Sums sums;
  on_widest([&] { sums = push_all<normal, tangential>(work, touches); });
  return sums;
}

template <NormalForce normal>
Sums push_kind(const PairWork& work, std::span<const Touch> touches) {
  switch (work.laws[0].tangential) {
    case TangentialForce::none:
      return push_touches<normal, TangentialForce::none>(work, touches);
    case TangentialForce::pseudo:
      return push_touches<normal, TangentialForce::pseudo>(work, touches);
    case TangentialForce::displacement:
      return push_touches<normal, TangentialForce::displacement>(work, touches);
    default:
      return push_touches<normal, TangentialForce::incremental>(work, touches);
  }
}

}  // namespace

Sums push_pairs(const PairWork& work, std::size_t begin, std::size_t end) {
  thread_local Found found;
  on_widest([&] {
    work.space.periodic() ? find_all<true>(work, begin, end, found)
                          : find_all<false>(work, begin, end, found);
  });
  const std::span touches(found.touch.data(), found.touches);
  if (work.materials > 1)
    for (Touch& touch : touches)
      touch.law =
          static_cast<std::uint32_t>(work.material[touch.i] * work.materials) + work.material[touch.j];
  Sums sums;
  for (std::size_t k = 0; k < found.partings; ++k) let_go(work, found.parting[k], sums);
  std::fill(&work.loads[begin], &work.loads[begin] + (end - begin), Load{});
  sums.add(work.laws[0].normal == NormalForce::hertz ? push_kind<NormalForce::hertz>(work, touches)
                                                     : push_kind<NormalForce::hooke>(work, touches));
  return sums;
}

void add_seconds(const PairWork& work, std::size_t begin, std::size_t end) {
  on_widest([&] { add_all_seconds(work, begin, end); });
}

}  // namespace hardpan::grains
