// Grains to begin with, loose and without overlap; they are meant to fall: rain, all of it at once.
//
//     lattice   cubic, of cells that are larger than the largest grain, each grain somewhere in its cell
//     random    one after another, the largest first, each at the first random place that is free (random
//               sequential addition: Widom, J. Chem. Phys. 44 (1966) 3888-3894); up to about 0.3 of the
//               volume, whatever the sizes
#pragma once

#include <cstdint>
#include <vector>

#include "hardpan/grains/columns.h"
#include "hardpan/grains/sizes.h"

namespace hardpan::grains {

struct Fill {
  enum class Method { lattice, random };
  enum class Region { box, cylinder };  // the cylinder: upright, as wide as the box is in x

  Method method = Method::lattice;
  Region region = Region::box;
  Vec low{}, high{};  // grains lie within, m
  Sizes sizes = Sizes::equal(1);
  std::size_t count = 0;  // at most; 0: as many as there is room for (lattice only)
  double spacing = 1.05;  // of the lattice, over the largest diameter, >= 1
  double jitter = 1;      // share of the free room of a cell in which a grain lies, 0 to 1
  std::uint64_t seed = 0;
};

struct Sphere {
  Vec centre;
  double radius;
};

// On a lattice from below upwards. May be less than asked for, or none: the caller knows what to say.
std::vector<Sphere> filled(const Fill& fill);

// Spheres of these diameters, wherever there is room, the largest first, until there is none.
std::vector<Sphere> scattered(const Fill& fill, std::vector<double> diameters);

}  // namespace hardpan::grains
