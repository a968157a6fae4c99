// Shapes and their mass properties. Nothing about forces.
#pragma once

#include <memory>
#include <variant>

#include "hardpan/math/pose.h"
#include "hardpan/math/types.h"

namespace hardpan::geometry {

struct Polyhedron;    // polyhedron.h
struct TriangleMesh;  // triangle_mesh.h
struct HeightGrid;    // height_grid.h

// Lengths in m, all positive.
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
struct Capsule {
  double radius;
  double length;  // of its axis along z, without the caps
};
struct Cone {
  double radius;  // of the base, at z = -height/4
  double height;  // tip at z = 3 height/4: the origin is the centre of mass
};
struct Ellipsoid {
  Vec3 radii;  // half axes along x, y, z
};
struct Hull {
  std::shared_ptr<const Polyhedron> body;  // convex
};
struct Mesh {
  std::shared_ptr<const TriangleMesh> surface;  // closed (a solid) or open (a ground)
};
struct HeightField {
  std::shared_ptr<const HeightGrid> grid;  // solid below
};
struct Plane {};  // the half-space z <= 0

using Shape = std::variant<Sphere, Box, Cylinder, Capsule, Cone, Ellipsoid, Hull, Mesh, HeightField, Plane>;

// A shape somewhere on a body, or in the world.
struct PlacedShape {
  Shape shape;
  Pose pose;  // of the shape in the body frame
};

struct Solid {
  double volume;  // m^3
  Vec3 centre;    // of mass, in the frame of the shape, m
  Mat3 inertia;   // about the centre per unit mass, m^2
};

// False for grounds: planes, height fields, open meshes. They have no mass properties.
bool is_solid(const Shape& shape);
Solid solid(const Shape& shape);

}  // namespace hardpan::geometry
