// The slope of a heap: the surface is the mean, over sectors, of the highest tops of grains in rings about
// its axis; the angle is that of the straight line through the rings between two shares of the radius (least
// squares). The tip and the scattered foot are left out.
#pragma once

#include "hardpan/lab/measurement.h"

namespace hardpan::lab {

struct ReposeSetup {
  double floor = 0;                 // height of the plane that the heap lies on, m
  double inner = 0.2, outer = 0.8;  // shares of the radius of the heap
  double base = 0;  // radius of a tray about the origin, whose heap is meant; 0: all grains, m
};

struct Heap {
  double angle = 0;   // rad
  double height = 0;  // of its highest grain, m
  double radius = 0;  // of a cone with as much of its mass within half of it, or of the tray, m
};
Heap heap_of(const grains::System& grains, const ReposeSetup& setup);

// Columns angle (rad), height, radius (m). Metrics repose_angle_deg, heap_height_m, heap_radius_m, all at the
// end.
Measurement repose(const ReposeSetup& setup);

}  // namespace hardpan::lab
