// Where a slope that grows along a ray is zero: from -decrease at 0, first outward by doubling, then by the
// secant rule of Illinois (Dowell & Jarratt, BIT 11 (1971) 168-174), until it is within `enough` of the
// decrease.
#pragma once

#include <cmath>

namespace hardpan::solve {

struct SlopeSearch {
  double enough;  // of the decrease
  int most_doublings, most_secants;

  // slope(t), t > 0. Not finite where there is no such t.
  template <class Slope>
  double zero(double decrease, const Slope& slope) const {
    double left = 0, at_left = -decrease, right = 1, at_right = slope(right), t = 1;
    for (int k = 0; k < most_doublings && at_right < -enough * decrease; ++k) {
      left = right, at_left = at_right;
      at_right = slope(right *= 2);
      t = right;
    }
    for (int k = 0; k < most_secants && std::abs(at_right) > enough * decrease; ++k) {
      t = right - at_right * (right - left) / (at_right - at_left);
      const double here = slope(t);
      if (std::abs(here) <= enough * decrease || t == left || t == right) break;
      if ((here > 0) == (at_right > 0))
        at_left *= 0.5;
      else
        left = right, at_left = at_right;
      right = t, at_right = here;
    }
    return t;
  }
};

}  // namespace hardpan::solve
