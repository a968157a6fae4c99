// Particles that stand for a solid: where they are at first, and what part of the solid is whose.
//
// The outermost particles lie on the surface itself, and a particle has the volume that is nearer to it than
// to any other: on a lattice a whole cell inside, 1/2, 1/4 and 1/8 of one on faces, edges and corners. (With
// particles at the centres of equal cells, forces do not balance at the surface: reactions are 20 % too large
// for 6 x 6 x 6 particles.)
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "hardpan/math/types.h"

namespace hardpan::meshfree {

struct Cloud {
  double spacing = 0;                    // d, of neighbours, m
  std::vector<Vec3> position;            // X, m
  std::vector<double> volume;            // V, m^3
  std::vector<std::uint8_t> on_surface;  // 0: all around it is the solid
  std::array<std::size_t, 3> counts{};   // of a whole lattice, x by x, row by row; else 0
  std::vector<Vec3> area;  // share of the surface, times its outward normal, m^2; empty: not known
  // Smooth parts of the surface, each as squares of particles, counterclockwise; empty: not known.
  std::vector<std::vector<std::array<std::uint32_t, 4>>> sides;

  std::size_t size() const { return position.size(); }
};

// `counts` particles along x, y and z, at least 2 each, from corner to corner.
Cloud box_lattice(const Vec3& low, const Vec3& high, const std::array<std::size_t, 3>& counts);

// As many as make distances of about `spacing`.
std::array<std::size_t, 3> lattice_counts(const Vec3& size, double spacing);

}  // namespace hardpan::meshfree
