// The triaxial cell with six flat walls: three stand, three move (two at the sides, the top). Stresses are
// forces on the moving walls over their present faces, positive where they press:
//
//     sigma_1 = F_top/(L_x L_y),     sigma_3 = (F_x/(L_y H) + F_y/(L_x H))/2
//     sin phi = (sigma_1 - sigma_3)/(sigma_1 + sigma_3)
//
// Strains are against the start: axial 1 - H/H_0, positive where the soil becomes shorter, of the volume
// V/V_0 - 1, positive where it grows.
#pragma once

#include <array>

#include "hardpan/lab/measurement.h"

namespace hardpan::lab {

struct TriaxialSetup {
  std::array<multibody::BodyId, 3> walls;  // that move along x, y, z; the soil is on their negative side
  Vec3 size = Vec3::Zero();                // inside, where the walls stand as described, m
  double stress = 0;                       // that walls at the sides shall exert, Pa
  double residual = 0.25;                  // share of the way, at its end, over which residuals are means
};

// Columns axial_strain, volume_strain, axial_stress, radial_stress, void_ratio, coordination. Metrics
// peak_friction_angle_deg, residual_friction_angle_deg, peak_stress_ratio, residual_stress_ratio (sigma_1
// over sigma_3), peak_axial_strain, void_ratio_initial, void_ratio_residual, radial_stress_error and
// radial_stress_error_max (mean and largest difference of a row from the stress asked for, over it).
Measurement triaxial(const TriaxialSetup& setup);

}  // namespace hardpan::lab
