#include "hardpan/grains/wall_forces.h"

#include <algorithm>

#include "hardpan/grains/rows.h"
#include "hardpan/math/widest.h"

namespace hardpan::grains {
namespace {

using material::NormalForce;
using material::TangentialForce;

static_assert(sizeof(Memory) == 8 * sizeof(double));

template <std::size_t width>
[[gnu::always_inline]] inline Sums turn(const WallWork& work, WallTouch& touch, std::size_t k,
                                        const material::GrainMeeting<PackOf<width>>& meeting,
                                        const material::GrainForce<PackOf<width>>& force,
                                        TurnMemory& memory) {
  const material::GrainLaw& law = work.law(touch);
  touch.moment = {};
  if (!law.resists_turning()) return {};
  const Ball& ball = work.balls[touch.grain];
  const Vec wall_spin = work.walls[touch.wall()].spin;
  material::GrainMeeting<double> at{};
  at.radius = ball.radius;
  at.normal = touch.normal;
  at.spin = meeting.spin[k];
  material::GrainForce<double> pressing{};
  pressing.pressing = force.pressing[k];
  pressing.stiffness = force.stiffness[k];
  const auto turn = material::turn_meeting(ball.spin - wall_spin, work.step,
                                           1.4 * touch.mass * ball.radius * ball.radius, memory);
  const auto m = material::grain_moment(law, at, pressing, turn, work.step.h, memory);
  touch.moment = m.moment;
  return {m.viscous, m.friction, m.stiffening, m.stored, 0};
}

// One to `width` touches of one wall and law.
template <NormalForce normal, TangentialForce tangential, bool turns, std::size_t width>
[[gnu::always_inline]] inline void push_some(const WallWork& work, const material::GrainFactors& law,
                                             std::span<WallTouch> touches, std::span<Memory> memory,
                                             [[maybe_unused]] std::span<TurnMemory> turning,
                                             EnergyColumns<width>& columns, [[maybe_unused]] Sums& sums) {
  using P = PackOf<width>;
  using V = PackVec<width>;
  const std::size_t count = touches.size();
  // Where there are less, the first stands in, for nothing.
  const auto touch = [&](std::size_t k) -> const WallTouch& { return touches[k < count ? k : 0]; };
  const auto ball = [&](std::size_t k) -> const Ball& { return work.balls[touch(k).grain]; };
  const auto known = [&](std::size_t k) -> const Memory& { return memory[k < count ? k : 0]; };
  const auto place = columns_of_row<width>(normal_row, touch);
  const auto wall_velocity = columns_of_row<width>(wall_velocity_row, touch);
  const auto spin = columns_of_row<width>(spin_row, ball);
  const auto velocity = columns_of_row<width>(velocity_row, ball);
  const V n = vector_of<width>(place), w = vector_of<width>(spin), wall = vector_of<width>(wall_velocity);
  const P arm = spin[3] - 0.5 * place[3];

  material::GrainMeeting<P> meeting;
  meeting.overlap = place[3];
  meeting.radius = spin[3];
  meeting.mass = wall_velocity[3];
  meeting.normal = n;
  const auto before = columns_of_row<width>(0, known), motion_before = columns_of_row<width>(1, known);
  material::GrainMemory<P> remembered;
  remembered.force = vector_of<width>(before);
  remembered.compliance = before[3];
  remembered.velocity = vector_of<width>(motion_before);
  material::set_motion(meeting, vector_of<width>(velocity) - wall - arm * cross(w, n), work.step, remembered);
  const Vec turns_with = work.walls[touches[0].wall()].spin;
  meeting.spin = 0.5 * dot(n, w + V{P(turns_with.x), P(turns_with.y), P(turns_with.z)});

  const auto force = material::grain_force<normal, tangential>(law, meeting, work.step.h, remembered);
  const P tangent = (normal == NormalForce::hertz ? 1.5 : 1.0) * force.stiffness;
  const PackRows<width> forces = rows_of<width>(force.normal * n + force.tangential, tangent),
                        after = rows_of<width>(remembered.force, remembered.compliance),
                        motion = rows_of<width>(remembered.velocity, P(0.0));
  for (std::size_t k = 0; k < count; ++k) {
    store_pack(forces[k], row(touches[k], force_row));
    store_pack(after[k], row(memory[k], 0));
    store_pack(motion[k], row(memory[k], 1));
  }
  columns.add(P(static_cast<double>(count)) > lane_numbers<width>(), force);
  if constexpr (turns)
    for (std::size_t k = 0; k < count; ++k)
      sums.add(turn<width>(work, touches[k], k, meeting, force, turning[k]));
}

template <NormalForce normal, TangentialForce tangential, bool turns>
Sums push_all(const WallWork& work, std::span<WallTouch> touches, std::span<Memory> memory,
              std::span<TurnMemory> turning) {
  Sums sums;
  on_widest([&]<std::size_t width>() {
    EnergyColumns<width> columns[group_width / width];
    const material::GrainLaw* of_law = &work.law(touches[0]);
    material::GrainFactors law(*of_law);
    for (std::size_t first = 0, last = 0; first < touches.size(); first = last) {
      if (of_law != &work.law(touches[first])) law = *(of_law = &work.law(touches[first]));
      const std::size_t most = std::min(first + group_width, touches.size());
      while (last < most && touches[last].wall() == touches[first].wall() &&
             &work.law(touches[last]) == of_law)
        ++last;
      for (std::size_t part = 0; first + part * width < last; ++part) {
        const std::size_t from = first + part * width, count = std::min(width, last - from);
        push_some<normal, tangential, turns, width>(work, law, touches.subspan(from, count),
                                                    memory.subspan(from, count), turning.subspan(from, count),
                                                    columns[part], sums);
      }
    }
    sums.add(total<width>(columns));
  });
  return sums;
}

}  // namespace

Sums push_walls(const WallWork& work, std::span<WallTouch> touches, std::span<Memory> memory,
                std::span<TurnMemory> turning) {
  if (touches.empty()) return {};
  const bool turns = std::ranges::any_of(work.walls, [](const Wall& wall) {
    return std::ranges::any_of(wall.laws, &material::GrainLaw::resists_turning);
  });
  return material::by_kind(work.law(touches[0]), [&]<NormalForce normal, TangentialForce tangential>() {
    return turns ? push_all<normal, tangential, true>(work, touches, memory, turning)
                 : push_all<normal, tangential, false>(work, touches, memory, turning);
  });
}

}  // namespace hardpan::grains
