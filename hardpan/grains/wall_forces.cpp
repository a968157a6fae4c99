#include "hardpan/grains/wall_forces.h"

#include <algorithm>

#include "hardpan/grains/rows.h"
#include "hardpan/math/widest.h"

namespace hardpan::grains {
namespace {

using material::NormalForce;
using material::TangentialForce;

static_assert(sizeof(Memory) == 8 * sizeof(double));

// What the touches of one wall do to it, by columns, so that sums have one order.
template <std::size_t width>
struct WallColumns {
  using P = PackOf<width>;
  using V = PackVec<width>;
  V force{P(0.0), P(0.0), P(0.0)}, moment = force;  // on the grains
  P stiffness{0.0}, power{0.0};

  [[gnu::always_inline]] void add(const PackMaskOf<width>& used, const V& f, const V& at, const P& stiff,
                                  const V& wall_velocity) {
    const V nothing{P(0.0), P(0.0), P(0.0)}, own = select(used, f, nothing);
    force = force + own;
    moment = moment + cross(at, own);
    stiffness = stiffness + select(used, stiff, P(0.0));
    power = power + dot(own, wall_velocity);
  }
};
template <std::size_t width>
[[gnu::always_inline]] inline WallPush total(std::span<const WallColumns<width>> parts) {
  const auto vector = [](const PackVec<width>& v) { return -Vec{sum(v.x), sum(v.y), sum(v.z)}; };
  WallPush all;
  for (const WallColumns<width>& c : parts)
    all.add({vector(c.force), vector(c.moment), sum(c.stiffness), sum(c.power)});
  return all;
}

// Rolling and twisting of one touch; seldom asked for.
template <std::size_t width>
[[gnu::always_inline]] inline Sums turn(const WallWork& work, const WallTouch& touch, std::size_t k,
                                        const material::GrainMeeting<PackOf<width>>& meeting,
                                        const material::GrainForce<PackOf<width>>& force, TurnMemory& memory,
                                        Load& load, WallPush& push) {
  const material::GrainLaw& law = work.law(touch);
  if (!law.resists_turning()) return {};
  const Ball& ball = work.balls[touch.grain];
  const Vec wall_spin = work.walls[touch.wall()].spin;
  material::GrainMeeting<double> at{};
  at.radius = ball.radius;
  at.normal = touch.normal;
  at.spins = meeting.spins[k];
  material::GrainForce<double> pressing{};
  pressing.pressing = force.pressing[k];
  pressing.stiffness = force.stiffness[k];
  const auto turn = material::turn_meeting(ball.spin - wall_spin, work.step,
                                           1.4 * meeting.mass[k] * ball.radius * ball.radius, memory);
  const auto m = material::grain_moment(law, at, pressing, turn, work.step.h, memory);
  load.torque = load.torque + m.moment;
  push.add({{}, -m.moment, 0, dot(m.moment, wall_spin)});
  return sums_of(m.energy, 0);
}

template <std::size_t width>
[[gnu::always_inline]] inline PackVec<width> everywhere(const Vec& v) {
  return {PackOf<width>(v.x), PackOf<width>(v.y), PackOf<width>(v.z)};
}

// Some touches of one wall and law.
struct Some {
  std::span<WallTouch> touches;  // one to as many as a pack has
  std::span<Memory> memory;
  std::span<TurnMemory> turning;
};

template <NormalForce normal, TangentialForce tangential, bool turns, std::size_t width>
[[gnu::always_inline]] inline void push_some(const WallWork& work, const material::GrainFactors& law,
                                             const Some& some, const ChunkLoads& loads, WallPush& push,
                                             WallColumns<width>& on_wall, EnergyColumns<width>& columns,
                                             [[maybe_unused]] Sums& sums) {
  using P = PackOf<width>;
  using V = PackVec<width>;
  const std::size_t count = some.touches.size();
  const auto used = PackMaskOf<width>::first(count);
  // Where there are less, the first stands in, for nothing.
  const auto touch = [&](std::size_t k) -> const WallTouch& { return some.touches[k < count ? k : 0]; };
  const auto ball = [&](std::size_t k) -> const Ball& { return work.balls[touch(k).grain]; };
  const auto known = [&](std::size_t k) -> const Memory& { return some.memory[k < count ? k : 0]; };
  const Wall& wall = work.walls[some.touches[0].wall()];
  const auto place = columns_of_row<width>(normal_row, touch);
  const auto spin = columns_of_row<width>(spin_row, ball),
             velocity = columns_of_row<width>(velocity_row, ball);
  const auto position = columns_of_row<width>(position_row, ball);
  const V n = vector_of<width>(place), w = vector_of<width>(spin), wall_spin = everywhere<width>(wall.spin);
  const P arm = spin[3] - 0.5 * place[3];
  const V at = vector_of<width>(position) - arm * n - everywhere<width>(wall.origin);
  const V wall_velocity = everywhere<width>(wall.velocity) + cross(wall_spin, at);

  material::GrainMeeting<P> meeting;
  meeting.overlap = place[3];
  meeting.radius = spin[3];
  meeting.mass = velocity[3] / (P(1) + wall.over_mass * velocity[3]);
  meeting.normal = n;
  meeting.spins = dot(n, w + wall_spin);
  const auto before = columns_of_row<width>(0, known), motion_before = columns_of_row<width>(1, known);
  material::GrainMemory<P> remembered;
  remembered.force = vector_of<width>(before);
  remembered.compliance = before[3];
  remembered.velocity = vector_of<width>(motion_before);
  material::set_motion(meeting, vector_of<width>(velocity) - wall_velocity - arm * cross(w, n), work.step,
                       remembered);
  const auto force = material::grain_force<normal, tangential>(law, meeting, work.step.h, remembered);

  const V all = force.normal * n + force.tangential;
  on_wall.add(used, all, at, (normal == NormalForce::hertz ? 1.5 : 1.0) * force.stiffness, wall_velocity);
  columns.add(used, force);
  const auto pushes = load_rows<width>(all, arm * cross(n, all));
  const PackRows<width> forces = rows_of<width>(all, P(0.0)),
                        after = rows_of<width>(remembered.force, remembered.compliance),
                        motion = rows_of<width>(remembered.velocity, P(0.0));
  for (std::size_t k = 0; k < count; ++k) {
    const auto to = row(some.touches[k], force_row);
    store_pack(with_fourth_of(load_pack(to), forces[k]), to);
    store_pack(after[k], row(some.memory[k], 0));
    store_pack(motion[k], row(some.memory[k], 1));
    Load& load = loads.of(some.touches[k].grain);
    pushes.give(k, load);
    if constexpr (turns)
      sums.add(turn<width>(work, some.touches[k], k, meeting, force, some.turning[k], load, push));
  }
}

template <NormalForce normal, TangentialForce tangential, bool turns>
Sums push_all(const WallWork& work, const Some& all, const ChunkLoads& loads, std::span<WallPush> pushes) {
  Sums sums;
  on_widest([&]<std::size_t width>() {
    constexpr std::size_t parts = group_width / width;
    EnergyColumns<width> columns[parts];
    const std::span<WallTouch> touches = all.touches;
    for (std::size_t first = 0; first < touches.size();) {
      const std::uint32_t wall = touches[first].wall();
      WallColumns<width> on_wall[parts];
      while (first < touches.size() && touches[first].wall() == wall) {
        const material::GrainLaw& of_law = work.law(touches[first]);
        const material::GrainFactors law(of_law);
        const std::size_t most = std::min(first + group_width, touches.size());
        std::size_t last = first + 1;
        while (last < most && touches[last].wall() == wall && &work.law(touches[last]) == &of_law) ++last;
        for (std::size_t part = 0; first + part * width < last; ++part) {
          const std::size_t from = first + part * width, count = std::min(width, last - from);
          push_some<normal, tangential, turns, width>(
              work, law,
              {touches.subspan(from, count), all.memory.subspan(from, count),
               turns ? all.turning.subspan(from, count) : all.turning},
              loads, pushes[wall], on_wall[part], columns[part], sums);
        }
        first = last;
      }
      pushes[wall].add(total<width>(on_wall));
    }
    sums.add(total<width>(columns, work.step.h));
  });
  return sums;
}

}  // namespace

Sums push_walls(const WallWork& work, std::span<WallTouch> touches, std::span<Memory> memory,
                std::span<TurnMemory> turning, const ChunkLoads& loads, std::span<WallPush> pushes) {
  if (touches.empty()) return {};
  return material::by_kind(work.law(touches[0]), [&]<NormalForce normal, TangentialForce tangential>() {
    const Some all{touches, memory, turning};
    return turning.empty() ? push_all<normal, tangential, false>(work, all, loads, pushes)
                           : push_all<normal, tangential, true>(work, all, loads, pushes);
  });
}

}  // namespace hardpan::grains
