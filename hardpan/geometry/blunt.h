// Which way out, where edges or corners of two polyhedra overlap by little.
//
// Two tips that meet can leave by a face of the one or by a face of the other. The shorter way is a
// discontinuous choice, and wrong for statics: at no depth every direction common to both normal cones may
// carry the force (the normal cone of Clarke 1983), and the faces are its ends. So the tips are taken as
// blunt, on the scale of their depth. With n_j the directions in which B can leave A and s_j the ways to go,
// s the least of them:
//
//   n = -v/|v|,   v = argmin { |v| : n_j . v <= s_j - R for all j },    R = s + (R_0 + K s) (1 - s/L)
//
// v is the least motion of B after which it is R deep, whichever way out: the origin projected onto the set B
// - A after R is worn off all around. Distances to a convex set have a continuous gradient, so n is
// continuous in the poses, as s is. A face met well inside stays alone, and n is its normal to the last bit.
// It ends at the depth L.
//
// Between two n_j that are 2 w apart the depth along n exceeds s by at most s (4/3) tan^2(w), for K = 3.
#pragma once

#include "hardpan/geometry/pair.h"

namespace hardpan::geometry {

struct WayOut {
  Vec3 normal = Vec3::Zero();
  double separation = -HUGE_VAL;  // minus the depth along it
};

// A face whose border is this many R away is the normal, unless faces are nearly opposite.
constexpr double clear_of_tips = 10;

// R for the shortest way out of two boxes or hulls, or nothing where it is the normal: apart, deep, or
// curved.
std::optional<double> bluntness(const Pair& pair, double separation);

// `after`: the shortest way out of the pair, B moved.
Vec3 blunt_normal(const Pair& pair, const WayOut& shortest, double bluntness,
                  WayOut (*after)(const Pair& moved));

}  // namespace hardpan::geometry
