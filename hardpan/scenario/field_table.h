// What can be observed, in one table: the language checks names against it, the observation code computes
// from it, and the result files take their units from it.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hardpan::scenario {

enum class Subject { system, body, joint, shaft, coupling };  // motors are couplings

struct Component {
  std::string name;  // empty for the only component of a scalar
  std::string unit;
};

struct FieldInfo {
  std::string name;
  Subject subject;
  std::vector<Component> components;  // empty for what goes to files of its own (frames, checkpoint)
  std::vector<std::string> kinds;     // kinds of joint or coupling that have it; empty for all
  std::string doc;

  bool is_scalar() const { return components.size() == 1; }
  const Component* component(std::string_view component_name) const;
};

const std::vector<FieldInfo>& field_table();
const FieldInfo* find_field(std::string_view name, Subject subject);

// "position.x" -> {"position", "x"}; "kinetic_energy" -> {"kinetic_energy", ""}
std::pair<std::string, std::string> split_component(std::string_view text);

std::string_view noun(Subject subject);  // "system", "body", "joint", ...

}  // namespace hardpan::scenario
