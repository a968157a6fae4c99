// Grains to begin with: on a cubic lattice whose cells are larger than the largest grain, each somewhere in
// its cell. Nothing overlaps. Loose as it is, it is meant to fall: rain, all of it at once.
#pragma once

#include <cstdint>
#include <vector>

#include "hardpan/grains/columns.h"
#include "hardpan/grains/sizes.h"

namespace hardpan::grains {

struct Fill {
  enum class Region { box, cylinder };  // the cylinder: upright, as wide as the box is in x

  Region region = Region::box;
  Vec low{}, high{};  // grains lie within, m
  Sizes sizes = Sizes::equal(1);
  std::size_t count = 0;  // at most; 0: as many as there is room for
  double spacing = 1.05;  // of the lattice, over the largest diameter, >= 1
  double jitter = 1;      // share of the free room of a cell in which a grain lies, 0 to 1
  std::uint64_t seed = 0;
};

struct Sphere {
  Vec centre;
  double radius;
};

// From below upwards. May be less than asked for, or none: the caller knows what to say.
std::vector<Sphere> filled(const Fill& fill);

}  // namespace hardpan::grains
