// What experiments with a wheel have in common: a carriage moves along x with v = (1 - slip) omega r, the
// wheel turns with omega and is free to go up and down under its load. While the soil settles, nearly all of
// the load is held: the wheel lies down on the soil without denting it.
#pragma once

#include <string>
#include <vector>

#include "hardpan/scenario/experiment_kinds.h"

namespace hardpan::scenario::towed_wheel {

// Keys of it: radius, width, load, mass, slip, speed, duration, start.
std::vector<Field> fields(double usual_speed);
// It must not leave the soil (key size: length, ...).
void check(const Value& keys, Complain& complain);

// Three bodies, the wheel on soil that is `height` high; then joints, motors, loads and the preparation.
std::string bodies(const Value& keys, const Surroundings& around, const std::string& material, double height);
std::string drive(const Value& keys, const Surroundings& around, double height);

}  // namespace hardpan::scenario::towed_wheel
