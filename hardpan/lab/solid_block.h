// A block of a solid between plates: strains and stresses, as means over its volume, and what a plate feels.
#pragma once

#include <string>

#include "hardpan/lab/measurement.h"

namespace hardpan::lab {

struct SolidBlockSetup {
  // St. Venant & Kirchhoff: force over the first area = c L (L^2 - 1)/2 at the stretch L (MESHFREE eqs. 36,
  // 37).
  enum class ClosedForm { none, uniaxial, hydrostatic };  // c = E; c = E/(1 - 2 nu)

  std::string plate;  // the hold that moves, along its own direction
  double area = 0;    // of the block across it, m^2
  double length = 0;  // of the block along it, m
  ClosedForm closed_form = ClosedForm::none;
};

// Columns: stretch (of the distance of the plates), axial and lateral strain (Green & Lagrange), axial and
// lateral stress (second Piola-Kirchhoff), nominal stress (of the plate over the first area), volume strain
// and plastic volume strain (traces), spread (of the axial strain of particles, over its mean), closed form
// (of the nominal stress, where one is asked for; not a number for soil that may yield). Metrics:
// max_relative_error (of the nominal stress against the closed form, from 2 % stretch on), strain_spread (at
// the largest strain), axial_yield_stress_Pa (largest axial stress), permanent_volume_strain (plastic, at the
// end).
Measurement solid_block(const SolidBlockSetup& setup);

struct FootingSetup {
  std::string plate;  // the hold that is pressed into the soil, against its own direction
  double area = 0;    // of the footing, m^2
  double share = 1;   // of the area that is in the model: 0.5 where the other half is its mirror image
};

// Columns: sinkage, pressure. Metrics: bearing_capacity_Pa (largest pressure), bearing_factor (over k =
// sqrt(J2) at yield without pressure).
Measurement footing(const FootingSetup& setup);

}  // namespace hardpan::lab
