// `ground`: soil, as scenarios describe it, and the model that it becomes.
#pragma once

#include <optional>

#include "hardpan/couple/grain_bed.h"
#include "hardpan/scenario/spec.h"

namespace hardpan::scenario {

Object ground_object();

// Nothing where the scenario has no ground. InputError where only the numbers together tell: a step that is
// too long, a region without room, grains that overlap something.
std::optional<couple::GrainBedModel> ground_model(const Value& scenario, const couple::ContactModel& contacts,
                                                  const multibody::Model& bodies);

}  // namespace hardpan::scenario
