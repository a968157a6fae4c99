// Grains as whole things: single spheres, and clumps as one.
#pragma once

#include <numbers>

#include "hardpan/grains/system.h"

namespace hardpan::lab {

struct Lump {
  grains::Vec at;  // centre of mass, m
  double mass;     // kg
  double volume;   // of the solid, m^3
};

template <class Visit>
void each_lump(const grains::System& grains, const Visit& visit) {
  for (std::size_t i = 0; i < grains.size(); ++i) {
    if (grains.is_member(i)) continue;
    const double r = grains.radius(i);
    visit(Lump{grains.state().position[i], grains.mass(i), 4.0 / 3.0 * std::numbers::pi * r * r * r});
  }
  const grains::Clumps& clumps = grains.clumps();
  for (std::size_t c = 0; c < clumps.size(); ++c)
    visit(
        Lump{clumps.state().position[c], clumps.mass(c), clumps.mass(c) / grains.model().clumps[c].density});
}

}  // namespace hardpan::lab
