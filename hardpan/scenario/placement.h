// Where something stands in the frame around it: the keys `at` and `orientation`.
#pragma once

#include <vector>

#include "hardpan/math/pose.h"
#include "hardpan/scenario/spec.h"

namespace hardpan::scenario {

Object orientation_object();
Quat orientation(const Value& object);

// Of a shape on its body.
std::vector<Field> placement_fields();
Pose placement(const Value& object);

}  // namespace hardpan::scenario
