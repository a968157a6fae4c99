// Where a solid is: its shape, less its holes, as particles fill it.
#pragma once

#include "hardpan/meshfree/fill.h"
#include "hardpan/scenario/shape_kinds.h"
#include "hardpan/scenario/spec.h"

namespace hardpan::scenario {

// The shapes that a resolved `solid` names, with what messages call them; none for a box.
std::vector<Part> solid_parts(const Value& solid);

// Of a solid with a `shape`. InputError for shapes without an inside.
meshfree::Region solid_region(const Value& scenario, const Value& solid);

}  // namespace hardpan::scenario
