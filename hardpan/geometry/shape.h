// Solid shapes and their mass properties. Nothing about forces.
#pragma once

#include <variant>

#include "hardpan/math/types.h"

namespace hardpan::geometry {

// Lengths in m, all positive. Each shape is centred at its centre of mass.
struct Sphere {
  double radius;
};
struct Box {
  Vec3 size;  // full edge lengths along x, y, z
};
struct Cylinder {
  double radius;
  double length;  // along z
};
using Shape = std::variant<Sphere, Box, Cylinder>;

double volume(const Shape& shape);  // m^3

// Inertia about the centre of mass per unit mass, m^2; diagonal in the shape's axes.
Vec3 specific_inertia(const Shape& shape);

}  // namespace hardpan::geometry
