#include "hardpan/grains/pair_forces.h"

#include <algorithm>
#include <cstddef>
#include <type_traits>

#include "hardpan/math/pack.h"

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
struct Touch {
  double way[3];  // from i to j, m
  double overlap;
  std::uint32_t i, j, pair, law;
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
  static_assert(sizeof(Motion) == 16 * sizeof(double));
  const auto part = [&](std::size_t number) {
    return gathered([&](std::size_t k) { return row(motion[touch[k]->*grain], number); });
  };
  const PackGroup velocity = part(0), spin = part(1);
  return {vector_of(velocity), vector_of(spin), vector_of(part(2)), vector_of(part(3)), velocity[3], spin[3]};
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
[[gnu::always_inline]] inline void push_four(const PairWork& work, std::span<const Touch> touches,
                                             PackSums& columns, Sums& sums) {
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
  meeting.radius = i.radius * j.radius / (i.radius + j.radius);
  meeting.mass = i.mass * j.mass / (i.mass + j.mass);
  meeting.normal = (Pack(1) / norm(way)) * way;
  const Pack arm_i = i.radius - 0.5 * meeting.overlap, arm_j = j.radius - 0.5 * meeting.overlap;
  const PackVec u = j.velocity - i.velocity - cross(arm_i * i.spin + arm_j * j.spin, meeting.normal);
  meeting.v_n = dot(u, meeting.normal);
  meeting.v_t = u - meeting.v_n * meeting.normal;
  const PackVec moved = j.way - i.way - cross(arm_i * i.angle + arm_j * j.angle, meeting.normal);
  meeting.slip = moved - dot(moved, meeting.normal) * meeting.normal;
  meeting.spin = (0.5 / work.h) * dot(meeting.normal, i.angle + j.angle);

  material::GrainMemory<Pack> remembered{vector_of(before), before[3]};
  const auto force =
      material::grain_force<normal, tangential>(work.laws[touches[0].law], meeting, work.h, remembered);
  const PackVec pull = force.normal * meeting.normal + force.tangential;
  const PackVec torque = cross(meeting.normal, force.tangential);
  const auto put = [&](const PackVec& v, const Pack& last, const auto& to) {
    const PackGroup rows = transposed({v.x, v.y, v.z, last});
    for (std::size_t k = 0; k < count; ++k) store_pack(rows[k], to(at[k]->pair));
  };
  put(remembered.force, remembered.stiffness, [&](std::uint32_t pair) { return row(memory[pair], 0); });
  put(pull, arm_i, [&](std::uint32_t pair) { return row(work.forces[pair], 0); });
  put(torque, arm_j, [&](std::uint32_t pair) { return row(work.forces[pair], 1); });
  const PackMask counts = Pack(static_cast<double>(count)) > Pack(Pack::Lanes{0, 1, 2, 3});
  const auto add = [&](Pack& column, const Pack& more) { column = column + select(counts, more, Pack(0.0)); };
  add(columns.viscous, force.viscous);
  add(columns.friction, force.friction);
  add(columns.stiffening, force.stiffening);
  add(columns.stored, force.stored);
  if (!work.moments.empty())
    for (std::size_t k = 0; k < count; ++k) sums.add(turn(work, touches[k], k, meeting, force));
}

// A pair that does not touch: what it held is lost.
void let_go(const PairWork& work, std::uint32_t pair, Sums& sums) {
  Memory& memory = work.pairs.memory()[pair];
  if (work.forces[pair].arm_i > 0 || memory.stiffness > 0) {
    sums.friction += memory.energy();
    memory = {};
    work.forces[pair] = {};
  }
  if (work.moments.empty()) return;
  sums.friction += work.pairs.turning()[pair].energy();
  work.pairs.turning()[pair] = {};
  work.moments[pair] = {};
}

// In the order of the list.
std::vector<Touch> touches_of(const PairWork& work, std::size_t begin, std::size_t end, Sums& sums) {
  std::vector<Touch> touches;
  touches.reserve(work.pairs.first_pair(end) - work.pairs.first_pair(begin));
  for (std::size_t i = begin; i < end; ++i) {
    const Vec x = work.position[i];
    const double radius = work.motion[i].radius;
    const std::size_t laws = work.material[i] * work.materials;
    for (std::uint32_t pair = work.pairs.first_pair(i); pair < work.pairs.first_pair(i + 1); ++pair) {
      const std::uint32_t j = work.pairs.second(pair);
      const Vec way = work.space.shortest(work.position[j] - x);
      const double overlap = radius + work.motion[j].radius - norm(way);
      if (overlap > 0)
        touches.push_back({{way.x, way.y, way.z},
                           overlap,
                           static_cast<std::uint32_t>(i),
                           j,
                           pair,
                           static_cast<std::uint32_t>(laws + work.material[j])});
      else
        let_go(work, pair, sums);
    }
  }
  return touches;
}

template <NormalForce normal, TangentialForce tangential>
[[gnu::always_inline]] inline Sums push_all(const PairWork& work, std::span<const Touch> touches) {
  Sums sums;
  PackSums columns;
  for (std::size_t first = 0, last = 0; first < touches.size(); first = last) {
    const std::size_t most = std::min(first + pack_width, touches.size());
    while (last < most && touches[last].law == touches[first].law) ++last;
    push_four<normal, tangential>(work, touches.subspan(first, last - first), columns, sums);
  }
  sums.add({sum(columns.viscous), sum(columns.friction), sum(columns.stiffening), sum(columns.stored),
            touches.size()});
  return sums;
}

#if defined(__x86_64__) && defined(__OPTIMIZE__)
template <NormalForce normal, TangentialForce tangential>
[[gnu::target("avx2"), gnu::flatten]] Sums push_by_fours(const PairWork& work,
                                                         std::span<const Touch> touches) {
  return push_all<normal, tangential>(work, touches);
}
const bool fours = __builtin_cpu_supports("avx2");
#endif

template <NormalForce normal, TangentialForce tangential>
Sums push_touches(const PairWork& work, std::span<const Touch> touches) {
#if defined(__x86_64__) && defined(__OPTIMIZE__)
  if (fours) return push_by_fours<normal, tangential>(work, touches);
#endif
  return push_all<normal, tangential>(work, touches);
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
  Sums sums;
  const std::vector<Touch> touches = touches_of(work, begin, end, sums);
  sums.add(work.laws[0].normal == NormalForce::hertz ? push_kind<NormalForce::hertz>(work, touches)
                                                     : push_kind<NormalForce::hooke>(work, touches));
  return sums;
}

}  // namespace hardpan::grains
