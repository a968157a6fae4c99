// A plate pressed into soil: mean pressure below it, p = F.z/A, over how deep it has gone.
#pragma once

#include "hardpan/lab/measurement.h"

namespace hardpan::lab {

struct PressureSinkageSetup {
  multibody::BodyId plate;
  double area = 0;  // m^2
};

// Columns sinkage, pressure. Metrics pressure_slope_Pa_per_m (of the straight line closest to the curve, by
// least squares), max_pressure_Pa.
Measurement pressure_sinkage(const PressureSinkageSetup& setup);

}  // namespace hardpan::lab
