// Fills a region of any shape with particles. The region is told by how far a place is from its surface,
// negative inside.
//
// A lattice is laid through the box around the region, as wide as the box, so that flat ends along the axes
// fall on its planes. Its points deeper than d/2 stay where they are; those within d/2 of the surface, on
// either side, go to the nearest place of it; of two that come closer than d/2, one goes. Volumes are those
// of what is nearer to a particle than to any other, by samples, n^3 to a cell. Particles may be relaxed:
// each goes to the centre of its volume (Lloyd 1982), those of the surface along it.
#pragma once

#include <functional>

#include "hardpan/geometry/aabb.h"
#include "hardpan/meshfree/cloud.h"

namespace hardpan::meshfree {

struct Region {
  geometry::Aabb box;                           // around it
  std::function<double(const Vec3&)> distance;  // from its surface, m; near it, this is what it says
};

// Without what belongs to the other.
Region without(Region region, Region other);

// Throws InputError where no particle finds room.
Cloud filled(const Region& region, double spacing, int relaxations = 0);

}  // namespace hardpan::meshfree
