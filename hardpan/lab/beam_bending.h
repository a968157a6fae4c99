// Three-point bending: a beam lies on two supports and is pressed down in its middle. Its deflection is that
// of beams: with w(x) the mean way down of a cross-section of particles (weighted by their volume; straight
// between cross-sections),
//
//     deflection = w(middle) - (w(support 1) + w(support 2))/2,
//
// places along x at first. So dents below supports and press count as little as they can, and what Timoshenko
// says can be compared (Cowper, J. Appl. Mech. 33 (1966) 335-340: his w is this mean).
#pragma once

#include <array>

#include "hardpan/lab/measurement.h"

namespace hardpan::lab {

struct BeamBendingSetup {
  multibody::BodyId press;           // goes along z
  double middle = 0;                 // x, m
  std::array<double, 2> supports{};  // x, m
  double from = 0;                   // when the beam lies at rest, s: what it sags by then is its weight's
  double every = 0;                  // s between rows
};

// Columns: press_way (down), press_force (of the beam against it, upwards), deflection. Metrics: deflection_m
// (largest), residual_deflection_m (at the end), both less that at `from`; press_force_max_N;
// stiffness_N_per_m (of the row with the largest force: force over deflection, likewise).
Measurement beam_bending(const BeamBendingSetup& setup);

}  // namespace hardpan::lab
