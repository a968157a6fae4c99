// Two boxes: the hot path of every pile.
#pragma once

#include "hardpan/geometry/pair.h"

namespace hardpan::geometry {

// Separating axes (Gottschalk, Lin and Manocha 1996): three normals of each box and nine products of edges.
// The axis of the largest separation is the normal where boxes overlap; tips that overlap by little, see
// blunt.h.
//
// Nearly equal separations are decided by a fixed preference: a face normal of A before one of B before a
// product of edges, unless the latter is better by 1e-6 of the smaller box. So a stack at rest keeps its
// normal although rounding makes the axes change places. The price is a depth that exceeds the least one by
// at most that much.
void collide_boxes(const Pair& pair, double margin, LocalPoints& out);

}  // namespace hardpan::geometry
