#include "hardpan/geometry/collide_ground.h"

namespace hardpan::geometry {

bool is_ground(const Shape& shape) {
  return std::holds_alternative<Mesh>(shape) || std::holds_alternative<HeightField>(shape);
}

void collide_ground(const Shape&, const Pose&, const Shape&, const Pose&, double,
                    std::vector<ContactPoint>&) {}

}  // namespace hardpan::geometry
