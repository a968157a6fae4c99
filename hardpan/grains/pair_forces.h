// The forces of pairs of grains (material/grain_law.h), four touching pairs at once.
//
// What a pair must know of a grain stands side by side, by fours: four loads and a transposition bring it for
// four pairs. Pairs are taken in the order of the list, four at once: those that touch are noted, and four of
// these, of one law, are worked on together. What pushes the first of a pair is summed at once, since all its
// pairs follow each other; what pushes the second is kept, and each grain collects its own afterwards. Sums
// have the order of the list, those of energies a column for each of the four, so all is the same bits on
// every machine and for any number of threads.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "hardpan/grains/pair_list.h"
#include "hardpan/grains/space.h"

namespace hardpan::grains {

// Of a grain, in this step.
struct alignas(32) Motion {
  Vec position;
  double radius;
  Vec velocity;  // at the time of the positions, m/s
  double mass;
  Vec spin;             // likewise, rad/s
  double radius_again;  // where forces look for it
  Vec way;              // gone in the step that led here, m
  double unused = 0;
  Vec angle;  // turned in it, rad
  double unused_too = 0;
};

// What all pairs do to a grain.
struct alignas(64) Load {
  Vec force;
  double unused = 0;
  Vec torque;
  double unused_too = 0;
};

// What a pair does to its grains: the force on the second, and the torque on a sphere of unit radius.
struct alignas(32) PairForce {
  Vec force;
  double arm_i;  // from the centre to the point of contact, m; 0: they do not touch
  Vec torque;
  double arm_j;
};

// Of a step, J.
struct Sums {
  double viscous = 0, friction = 0, stiffening = 0, stored = 0;
  std::size_t contacts = 0;
  void add(const Sums& other);
};

struct PairWork {
  const Space& space;
  std::span<const material::GrainLaw> laws;  // of each two materials, a * materials + b
  std::size_t materials;
  std::span<const Motion> motion;
  std::span<const std::uint32_t> material;
  PairList& pairs;              // whose memory is written
  std::span<PairForce> forces;  // of pairs; all 0 where the list is new
  std::span<Load> loads;        // of grains
  std::span<Vec> moments;       // on the second; empty where nothing resists turning
  double h;
};

// All pairs whose first grain is one of [begin, end); their loads are those of these pairs.
Sums push_pairs(const PairWork& work, std::size_t begin, std::size_t end);
// Then: to their loads those of pairs in which they are the second.
void add_seconds(const PairWork& work, std::size_t begin, std::size_t end);

}  // namespace hardpan::grains
