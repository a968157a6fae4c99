// Soil as a solid, as scenarios give it: the key `soil` of a material, beside young and poisson.
#pragma once

#include "hardpan/material/soil_law.h"
#include "hardpan/scenario/spec.h"

namespace hardpan::scenario {

Object soil_object();

// Of an entry of `materials`: what no law of soil can have, at its key.
void check_soil(const Value& material, Complain& complain);

// Of a resolved entry of `materials` with young and poisson; elastic without `soil`.
material::SoilLaw soil_law_of(const Value& material);

}  // namespace hardpan::scenario
