// Which grains touch a surface: found among those that are near it, which are looked for only when grains or
// surface have moved too far. The order of what is found does not hang on that.
#pragma once

#include <cstdint>
#include <vector>

#include "hardpan/geometry/collide.h"
#include "hardpan/grains/system.h"

namespace hardpan::couple {

class WallFinder {
 public:
  explicit WallFinder(const geometry::Shape& shape);
  // For the surface at this pose, before anything is found.
  void prepare(const grains::System& grains, const geometry::Shape& shape, const Pose& pose);
  // Adds all touches of grains of a chunk with it: grain, place, normal and overlap. Where a grain touches
  // several places of it, these are in the order of their features.
  void find(const grains::System& grains, std::size_t chunk, std::uint32_t wall, const geometry::Shape& shape,
            const Pose& pose, std::vector<grains::WallTouch>& touches) const;

 private:
  void look(const grains::System& grains, const geometry::Shape& shape, const Pose& pose);
  bool is_good(const grains::System& grains, const Pose& pose) const;

  double extent_;                            // of the shape from its origin, m
  std::size_t looked_ = 0;                   // when grains looked for their contacts
  Pose pose_;                                // then
  double allowed_ = 0;                       // how far the surface may have moved since, m
  std::vector<std::uint32_t> near_;          // in the order of the grains
  std::vector<std::size_t> start_ = {0, 0};  // of each chunk in near_, and the end
};

}  // namespace hardpan::couple
