// The direct shear box: two halves, one above the other, filled with soil and closed by a lid that presses.
// One half moves. Stresses are those of the plane between the halves, from the balance of the soil above it:
//
//     tau = F.x/A,     sigma = (F.z + W)/A
//
// with F what the soil exerts on the upper half and the lid together, W the weight of the soil above the
// plane and A the area of the box. What the lid presses, sigma_lid = F_lid.z/A, is another number: soil that
// dilates rubs up the walls of a fixed upper half, which hold it down, and sigma can be twice as large.
// Stress ratios are tau/sigma; those to the load on the lid (`applied`) are there for comparison with others.
#pragma once

#include "hardpan/lab/measurement.h"

namespace hardpan::lab {

struct DirectShearSetup {
  multibody::BodyId moving, upper, lid;  // the moving half is the lower one; there may be no upper one
  Vec3 direction = Vec3::UnitX();        // of the motion, horizontal
  double area = 0;                       // of the box inside, m^2
  double plane = 0;                      // height of the plane, m
  double height = 0;                     // of the soil at the start, where the lid stands as described, m
  double residual = 0.25;                // share of the way, at its end, over which the residual is a mean
};

// Columns displacement, shear_stress, normal_stress, lid_stress, dilation, coordination. Metrics
// peak_stress_ratio, residual_stress_ratio, peak_shear_stress_Pa, residual_shear_stress_Pa, normal_stress_Pa
// (mean over the residual), void_ratio_initial, dilation_m (rise of the lid, likewise), peak_applied_ratio,
// residual_applied_ratio, lid_stress_Pa (likewise).
Measurement direct_shear(const DirectShearSetup& setup);

}  // namespace hardpan::lab
