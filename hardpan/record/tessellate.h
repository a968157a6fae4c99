// Shapes as polygons, for viewers: coarse enough for many bodies, fine enough to look round.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "hardpan/record/scene.h"

namespace hardpan::record {

struct PolygonMesh {
  std::vector<std::array<double, 3>> points;       // body frame, m
  std::vector<std::vector<std::size_t>> polygons;  // counter-clockwise seen from outside
};

// A body without shape gives one point and no polygon.
PolygonMesh tessellate(const SceneBody& body);

// What a plane, which has no end, shows of itself: a square in its own frame.
struct PlaneView {
  Vec3 middle = Vec3::Zero();
  double size = 20;  // m
};

// Spheres, boxes and cylinders as they are, all others as meshes. Of a large height field, rows and columns
// are left out.
SceneShape drawn(const geometry::Shape& shape, const PlaneView& plane = {});

}  // namespace hardpan::record
