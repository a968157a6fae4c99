// Coordinates by name: a shaft, or a joint, or joint.coordinate where the joint has several.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>

#include "hardpan/multibody/coordinate.h"
#include "hardpan/scenario/spec.h"

namespace hardpan::scenario {

struct NamedCoordinate {
  std::string fault;  // empty: found
  bool shaft = false;
  std::string thing;
  std::size_t component = 0;
  multibody::Measure measure = multibody::Measure::angle;
};

NamedCoordinate find_coordinate(const Value& scenario, const std::string& name);

// A key that names a coordinate.
Field coordinate_field(std::string key, std::string doc);
// Complains unless the key names a coordinate (each of its items, where it is a list) of this measure, where
// one is asked for. Says whether all is well.
bool check_coordinates(const Value& object, const char* key, Complain& complain,
                       std::optional<multibody::Measure> measure = {});
// Complains about a coordinate that the keys name twice, by whatever name.
bool check_distinct(const Value& object, std::initializer_list<const char*> keys, Complain& complain);

}  // namespace hardpan::scenario
