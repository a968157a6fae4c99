#include "hardpan/couple/contact_model.h"

#include <algorithm>

namespace hardpan::couple {

bool ContactModel::may_touch(const multibody::Model& bodies, std::size_t surface_a,
                             std::size_t surface_b) const {
  const Surface &a = surfaces[surface_a], &b = surfaces[surface_b];
  if (a.body == b.body || (a.groups & b.avoids) || (b.groups & a.avoids)) return false;
  const std::size_t i = a.body.index(), j = b.body.index();
  if (bodies.bodies[i].fixed && bodies.bodies[j].fixed) return false;
  return !std::binary_search(strangers.begin(), strangers.end(), std::pair(std::min(i, j), std::max(i, j)));
}

}  // namespace hardpan::couple
