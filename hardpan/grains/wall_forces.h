// The forces of walls on grains (material/grain_law.h), several touches of one law at once, as those of
// pairs. What a wall does to a grain, the grain does to the wall at the same point: in the middle of the
// overlap, arm = r - d/2 from the centre of the grain.
#pragma once

#include <algorithm>
#include <span>

#include "hardpan/grains/pair_forces.h"
#include "hardpan/grains/wall_touch.h"

namespace hardpan::grains {

struct WallWork {
  std::span<const Wall> walls;
  std::span<const Ball> balls;
  std::span<const std::uint32_t> material;  // of balls
  material::LawStep step;

  const material::GrainLaw& law(const WallTouch& touch) const {
    return walls[touch.wall()].laws[material[touch.grain]];
  }
  bool resists_turning() const {
    return std::ranges::any_of(walls, [](const Wall& wall) {
      return std::ranges::any_of(wall.laws, &material::GrainLaw::resists_turning);
    });
  }
};

// Touches wall by wall. Adds to the loads of grains and to what is done to each wall, fills in the forces of
// touches, and remembers: of turning as many as there are touches, or nothing where no law resists it.
Sums push_walls(const WallWork& work, std::span<WallTouch> touches, std::span<Memory> memory,
                std::span<TurnMemory> turning, const ChunkLoads& loads, std::span<WallPush> pushes);

}  // namespace hardpan::grains
