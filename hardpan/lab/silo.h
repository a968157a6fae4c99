// What runs out of a silo: the mass below its outlet, over time.
#pragma once

#include "hardpan/lab/measurement.h"

namespace hardpan::lab {

struct SiloSetup {
  double outlet = 0;             // height of the outlet, m
  double interval = 0;           // of a row, s
  double from = 0.25, to = 1.0;  // shares of the time over which the rate is taken
};

// Column discharged (kg). Metrics mass_rate_kg_per_s (slope of the mass
// over the time between `from` and `to`, least squares), discharged_kg, discharged_share.
Measurement silo_discharge(const SiloSetup& setup);

}  // namespace hardpan::lab
