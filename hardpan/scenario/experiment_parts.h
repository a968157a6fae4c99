// What several experiments write, and ask for.
#pragma once

#include <string>

#include "hardpan/scenario/experiment_kinds.h"
#include "hardpan/scenario/spec.h"

namespace hardpan::scenario::experiment_parts {

// Of shapes: an upright box open at both ends, from one height to another; lengths inside.
std::string upright_walls(double length, double width, double thickness, double low, double high);
// `bodies`, the first of which is an open box that stands on z = 0 and does not move.
std::string bin(const std::string& material, double length, double width, double thickness, double height);
// Of `initial`: no friction of these materials while the soil is prepared.
std::string without_friction(const std::string& soil, const std::string& walls);
// Height of loose soil on a lattice of these cells, over the diameter, in a box.
constexpr double lattice = 1.05;
double loose_height(double count, double diameter, double length, double width);
// `time`, and for rigid grains `solver`.
std::string time(double end, const Surroundings& around);
// `ground`: loose soil in a box about the z axis, of the keys soil, diameter and count.
std::string loose_ground(const Value& keys, double length, double width, const Surroundings& around);
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
