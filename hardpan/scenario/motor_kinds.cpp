// Motors and engines.
#include <algorithm>

#include <fmt/core.h>

#include "hardpan/scenario/coordinate_laws.h"
#include "hardpan/scenario/coordinate_names.h"
#include "hardpan/scenario/coupling_kinds.h"
#include "hardpan/scenario/numbers.h"

namespace hardpan::scenario {
namespace {

using multibody::Measure;
using multibody::Motor;

Field drives() { return coordinate_field("coordinate", "what it drives"); }
std::vector<Field> max_force() {
  return {field("max_force", number().above(0), "largest force or torque, N or N m; default: no bound"),
          field("max_force_curve", curve_type(),
                "the same over time: pairs [s, N or N m], straight between; 0 lets go")};
}
Group one_bound() { return at_most_one({{"max_force"}, {"max_force_curve"}}); }

Motor motor(const CouplingSite& site, Motor::Mode mode) {
  Motor m;
  m.name = site.name;
  m.axes = {multibody::Axis{{{site.at("coordinate"), 1.0}}}};
  m.mode = mode;
  m.max_force = number_or(site.keys, "max_force", multibody::infinite);
  if (const Value* pairs = site.keys.find("max_force_curve")) {
    m.bound = curve(*pairs, Curve::Beyond::level);
    m.max_force = std::ranges::max_element(m.bound.points(), {}, &Curve::Point::y)->y;
  }
  m.rigidity = site.rigidity(site.measure(site.keys.at("coordinate").text()));
  return m;
}

void check_signal(const Value& keys, Complain& complain) {
  check_coordinates(keys, "coordinate", complain);
  check_curve(keys, "target_curve", complain);
  check_curve(keys, "max_force_curve", complain);
  if (const Value* pairs = keys.find("max_force_curve"))
    for (const Value& pair : pairs->items())
      if (pair.items()[1].number() < 0) return complain("max_force_curve", "a bound is not negative");
}

void build_position(const CouplingSite& site, multibody::Model& model) {
  Motor m = motor(site, Motor::Mode::position);
  if (const Value* pairs = site.keys.find("target_curve"))
    m.target = curve(*pairs, Curve::Beyond::level);
  else if (const auto angle = find_angle(site.keys, "target_angle"))
    m.target = Curve::constant(*angle);
  else
    m.target = Curve::constant(site.keys.at("target").number());
  const double stiffness = number_or(site.keys, "stiffness", 0.0);
  if (stiffness > 0) m.rigidity = {1 / stiffness, number_or(site.keys, "damping", 0.0) / stiffness, true};
  add(model, std::move(m));
}

void check_position(const Value& keys, Complain& complain) {
  check_signal(keys, complain);
  const NamedCoordinate driven = find_coordinate(complain.root(), keys.at("coordinate").text());
  if (!driven.fault.empty()) return;
  if (keys.find("target") && driven.measure == Measure::angle)
    complain("target", fmt::format("'{}' is an angle: write target_angle_deg or target_angle_rad",
                                   keys.at("coordinate").text()));
  if (find_angle(keys, "target_angle") && driven.measure == Measure::length)
    complain("coordinate", fmt::format("'{}' is a length: write target, in m", keys.at("coordinate").text()));
  if (keys.find("damping") && !keys.find("stiffness"))
    complain("damping", "belongs to stiffness, which is not given: it would be ignored");
}

void check_engine(const Value& keys, Complain& complain) {
  check_coordinates(keys, "coordinate", complain, Measure::angle);
  for (const char* key : {"full", "drag", "throttle_curve"}) check_curve(keys, key, complain);
  for (const Value& pair : keys.at("drag").items())
    if (pair.items()[1].number() < 0) return complain("drag", "a drag torque is not negative");
  if (const Value* pairs = keys.find("throttle_curve"))
    for (const Value& pair : pairs->items())
      if (pair.items()[1].number() < 0 || pair.items()[1].number() > 1)
        return complain("throttle_curve", "a throttle lies between 0 and 1");
}

void build_engine(const CouplingSite& site, multibody::Model& model) {
  add(model, multibody::Engine{site.name,
                               {multibody::Axis{{{site.at("coordinate"), 1.0}}}},
                               curve(site.keys.at("full"), Curve::Beyond::level),
                               curve(site.keys.at("drag"), Curve::Beyond::straight),
                               coupling_fields::signal_of(site.keys, "throttle")});
}

}  // namespace

CouplingEntry speed_motor_entry() {
  using namespace coupling_fields;
  return {{.name = "speed",
           .doc = "Keeps the speed of a coordinate, with what force it needs up to its bound.",
           .fields = std::vector{drives()} + signal("target", number(), "speed, m/s or rad/s") + max_force() +
                     rigid(),
           .groups = {one_signal("target"), one_bound()},
           .check = check_signal},
          [](const CouplingSite& site, multibody::Model& model) {
            Motor m = motor(site, Motor::Mode::speed);
            m.target = signal_of(site.keys, "target");
            add(model, std::move(m));
          }};
}

CouplingEntry position_motor_entry() {
  using namespace coupling_fields;
  return {{.name = "position",
           .doc = "Brings a coordinate to a place and keeps it there: rigidly, or as a spring with damper, "
                  "up to its "
                  "bound.",
           .fields = std::vector{drives(), field("target", number("m"), "where to, of a length"),
                                 field("target_angle", angle(), "where to, of an angle"),
                                 field("target_curve", curve_type(),
                                       "the same over time: pairs [s, m or rad], straight between")} +
                     max_force() +
                     std::vector{field("stiffness", number().above(0),
                                       "N/m or N m/rad; default: as rigid as a joint"),
                                 field("damping", number().at_least(0), "N s/m or N m s/rad")},
           .groups = {exactly_one({{"target"}, {"target_angle"}, {"target_curve"}}), one_bound()},
           .check = check_position},
          build_position};
}

CouplingEntry force_motor_entry() {
  using namespace coupling_fields;
  return {{.name = "force",
           .doc = "Exerts a given force or torque along a coordinate.",
           .fields = std::vector{drives()} + signal("target", number(), "N or N m"),
           .groups = {one_signal("target")},
           .check = check_signal},
          [](const CouplingSite& site, multibody::Model& model) {
            Motor m = motor(site, Motor::Mode::force);
            m.target = signal_of(site.keys, "target");
            add(model, std::move(m));
          }};
}

CouplingEntry engine_entry() {
  using namespace coupling_fields;
  return {{.name = "engine",
           .doc = "Torque by a map over speed: throttle * full - (1 - throttle) * drag.",
           .fields =
               std::vector{
                   coordinate_field("coordinate", "its crankshaft"),
                   field("full", curve_type(), "pairs [rad/s, N m] at full throttle; level beyond its ends")
                       .must(),
                   field("drag", curve_type(),
                         "pairs [rad/s, N m] that resist with closed throttle; straight beyond its ends")
                       .must()} +
               signal("throttle", number().between(0, 1), "0 to 1"),
           .groups = {one_signal("throttle")},
           .check = check_engine},
          build_engine};
}

}  // namespace hardpan::scenario
