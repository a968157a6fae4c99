// Rigid clumps of spheres: grains that are no spheres. Members of a clump meet other grains and walls, never
// each other.
//
// Mass and inertia belong to the solid that the members make up, each place counted once. Members apart from
// each other: sums over spheres. Where they overlap: lines along z through a square grid of the shadow, on
// each of which the covered parts are exact,
//
//     V = integral 1,    S = integral r r^T,    I = rho (tr(S) 1 - S) about the centre of mass
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "hardpan/grains/columns.h"
#include "hardpan/math/types.h"

namespace hardpan::grains {

struct Member {
  Vec offset{};       // from the centre of mass, in the principal axes, m
  double radius = 0;  // > 0, m
};

struct Clump {
  Vec position{};                      // of the centre of mass, m
  Quat orientation{Quat::Identity()};  // of the principal axes
  Vec velocity{}, spin{};              // of the centre, m/s; rad/s
  std::vector<Member> members;
  double mass = 0;     // > 0, kg
  double density = 0;  // of its solid, kg/m^3; only volumes depend on it
  Vec inertia{};       // principal, > 0, kg m^2
  std::uint32_t material = 0;
};

// The solid of these spheres, at rest where they are: offsets are from the origin, in any axes. Members that
// overlap: volume and inertia with an error of 1e-5 of them. Throws InputError on spheres without size.
Clump solid_clump(std::span<const Member> spheres, double density);

// As if what it was made of had been moved there: first turned about the origin, then moved.
Clump placed(Clump clump, const Vec& position, const Quat& orientation);

// Throws InputError on what cannot be.
void check_clump(const Clump& clump, std::size_t index, std::size_t materials);

}  // namespace hardpan::grains
