// A wheel that rolls over soil along a direction with a given slip: what it pulls (the force of the soil on
// it along its way), what turns it (the torque of its motor), and how deep it has sunk. On a solid also the
// rut that it leaves: how much lower than at the start the surface lies where it has passed, from one radius
// beyond its start, past the dent in which it stood, to half a radius behind it; the mean over a strip in the
// middle of its track.
#pragma once

#include "hardpan/lab/measurement.h"

namespace hardpan::lab {

struct SingleWheelSetup {
  multibody::BodyId wheel;
  std::string motor;               // that turns it
  Vec3 direction = Vec3::UnitX();  // of its way
  double from = 0.5, until = 1;    // shares of the time between which metrics are means
  double rut_width = 0;            // of the strip, m; 0: no rut is looked for
  double radius = 0;               // of the wheel, m
};

// Columns distance, drawbar_pull, torque, sinkage. Metrics drawbar_pull_N, torque_Nm, sinkage_m: means over
// the rows between the shares `from` and `until` of the time; drawbar_pull_spread_N, torque_spread_Nm,
// sinkage_spread_m: standard deviations of those rows. With a rut a column rut_depth, and rut_depth_m: at the
// end.
Measurement single_wheel(const SingleWheelSetup& setup);

// The rut now, beyond what the surface had settled by itself at the start (numbers that `at_start` told), m.
// Not a number as long as no particle lies there: the way is too short.
double rut_depth(const SingleWheelSetup& setup, const World& world, const Row& start);

}  // namespace hardpan::lab
