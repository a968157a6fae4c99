#pragma once

#include "hardpan/core/id.h"

namespace hardpan::multibody {

struct BodyTag;
using BodyId = Id<BodyTag>;  // an invalid id stands for the world

}  // namespace hardpan::multibody
