// From the keys of a body to the body: its mass properties, and the frame in its centre of mass.
#pragma once

#include "hardpan/multibody/model.h"
#include "hardpan/scenario/shape_kinds.h"

namespace hardpan::scenario {

multibody::Body build_body(const std::string& name, const Value& keys, ShapeBuilder& shapes);

}  // namespace hardpan::scenario
