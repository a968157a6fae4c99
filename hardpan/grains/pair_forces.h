// The forces of pairs of grains (material/grain_law.h), four or eight contacts at once (contacts.h).
//
// What a contact must know of a sphere stands in rows of four numbers (state.h): loads and a
// transposition bring it for several contacts, and their forces go the same way back, to both spheres of
// each, one contact after the other. Energies are summed by columns, one for each of the eight of a group. So
// all is the same bits on every machine.
//
// With radii r_i and r_j, overlap d and spins w_i and w_j, surfaces move by
//
//     arm_i w_i + arm_j w_j = a (w_i + w_j) + b (w_j - w_i),     2 a = r_i + r_j - d,     2 b = r_j - r_i
//
// at a contact, where arm = r - d/2: sums and differences of rows, and no more than a sum where spheres are
// equal. 2 a is the distance of the centres, so a n is half of the way from one to the other.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "hardpan/grains/contacts.h"
#include "hardpan/grains/space.h"

namespace hardpan::grains {

// What pushes a sphere.
struct alignas(64) Load {
  Vec force{}, torque{};
  double unused[2] = {};  // sums of no meaning
};

// Those of a chunk (contacts.h).
struct ChunkLoads {
  std::span<Load> all;
  std::size_t begin;  // the first of its spheres

  [[gnu::always_inline]] Load& of(std::size_t own_sphere) const { return all[own_sphere - begin]; }
  [[gnu::always_inline]] Load& at(std::size_t to) const { return all[to]; }
};

// Of a step, J.
struct Sums {
  double viscous = 0, friction = 0, stiffening = 0, stored = 0;
  std::size_t contacts = 0;
  void add(const Sums& other);
};
inline Sums sums_of(const material::GrainEnergy<double>& energy, std::size_t contacts) {
  return {energy.viscous, energy.friction, energy.stiffening, energy.stored, contacts};
}

struct PairWork {
  const Space& space;
  std::span<const material::GrainLaw> laws;  // of each two materials
  std::span<const Ball> balls;               // copies included
  material::LawStep step;
  double gone;  // since contacts were looked for, at most, as a share of margins (Leash)
};

// What is needed soon: fetched from memory meanwhile, and not looked at.
struct ComesNext {
  // What the chunk that comes next begins with.
  std::span<const Ball> balls;
  std::span<const std::uint32_t> guests;  // places
  std::span<const ContactGroup> groups;
  // Memory that this one writes when it is through, and that others have read: what is there is lost.
  std::span<std::byte> passed{}, copies{};
};

// Adds to the loads, and remembers. Groups in which nobody touches rest until somebody may, which leaves no
// trace but in time. Spheres that are all `equal` are pushed with less work, and to the same bits.
Sums push_pairs(const PairWork& work, ChunkContacts& contacts, const ChunkLoads& loads,
                const ComesNext& next = {});

struct ContactForce {
  std::uint32_t i, j;
  Vec force;     // on j, N
  double arm_i;  // from the centre of i to the point of contact, m
};
// Those that push_pairs() would add now.
void find_forces(const PairWork& work, const ChunkContacts& contacts, std::vector<ContactForce>& forces);

}  // namespace hardpan::grains
