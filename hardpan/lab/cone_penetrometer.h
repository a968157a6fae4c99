// A cone that is driven into the ground by blows of a falling weight: how deep each of them drives it, and
// the resistance, which is the energy of a blow over its penetration. Depths are read while cone and weight
// rest on the soil, before the first blow and after each: the load is the same then, and what the soil gives
// way by elastically under it cancels.
#pragma once

#include "hardpan/lab/measurement.h"

namespace hardpan::lab {

struct ConePenetrometerSetup {
  multibody::BodyId cone;     // goes along z
  multibody::BodyId weight;   // that falls on it; stands on it at first
  double energy = 0;          // of the weight when it falls, J
  std::vector<double> reads;  // when depths are read, s: one more than there are blows
  double window = 0;          // s before each of them over which the depth is a mean
  double every = 0;           // s between rows
};

// Columns: depth (since the start), soil_force (on the cone, upwards), weight_height (above where it stands
// on the cone), blow (the present one; 0: before the first). A depth is read off the rows of the window
// before, the last one at least. Metrics: penetration_m (of all blows), penetration_first_m,
// penetration_last_m, resistance_N (of all blows), and of each blow k penetration_k_m and resistance_k_N.
Measurement cone_penetrometer(const ConePenetrometerSetup& setup);

}  // namespace hardpan::lab
