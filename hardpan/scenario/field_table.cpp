#include "hardpan/scenario/field_table.h"

#include <algorithm>

#include "hardpan/scenario/joint_kinds.h"

namespace hardpan::scenario {
namespace {

std::vector<Component> scalar(const char* unit) { return {{"", unit}}; }

std::vector<Component> named(std::initializer_list<const char*> names, const char* unit) {
  std::vector<Component> components;
  for (const char* name : names) components.push_back({name, unit});
  return components;
}

std::vector<Component> xyz(const char* unit) { return named({"x", "y", "z"}, unit); }

std::vector<Component> momentum_ledger() {
  std::vector<Component> components = xyz("kg m/s");
  for (const Component& c : named({"angular_x", "angular_y", "angular_z"}, "kg m^2/s"))
    components.push_back(c);
  components.push_back({"imbalance", "kg m/s"});
  components.push_back({"angular_imbalance", "kg m^2/s"});
  return components;
}

// Those that hold a point.
std::vector<std::string> rigid_kinds() {
  std::vector<std::string> names;
  for (const JointEntry& entry : joint_kinds())
    if (entry.description.name != "spring" && entry.description.name != "line" &&
        entry.description.name != "bushing")
      names.push_back(entry.description.name);
  return names;
}

// Every free coordinate of every kind of joint, and its rate.
void add_coordinates(std::vector<FieldInfo>& table) {
  for (const JointEntry& entry : joint_kinds())
    for (const auto& [name, measure] : entry.coordinates) {
      const bool turns = measure == multibody::Measure::angle;
      const auto add = [&, kind = entry.description.name](std::string field, const char* unit,
                                                          const char* doc) {
        for (FieldInfo& known : table)
          if (known.subject == Subject::joint && known.name == field) {
            if (std::find(known.kinds.begin(), known.kinds.end(), kind) == known.kinds.end())
              known.kinds.push_back(kind);
            return;
          }
        table.push_back({std::move(field), Subject::joint, scalar(unit), {kind}, doc});
      };
      add(std::string(name), turns ? "rad" : "m",
          turns ? "turn of the second body against the first since the start, full turns counted"
                : "how far the second body has moved against the first along its free way");
      add(std::string(name) + "_rate", turns ? "rad/s" : "m/s", "its rate of change");
    }
}

std::vector<FieldInfo> make_table() {
  using enum Subject;
  std::vector<FieldInfo> table = {
      {"position", body, xyz("m"), {}, "origin of the body frame (often the centre of mass), world frame"},
      {"velocity", body, xyz("m/s"), {}, "of the origin of the body frame, world frame"},
      {"orientation", body, named({"w", "x", "y", "z"}, ""), {}, "unit quaternion from body to world axes"},
      {"angular_velocity", body, xyz("rad/s"), {}, "world frame"},
      {"momentum", body, xyz("kg m/s"), {}, "linear momentum, world frame"},
      {"angular_momentum", body, xyz("kg m^2/s"), {}, "about the centre of mass, world axes"},
      {"kinetic_energy", body, scalar("J"), {}, "translation and rotation"},
      {"contact_force",
       body,
       xyz("N"),
       {},
       "sum of what touches it, grains too, impacts left out, world frame"},

      {"reaction", joint, xyz("N"), {}, "force the joint exerts on its second body, world frame"},
      {"reaction_torque", joint, xyz("N m"), {}, "torque the joint exerts on its second body, world frame"},
      {"violation", joint, scalar("m"), rigid_kinds(), "position error of the joint"},
      {"length", joint, scalar("m"), {"distance"}, "distance between the two points"},

      {"angle", shaft, scalar("rad"), {}, "since the start, plus its initial angle"},
      {"speed", shaft, scalar("rad/s"), {}, "angular speed"},

      {"force",
       coupling,
       scalar("N or N m"),
       {},
       "force or torque on its first coordinate; of a one-way clutch on the driven, of a rack on the "
       "rack, of a planetary set what it takes from the carrier"},
      {"rate",
       coupling,
       scalar("m/s or rad/s"),
       {},
       "speed along its axis: of a motor what it drives, of a clutch the slip, of a gear its error"},
      {"power", coupling, scalar("W"), {}, "that it gives to what it acts on, negative where it takes"},
      {"turbine_torque", coupling, scalar("N m"), {"converter"}, "torque on the turbine"},
      {"speed_ratio", coupling, scalar(""), {"converter"}, "of the turbine over the pump"},

      {"energy",
       system,
       named({"kinetic", "gravity", "springs", "joints", "contacts", "work", "dissipated", "lost", "total"},
             "J"),
       {},
       "energy ledger: stored (kinetic, gravity, springs, joints, contacts), work done by loads and motors, "
       "dissipated "
       "by dampers, friction and impacts, lost to the integration; total is the stored sum"},
      {"momentum",
       system,
       momentum_ledger(),
       {},
       "linear momentum of all bodies and angular momentum about the world origin; imbalance: what differs "
       "from the sum of all outside impulses"},
      {"coordination", system, scalar(""), {}, "contacts of a grain, mean over all grains"},
      {"grain_energy",
       system,
       named({"kinetic", "stored", "viscous", "friction", "stiffening", "lost"}, "J"),
       {},
       "of grains: kinetic and stored in contacts now, the others so far; lost: error of their step"},
      {"measure", system, {}, {}, "the columns of measure"},
      {"frames", system, {}, {}, "poses of all bodies and grains, for replay"},
      {"checkpoint", system, {}, {}, "the whole state, from which a run can be resumed"},
  };
  add_coordinates(table);
  return table;
}

}  // namespace

const Component* FieldInfo::component(std::string_view component_name) const {
  const auto it = std::find_if(components.begin(), components.end(),
                               [&](const Component& c) { return c.name == component_name; });
  return it == components.end() ? nullptr : &*it;
}

const std::vector<FieldInfo>& field_table() {
  static const std::vector<FieldInfo> table = make_table();
  return table;
}

const FieldInfo* find_field(std::string_view name, Subject subject) {
  for (const FieldInfo& info : field_table())
    if (info.name == name && info.subject == subject) return &info;
  return nullptr;
}

std::pair<std::string, std::string> split_component(std::string_view text) {
  const std::size_t dot = text.find('.');
  if (dot == std::string_view::npos) return {std::string(text), ""};
  return {std::string(text.substr(0, dot)), std::string(text.substr(dot + 1))};
}

std::string_view noun(Subject subject) {
  switch (subject) {
    case Subject::body:
      return "body";
    case Subject::joint:
      return "joint";
    case Subject::shaft:
      return "shaft";
    case Subject::coupling:
      return "coupling or motor";
    case Subject::system:
      break;
  }
  return "system";
}

}  // namespace hardpan::scenario
