// What spheres know from step to step, those of clumps included, in the present order.
#pragma once

#include <cstdint>
#include <vector>

#include "hardpan/grains/columns.h"

namespace hardpan::grains {

struct State {
  Columns position, velocity, spin;            // velocity and spin half a step before
  Columns acceleration, angular_acceleration;  // of the last step
  Columns listed;                              // positions when the list was made
  std::vector<std::uint32_t> id;  // place in the model; members of clumps after all single grains
  double step = 0;                // the last one, s; 0: velocities are those of the positions
};

}  // namespace hardpan::grains
