// Grains that grow to a given void ratio: scattered as small spheres, grown by small shares of their size,
// and pushed apart after each (pairs in turn, each grain by half of the overlap; the region holds its
// grains), until they have their sizes and overlap nowhere by more than a thousandth of the sum of their
// radii. After Jodrey & Tory, Phys. Rev. A 32 (1985) 2347-2351. Random equal spheres reach a void ratio of
// about 0.6 (0.56 in the limit), wide distributions less; walls ask for more.
#pragma once

#include "hardpan/grains/fill.h"

namespace hardpan::grains {

struct Growth {
  std::vector<Sphere> spheres;
  double overlap = 0;  // the largest, over the sum of radii
  bool reached() const { return overlap <= tolerance; }

  static constexpr double tolerance = 1e-3;
};

// Of as many grains as give the void ratio, whatever fill.count says.
Growth grown(const Fill& fill, double void_ratio);

}  // namespace hardpan::grains
