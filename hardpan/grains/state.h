// What spheres know from step to step, those of clumps included, in the present order.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "hardpan/core/large_pages.h"
#include "hardpan/grains/columns.h"

namespace hardpan::grains {

// Rows of four numbers, as vector units want them: pairs read them as they are, and motion goes row by row.
struct alignas(32) Ball {
  Vec position{};
  double over_inertia = 0;  // none of members: their clump moves them
  Vec velocity{};           // half a step before the position
  double mass = 0;          // of a member: that of its clump
  Vec spin{};               // as the velocity
  double radius = 0;

  double inertia_over_mass() const { return 0.4 * radius * radius; }
  double own_mass() const { return over_inertia > 0 ? mass : 0; }
};

enum BallRow : std::size_t { position_row, velocity_row, spin_row };
static_assert(sizeof(Ball) == 12 * sizeof(double));

// How far spheres may go until something is made anew, by their chunks (contacts.h).
struct Leash {
  std::vector<double> length;  // m, > 0
  double used = 0;             // the largest share of it that a sphere may have gone
};

struct State {
  LargeTable<Ball> balls;         // and, beyond size(), copies of some (contacts.h)
  std::vector<std::uint32_t> id;  // place in the model; members of clumps after all single grains
  double step = 0;                // the last one, s; 0: velocities are those of the positions
  double kick = 0;                // for how long the last forces acted, s
  double skin = 0;                // that cells have room for, m (pair_list.h)
  Leash skins;                    // until the list is made anew
  Leash margins;                  // until contacts are looked for again (contacts.h)

  std::size_t size() const { return id.size(); }
  std::span<const Ball> spheres() const { return std::span(balls).first(size()); }
  const Ball& operator[](std::size_t i) const { return balls[i]; }
};

}  // namespace hardpan::grains
