// What several experiments write, and ask for.
#pragma once

#include <string>

#include "hardpan/scenario/spec.h"

namespace hardpan::scenario::experiment_parts {

// Of shapes: an upright box open at both ends, from one height to another; lengths inside.
std::string upright_walls(double length, double width, double thickness, double low, double high);
// Of `initial`: no friction of these materials while the soil is prepared.
std::string without_friction(const std::string& soil, const std::string& walls);
// `outputs`: what is measured, and thirty pictures.
std::string records(double every, double end);

Field soil(std::string doc = "material of the grains");
Field walls(std::string doc);
Field count();
Field diameter();
Field dense();
Field settle(double usual);  // s
Field points(std::int64_t usual = 200);

}  // namespace hardpan::scenario::experiment_parts
