// The scenario language of this version: every key, its unit, range, default and meaning.
#pragma once

#include "hardpan/scenario/field_table.h"
#include "hardpan/scenario/spec.h"

namespace hardpan::scenario {

const Object& language();

}  // namespace hardpan::scenario
