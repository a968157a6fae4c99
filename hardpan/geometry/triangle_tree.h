// The tree over the triangles of a mesh.
#pragma once

#include <array>
#include <span>

#include "hardpan/geometry/box_tree.h"

namespace hardpan::geometry {

BoxTree triangle_tree(std::span<const Vec3> vertices,
                      std::span<const std::array<std::uint32_t, 3>> triangles);

}  // namespace hardpan::geometry
