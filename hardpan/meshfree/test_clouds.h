// Clouds for tests: lattices, clouds without order, blocks with holes.
#pragma once

#include "hardpan/core/random.h"
#include "hardpan/meshfree/cloud.h"

namespace hardpan::meshfree {

inline Cloud cube_lattice(std::size_t n, double size = 1) {
  return box_lattice(Vec3::Zero(), Vec3::Constant(size), {n, n, n});
}

// Particles inside, and along faces and edges those of faces and edges, moved by up to `share` of d.
inline Cloud jittered(Cloud cloud, double share) {
  const CounterRandom random(11);
  for (std::size_t i = 0; i < cloud.size(); ++i)
    for (std::size_t a = 0; a < 3; ++a)
      if (const auto axis = static_cast<Eigen::Index>(a); cloud.area[i][axis] == 0)
        cloud.position[i][axis] += cloud.spacing * random.uniform(3 * i + a, -share, share);
  cloud.area.clear();
  cloud.counts = {};
  return cloud;
}

// Without what is within `radius` of `centre`; volumes are left as they are.
inline Cloud with_hole(const Cloud& from, const Vec3& centre, double radius) {
  Cloud cloud;
  cloud.spacing = from.spacing;
  for (std::size_t i = 0; i < from.size(); ++i) {
    const double distance = (from.position[i] - centre).norm();
    if (distance < radius) continue;
    cloud.position.push_back(from.position[i]);
    cloud.volume.push_back(from.volume[i]);
    cloud.on_surface.push_back(from.on_surface[i] || distance < radius + 1.8 * from.spacing);
  }
  return cloud;
}

}  // namespace hardpan::meshfree
