// Soil in a silo with upright walls, and what Janssen's theory says of it (Z. Ver. dt. Ing. 39 (1895)
// 1045-1049): walls carry the soil by friction, mu_w times their pressure, which is K times the vertical
// stress. So
//
//     sigma_z = rho_b g L (1 - exp(-H/L)),     L = A/(U mu_w K)
//
// at the floor, with the area A and the perimeter U of the silo, the height H and the bulk density rho_b of
// the soil. H is twice the height of its centre of mass above the floor, and K is measured as well:
//
//     K = (N/(U H))/<sigma_z>,     <sigma_z> = -(1/(A H)) sum f_z l_z
//
// with N the sum of what grains press against the walls, and the sum over all contacts of grains and their
// branches (Love & Weber). Friction must have come up at the walls for that: the floor has to sink a little.
#pragma once

#include "hardpan/lab/measurement.h"

namespace hardpan::lab {

struct SiloPressureSetup {
  multibody::BodyId floor, walls;
  double area = 0, perimeter = 0;  // m^2, m
  double top = 0;                  // of the floor, above its centre of mass, m
  double from = 0.5;               // share of the time from which metrics are means
};

// Columns sinking, floor_stress, wall_stress, vertical_stress (mean over the soil), mobilised_friction (of
// the walls), height. Metrics floor_stress_Pa, janssen_stress_Pa, floor_over_janssen, lateral_ratio (K),
// mobilised_friction, height_m, janssen_length_m (L), weight_stress_Pa (all the weight over the floor).
Measurement silo_pressure(const SiloPressureSetup& setup);

}  // namespace hardpan::lab
