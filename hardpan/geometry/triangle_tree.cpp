#include "hardpan/geometry/triangle_tree.h"

namespace hardpan::geometry {

BoxTree triangle_tree(std::span<const Vec3> vertices,
                      std::span<const std::array<std::uint32_t, 3>> triangles) {
  std::vector<Aabb> boxes;
  boxes.reserve(triangles.size());
  for (const auto& [a, b, c] : triangles)
    boxes.push_back(Aabb{vertices[a], vertices[a]}.merged(vertices[b]).merged(vertices[c]));
  BoxTree::Scratch scratch;
  BoxTree tree;
  tree.build(boxes, scratch);
  return tree;
}

}  // namespace hardpan::geometry
