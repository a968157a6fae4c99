// Two trees of keys on top of each other.
#pragma once

#include "hardpan/scenario/value.h"

namespace hardpan::scenario {

// What `over` says wins, except that maps merge key by key; where it says null, the key goes.
void merge(Value& base, const Value& over);

}  // namespace hardpan::scenario
