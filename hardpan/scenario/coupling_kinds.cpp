#include "hardpan/scenario/coupling_kinds.h"

#include "hardpan/scenario/coordinate_laws.h"
#include "hardpan/scenario/numbers.h"

namespace hardpan::scenario {

const std::vector<CouplingEntry>& coupling_kinds() {
  static const std::vector<CouplingEntry> all = {
      gear_entry(),  rack_entry(),    differential_entry(), planetary_entry(),       clutch_entry(),
      brake_entry(), one_way_entry(), converter_entry(),    spring_coupling_entry(),
  };
  return all;
}

const std::vector<CouplingEntry>& motor_kinds() {
  static const std::vector<CouplingEntry> all = {
      speed_motor_entry(), position_motor_entry(), force_motor_entry(), engine_entry(), servo_entry(),
  };
  return all;
}

multibody::Rigidity CouplingSite::rigidity(multibody::Measure of) const {
  const char* by_solver = of == multibody::Measure::angle ? "angular_compliance" : "compliance";
  return {number_or(keys, "compliance", solver.at(by_solver).number()),
          number_or(keys, "damping_time", relaxation_time),
          keys.find("compliance") && keys.find("damping_time")};
}

namespace coupling_fields {

Field between(std::string doc) {
  return field("between", list_of(text().not_empty(), 2, 2).all_distinct(),
               std::move(doc) + "; each a shaft, a joint, or joint.coordinate")
      .must();
}

std::vector<Field> rigid() {
  return {
      field("compliance", number().at_least(1e-14),
            "of the transmission, in the unit of its first coordinate per N or N m; default: the solver's"),
      field("damping_time", number("s").at_least(0),
            "relaxation time, instead of solver.damping_steps; together with a compliance its energy is "
            "booked with the springs")};
}

std::vector<Field> signal(std::string key, const Type& type, std::string doc) {
  return {field(key, type, doc),
          field(key + "_curve", curve_type(), "the same over time: pairs [s, value], straight between")};
}

Group one_signal(std::string key) { return exactly_one({{key}, {key + "_curve"}}); }

Curve signal_of(const Value& keys, const std::string& key) {
  if (const Value* pairs = keys.find(key + "_curve")) return curve(*pairs, Curve::Beyond::level);
  return Curve::constant(keys.at(key).number());
}

}  // namespace coupling_fields
}  // namespace hardpan::scenario
