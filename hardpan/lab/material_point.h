// One point of soil, led through strains and stresses: of each component either is given. What is not given
// follows from the law (material/soil_law.h) by Newton's method with its tangent. Tension is positive,
// tensors are by Mandel.
//
// Work is the sum of (sigma + sigma')/2 . (e' - e) over the steps, exact as long as it is elastic; the
// plastic work is that of the law, sigma' . (e_p' - e_p), which is never negative. Steps are halved, up to
// six times, until these books close to 1 %.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "hardpan/material/soil_law.h"

namespace hardpan::lab {

// A stretch of a path, in equal steps of all components.
struct Leg {
  std::string name;
  std::array<bool, 6> by_stress = {};  // which components are given as stresses
  Vec6 goal = Vec6::Zero();            // at the end: the stress, Pa, or by how much the strain has changed
  int steps = 100;
};

struct PathPoint {
  std::size_t leg = 0;  // which led here
  Vec6 strain = Vec6::Zero();
  material::SoilResponse soil;
  double work = 0, plastic_work = 0, stored = 0;  // J/m^3
};

class MaterialPoint {
 public:
  explicit MaterialPoint(const material::SoilLaw& law);  // which must outlive it

  const PathPoint& now() const { return now_; }

  // Goes along a leg and adds a point per step. False where no strain has the stresses asked for (soil is
  // only so strong): it then stays at the last step that went well.
  [[nodiscard]] bool follow(const Leg& leg, std::vector<PathPoint>& points);

 private:
  struct Step {
    Vec6 strain;
    material::SoilResponse soil;
  };

  Vec6 given(const Leg& leg) const;
  bool reach(const Leg& leg, const Vec6& goal, int halvings);
  std::optional<Step> solve(const Leg& leg, const Vec6& goal, bool far) const;
  std::optional<Step> approach(const Vec6& mask, const Vec6& asked, Vec6 strain) const;
  bool is_fine(const Step& step) const;
  void commit(const Step& step);

  const material::SoilLaw& law_;
  PathPoint now_;
};

}  // namespace hardpan::lab
