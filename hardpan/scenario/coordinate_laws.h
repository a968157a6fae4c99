// What may act along a free coordinate of a joint, as keys of the joint: spring, damper, stops, friction.
#pragma once

#include <string>
#include <vector>

#include "hardpan/multibody/model.h"
#include "hardpan/scenario/joint_kinds.h"
#include "hardpan/scenario/spec.h"

namespace hardpan::scenario {

// A joint with one coordinate has these keys itself; a joint with several has one object of them per
// coordinate, under the coordinate's name (nested_laws).
std::vector<Field> law_fields(multibody::Measure measure);
Field bearing_radius();  // belongs to turning coordinates
std::vector<Field> nested_laws(std::span<const multibody::CoordinateName> coordinates);

void check_laws(const Value& keys, Complain& complain);

// Adds the couplings that the keys ask for, named after the joint.
void add_laws(const JointSite& site, const Value& keys, multibody::CoordinateRef coordinate,
              multibody::Measure measure, multibody::Model& model);
void add_nested_laws(const JointSite& site, multibody::CoordinateRef first,
                     std::span<const multibody::CoordinateName> coordinates, multibody::Model& model);

// Pairs [x, y] with x increasing.
Type curve_type();
bool check_curve(const Value& object, const char* key, Complain& complain);
Curve curve(const Value& pairs, Curve::Beyond beyond);

}  // namespace hardpan::scenario
