// What is measured of a pile, by one ruler for all engines: from poses and velocities alone.
#pragma once

#include "bench/piles/pile.h"

#include "hardpan/geometry/broad_phase.h"
#include "hardpan/geometry/collide.h"

namespace hardpan::bench {

struct Depths {
  std::size_t points = 0;        // that overlap
  double mean = 0, largest = 0;  // m
};

class Ruler {
 public:
  explicit Ruler(const Pile& pile) : pile_(pile), inertia_(geometry::solid(pile.shape).inertia) {}

  Depths depths(const Engine& engine) const;
  double kinetic_energy(const Engine& engine) const;    // J
  double potential_energy(const Engine& engine) const;  // J, against the floor
  std::vector<Vec3> positions(const Engine& engine) const;

 private:
  const Pile& pile_;
  Mat3 inertia_;  // per unit mass
};

}  // namespace hardpan::bench
