// What is remembered of a contact point from step to step, part of the saved state, and what all points have
// in common.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "hardpan/core/archive.h"
#include "hardpan/geometry/collide.h"
#include "hardpan/material/contact_law.h"

namespace hardpan::couple {

constexpr double release_time = 1.0;     // of the depth at which a contact was caught, s
constexpr double nearly_all = 1 - 1e-9;  // of the largest friction: it slides

inline double relaxation_time(const material::ContactLaw& law, double h) {
  return law.relaxation_time > 0 ? law.relaxation_time : 2 * h;
}

struct Touch {
  std::uint64_t pair = 0;  // of surfaces
  std::uint64_t feature = 0;
  Vec3 point = Vec3::Zero();       // world, m
  Vec3 impulse = Vec3::Zero();     // of the last step, on b, world, N s: of rows
  Vec3 pull = Vec3::Zero();        // likewise, of adhesion
  Vec3 couple = Vec3::Zero();      // moment of the impulse about the point, world, N m s
  Vec3 deflection = Vec3::Zero();  // of the stick, how far b was dragged over a before the drift, world, m
  Vec3 slide = Vec3::Zero();       // velocity of b over a after the kick of the last step, world, m/s
  bool sticks = false;             // else it slid, or did not press
  double rest = 0;                 // the depth at which it was caught and now rests, m

  bool pressed() const { return !impulse.isZero(0); }
  Vec3 total() const { return impulse + pull; }
};

// The remembered touch of each of the points of one pair: the one of the same features, else the nearest that
// is still free and pushed the same way, else nullptr. `known` are those of the same pair.
void match_touches(std::span<const geometry::ContactPoint> points, std::span<const Touch> known,
                   std::span<const Touch*> found);

// Under names that begin with `of`.
void save_touches(const std::vector<Touch>& touches, const std::string& of, Archive& archive);
std::vector<Touch> restore_touches(const std::string& of, const Archive& archive);

}  // namespace hardpan::couple
