// Soil of grains as measurements see it, however the grains are modelled.
#pragma once

#include <functional>

#include "hardpan/lab/measurement.h"

namespace hardpan::lab {

// A grain as a whole: a sphere, a clump, an ellipsoid.
struct Lump {
  Vec3 at;        // centre of mass, m
  double mass;    // kg
  double volume;  // of the solid, m^3
};

void each_lump(const World& world, const std::function<void(const Lump&)>& visit);

// Kilograms of all grains.
double soil_mass(const World& world);

// On a body from the soil, mean over the last step, N.
Vec3 soil_force(const World& world, multibody::BodyId body);

// Contacts of a grain that press, mean over all grains.
double coordination(const World& world);

}  // namespace hardpan::lab
