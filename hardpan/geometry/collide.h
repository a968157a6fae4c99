// Where two shapes touch: a stateless function of two shapes and their poses.
#pragma once

#include <cstdint>
#include <vector>

#include "hardpan/geometry/shape.h"

namespace hardpan::geometry {

struct ContactPoint {
  Vec3 normal;            // unit, world, from A towards B
  Vec3 on_a, on_b;        // the points of the two surfaces, world, m
  double gap;             // normal . (on_b - on_a); negative: overlap, m
  std::uint64_t feature;  // which parts of the two shapes meet: the same from step to step while they do
};

// Appends the contact points with a gap of at most `margin` (>= 0).
void collide(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, double margin,
             std::vector<ContactPoint>& out);

}  // namespace hardpan::geometry
