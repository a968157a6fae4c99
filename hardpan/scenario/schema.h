// What is said about the language, all from its one description.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "hardpan/scenario/spec.h"

namespace hardpan::scenario {

// JSON Schema, draft 2020-12, of a scenario file; editors complete and check with it. It says less than
// `resolve`: relations between values and names of other things are beyond it.
std::string json_schema(const Object& language);

// Plain text for a terminal, at most 100 columns. `name` is a top-level key ("bodies"), a kind ("hinge"), a
// dotted path ("bodies.shape", "joints.hinge.axis") or "fields"; InputError with a guess otherwise.
std::string describe(const Object& language, std::string_view name);

struct Topic {
  std::string name;
  std::string doc;
};
std::vector<Topic> describable_names(const Object& language);

// The reference manual of the language.
std::string markdown(const Object& language);

}  // namespace hardpan::scenario
