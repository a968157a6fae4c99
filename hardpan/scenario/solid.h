// `solid`: a block of soil, or of anything elastic, as scenarios describe it, and the model that it becomes.
#pragma once

#include <optional>

#include "hardpan/meshfree/model.h"
#include "hardpan/scenario/spec.h"

namespace hardpan::scenario {

Object solid_object();

// Nothing where the scenario has no solid. InputError where only the numbers together tell: too few
// particles, a face without any.
std::optional<meshfree::SolidModel> solid_model(const Value& scenario);

}  // namespace hardpan::scenario
