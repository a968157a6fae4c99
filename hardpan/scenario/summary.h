// The JSON files of a run.
#pragma once

#include <string>

#include "hardpan/multibody/model.h"
#include "hardpan/scenario/run.h"

namespace hardpan::scenario {

std::string summary_json(const Scenario& scenario, const RunResult& result);
std::string scene_json(const multibody::Model& model);  // what the bodies look like, for viewers

}  // namespace hardpan::scenario
