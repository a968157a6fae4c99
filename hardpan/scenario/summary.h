// summary.json of a run.
#pragma once

#include <string>

#include "hardpan/scenario/run.h"

namespace hardpan::scenario {

// `command` would start the run again; "" when nobody gave one.
std::string summary_json(const Scenario& scenario, const RunResult& result, const std::string& command);

}  // namespace hardpan::scenario
