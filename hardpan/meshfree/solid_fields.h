// What frames tell about a solid: for the viewer, and for those who look at results elsewhere.
#pragma once

#include "hardpan/meshfree/solid.h"

namespace hardpan::meshfree {

void put_solid(const Solid& solid, Archive& frame);

}  // namespace hardpan::meshfree
