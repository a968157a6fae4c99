// `solid`: a block of soil, or of anything elastic, as scenarios describe it, and the model that it becomes.
#pragma once

#include <optional>

#include "hardpan/couple/solid_contact.h"
#include "hardpan/scenario/spec.h"

namespace hardpan::scenario {

Object solid_object();
Field strain_measure_field();  // `strain_measure`, as experiments have it, too

// Nothing where the scenario has no solid. InputError where only the numbers together tell: too few
// particles, a face without any.
struct SolidGround {
  meshfree::SolidModel solid;
  couple::SolidContactModel contact;
};
std::optional<SolidGround> solid_ground(const Value& scenario);

}  // namespace hardpan::scenario
