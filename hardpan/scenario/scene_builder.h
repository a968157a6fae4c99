// scene.json of a simulation.
#pragma once

#include <string>

#include "hardpan/multibody/system.h"

namespace hardpan::scenario {

std::string scene_of(const multibody::System& system);

}  // namespace hardpan::scenario
