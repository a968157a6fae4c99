// summary.json of a run.
#pragma once

#include <string>

#include "hardpan/scenario/run.h"

namespace hardpan::scenario {

std::string summary_json(const Scenario& scenario, const RunResult& result);

}  // namespace hardpan::scenario
