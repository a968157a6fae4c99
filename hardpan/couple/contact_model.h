// What may touch: surfaces of bodies, the materials they are made of, and who is left out.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "hardpan/geometry/shape.h"
#include "hardpan/material/contact_law.h"
#include "hardpan/multibody/model.h"

namespace hardpan::couple {

struct Surface {
  multibody::BodyId body;
  geometry::PlacedShape placed;  // relative to the centre of mass
  std::size_t material = 0;
  std::uint64_t groups = 1;  // bits: the groups that it belongs to
  std::uint64_t avoids = 0;  // bits: the groups that it passes through
};

struct ContactModel {
  std::vector<Surface> surfaces;
  std::size_t grains = 0;  // the last so many of the surfaces are those of grains
  std::vector<std::string> materials;
  std::vector<material::ContactLaw> laws;  // materials x materials, symmetric
  // Pairs of bodies that never touch, the smaller index first, sorted: those that a joint holds together.
  std::vector<std::pair<std::size_t, std::size_t>> strangers;

  const material::ContactLaw& law(std::size_t a, std::size_t b) const {
    return laws[a * materials.size() + b];
  }
  bool is_grain(std::size_t surface) const { return surface + grains >= surfaces.size(); }
  bool may_touch(const multibody::Model& bodies, std::size_t surface_a, std::size_t surface_b) const;
};

}  // namespace hardpan::couple
