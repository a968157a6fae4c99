#include "hardpan/scenario/coordinate_names.h"

#include <algorithm>

#include <fmt/core.h>

#include "hardpan/core/text.h"
#include "hardpan/scenario/joint_kinds.h"
#include "hardpan/scenario/report.h"

namespace hardpan::scenario {
namespace {

using multibody::CoordinateName;
using multibody::Measure;

std::span<const CoordinateName> coordinates_of(const Value& joint) {
  for (const JointEntry& entry : joint_kinds())
    if (entry.description.name == joint.at("kind").text()) return entry.coordinates;
  return {};
}

std::string list(const std::string& joint, std::span<const CoordinateName> coordinates) {
  std::vector<std::string> words;
  for (const CoordinateName& c : coordinates) words.push_back(joint + "." + std::string(c.name));
  return join(words, ", ");
}

NamedCoordinate fault(std::string why) {
  NamedCoordinate none;
  none.fault = std::move(why);
  return none;
}

// `component` is empty where the name is that of the joint alone.
NamedCoordinate of_joint(const Value& joint, const std::string& name, std::string_view component) {
  const auto coordinates = coordinates_of(joint);
  if (coordinates.empty())
    return fault(fmt::format("joint '{}' of kind {} has no free coordinate of its own", name,
                             joint.at("kind").text()));
  if (component.empty() && coordinates.size() > 1)
    return fault(
        fmt::format("joint '{}' has several coordinates: write one of {}", name, list(name, coordinates)));
  for (std::size_t i = 0; i < coordinates.size(); ++i)
    if (component.empty() || coordinates[i].name == component)
      return {{}, false, name, i, coordinates[i].measure};
  return fault(fmt::format("joint '{}' has no coordinate '{}'; allowed: {}", name, component,
                           list(name, coordinates)));
}

std::string_view measure_text(Measure measure) { return measure == Measure::angle ? "an angle" : "a length"; }

}  // namespace

NamedCoordinate find_coordinate(const Value& scenario, const std::string& name) {
  const Value &joints = scenario.at("joints"), &shafts = scenario.at("shafts");
  if (shafts.find(name)) return {{}, true, name, 0, Measure::angle};
  if (const Value* joint = joints.find(name)) return of_joint(*joint, name, "");
  if (const std::size_t dot = name.rfind('.'); dot != std::string::npos)
    if (const Value* joint = joints.find(name.substr(0, dot)))
      return of_joint(*joint, name.substr(0, dot), std::string_view(name).substr(dot + 1));
  if (scenario.at("bodies").find(name))
    return fault(fmt::format("'{}' is a body: name a shaft, or a joint that leaves it a way to move", name));
  std::vector<std::string> known;
  for (const Value::Entry& entry : shafts.entries()) known.push_back(entry.key);
  for (const Value::Entry& entry : joints.entries()) known.push_back(entry.key);
  return fault(unknown_name("shaft or joint", name, known));
}

Field coordinate_field(std::string key, std::string doc) {
  return field(std::move(key), text().not_empty(), std::move(doc) + ": a shaft, a joint, or joint.coordinate")
      .must();
}

bool check_coordinates(const Value& object, const char* key, Complain& complain,
                       std::optional<Measure> measure) {
  const Value& value = object.at(key);
  bool fine = true;
  const auto check = [&](const Value& item) {
    const NamedCoordinate found = find_coordinate(complain.root(), item.text());
    if (found.fault.empty() && (!measure || found.measure == *measure)) return;
    fine = false;
    complain(key, !found.fault.empty() ? found.fault
                                       : fmt::format("'{}' is {}; here {} is needed", item.text(),
                                                     measure_text(found.measure), measure_text(*measure)));
  };
  if (value.type() == Value::Type::list)
    for (const Value& item : value.items()) check(item);
  else
    check(value);
  return fine;
}

bool check_distinct(const Value& object, std::initializer_list<const char*> keys, Complain& complain) {
  std::vector<NamedCoordinate> seen;
  bool fine = true;
  const auto check = [&](const char* key, const std::string& name) {
    const NamedCoordinate found = find_coordinate(complain.root(), name);
    if (!found.fault.empty()) return;
    const auto same = [&](const NamedCoordinate& other) {
      return other.thing == found.thing && other.component == found.component;
    };
    if (std::any_of(seen.begin(), seen.end(), same)) {
      fine = false;
      complain(key, fmt::format("'{}' stands here twice: a coupling needs different coordinates", name));
    }
    seen.push_back(found);
  };
  for (const char* key : keys) {
    const Value& value = object.at(key);
    if (value.type() == Value::Type::list)
      for (const Value& item : value.items()) check(key, item.text());
    else
      check(key, value.text());
  }
  return fine;
}

}  // namespace hardpan::scenario
