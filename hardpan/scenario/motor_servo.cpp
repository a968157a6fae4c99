// Servos: walls that press soil with a given stress.
#include "hardpan/scenario/coordinate_laws.h"
#include "hardpan/scenario/coordinate_names.h"
#include "hardpan/scenario/coupling_kinds.h"
#include "hardpan/scenario/numbers.h"

namespace hardpan::scenario {
namespace {

using multibody::Axis;
using multibody::Measure;
using multibody::Servo;

Type side_type() {
  return object({.name = "side",
                 .doc = "A side of the face that presses.",
                 .fields = {field("length", number("m").above(0), "with all coordinates at 0").must(),
                            field("less", list_of(text().not_empty()),
                                  "coordinates of other walls by which it has become shorter, each a slider")
                                .by_default(Value::list())},
                 .check = [](const Value& keys, Complain& complain) {
                   check_coordinates(keys, "less", complain, Measure::length);
                 }});
}

void check(const Value& keys, Complain& complain) {
  for (const char* key : {"stress_curve", "speed_curve"}) check_curve(keys, key, complain);
  if (!complain.root().find("ground")) complain("", "there is no ground for a servo to press");
  if (!check_coordinates(keys, "coordinate", complain, Measure::length)) return;
  const NamedCoordinate driven = find_coordinate(complain.root(), keys.at("coordinate").text());
  const Value& joint = complain.root().at("joints").at(driven.thing);
  if (joint.at("kind").text() != "slider")
    complain("coordinate", "a servo moves a wall along a slider; '" + driven.thing + "' is of kind " +
                               joint.at("kind").text());
  else if (joint.at("between").items()[1].text() == "world")
    complain("coordinate",
             "the wall must be the second body of '" + driven.thing + "', where now is the world");
}

void build(const CouplingSite& site, multibody::Model& model) {
  Servo servo;
  servo.name = site.name;
  servo.axes[0] = {{{site.at("coordinate"), 1.0}}};
  const auto& face = site.keys.at("face").items();
  for (std::size_t k = 0; k < servo.sides.size(); ++k) {
    servo.sides[k] = face[k].at("length").number();
    for (const Value& name : face[k].at("less").items())
      servo.axes[k + 1].terms.push_back({site.coordinate(name.text()), 1.0});
  }
  const bool by_speed = site.keys.find("speed") || site.keys.find("speed_curve");
  (by_speed ? servo.speed : servo.stress) =
      coupling_fields::signal_of(site.keys, by_speed ? "speed" : "stress");
  servo.gain = site.keys.at("gain").number();
  servo.max_speed = site.keys.at("max_speed").number();
  servo.rigidity = site.rigidity(Measure::length);
  add(model, std::move(servo));
}

}  // namespace

CouplingEntry servo_entry() {
  using namespace coupling_fields;
  return {
      {.name = "servo",
       .doc = "Presses a wall against grains with a given stress: its speed is the missing force over "
              "the stiffness of all that touches the wall, times the gain. Or moves it with a given speed.",
       .fields =
           std::vector{coordinate_field("coordinate",
                                        "a slider from something to the wall, along which the wall "
                                        "goes into the soil")} +
           signal("stress", number("Pa").at_least(0), "that it shall exert") +
           signal("speed", number("m/s"), "instead of stress: its speed into the soil") +
           std::vector{field("face", list_of(side_type(), 2, 2), "the sides of the face that presses").must(),
                       field("gain", number().strictly_between(0, 0.83),
                             "share of the missing force that a step makes good in soil as stiff as "
                             "its contacts")
                           .by_default(Value(0.3)),
                       field("max_speed", number("m/s").above(0), "of the wall under stress")
                           .by_default(Value(0.1))} +
           rigid(),
       .groups = {exactly_one({{"stress"}, {"stress_curve"}, {"speed"}, {"speed_curve"}})},
       .check = check},
      build};
}

}  // namespace hardpan::scenario
