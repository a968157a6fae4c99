// Kinds of coupling and motor as scenarios know them: the description of a kind and its builder stand side by
// side, and coupling_kinds.cpp lists them.
#pragma once

#include <functional>
#include <vector>

#include "hardpan/multibody/model.h"
#include "hardpan/scenario/spec.h"

namespace hardpan::scenario {

// All that a builder looks at.
struct CouplingSite {
  const std::string& name;
  const Value& keys;
  std::function<multibody::CoordinateRef(const std::string&)> coordinate;
  std::function<multibody::Measure(const std::string&)> measure;
  const Value& solver;
  double relaxation_time;  // of rigid rows, s

  multibody::CoordinateRef at(const char* key) const { return coordinate(keys.at(key).text()); }
  multibody::CoordinateRef item(const char* key, std::size_t i) const {
    return coordinate(keys.at(key).items()[i].text());
  }
  // Of rows along this coordinate: keys compliance and damping_time where given, else the solver's.
  multibody::Rigidity rigidity(multibody::Measure measure) const;
};

struct CouplingEntry {
  Object description;
  void (*build)(const CouplingSite& site, multibody::Model& model);
};

const std::vector<CouplingEntry>& coupling_kinds();
const std::vector<CouplingEntry>& motor_kinds();

namespace coupling_fields {
Field between(std::string doc);
std::vector<Field> rigid();
// A number under `key`, or pairs [time, number] under key_curve.
std::vector<Field> signal(std::string key, const Type& type, std::string doc);
Group one_signal(std::string key);
Curve signal_of(const Value& keys, const std::string& key);
}  // namespace coupling_fields

// coupling_gears.cpp
CouplingEntry gear_entry();
CouplingEntry rack_entry();
CouplingEntry differential_entry();
CouplingEntry planetary_entry();
// coupling_clutches.cpp
CouplingEntry clutch_entry();
CouplingEntry brake_entry();
CouplingEntry one_way_entry();
CouplingEntry converter_entry();
CouplingEntry spring_coupling_entry();
// motor_kinds.cpp
CouplingEntry speed_motor_entry();
CouplingEntry position_motor_entry();
CouplingEntry force_motor_entry();
CouplingEntry engine_entry();
// motor_servo.cpp
CouplingEntry servo_entry();

}  // namespace hardpan::scenario
