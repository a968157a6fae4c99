// Numbers out of a resolved tree.
#pragma once

#include <string_view>

#include "hardpan/math/types.h"
#include "hardpan/scenario/value.h"

namespace hardpan::scenario {

inline Vec3 vec3(const Value& list) {
  const auto& items = list.items();
  return {items[0].number(), items[1].number(), items[2].number()};
}

inline double number_or(const Value& object, std::string_view key, double fallback) {
  const Value* value = object.find(key);
  return value ? value->number() : fallback;
}

}  // namespace hardpan::scenario
