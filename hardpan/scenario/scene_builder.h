// scene.json of a simulation.
#pragma once

#include <string>

#include "hardpan/scenario/build.h"

namespace hardpan::scenario {

std::string scene_of(const Simulation& simulation, const Value& resolved);

}  // namespace hardpan::scenario
