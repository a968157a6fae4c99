// What slips or gives way between coordinates: clutch, brake, one-way clutch, torque converter, spring.
#include <algorithm>

#include <fmt/core.h>

#include "hardpan/scenario/coordinate_laws.h"
#include "hardpan/scenario/coordinate_names.h"
#include "hardpan/scenario/coupling_kinds.h"
#include "hardpan/scenario/numbers.h"

namespace hardpan::scenario {
namespace {

using multibody::Axis;
using multibody::Measure;

Axis difference(const CouplingSite& site) {
  return {{{site.item("between", 0), 1.0}, {site.item("between", 1), -1.0}}};
}

Measure measure_of_first(const CouplingSite& site) {
  return site.measure(site.keys.at("between").items()[0].text());
}

bool check_pair(const Value& coupling, Complain& complain) {
  if (!check_coordinates(coupling, "between", complain)) return false;
  const auto& pair = coupling.at("between").items();
  const bool alike = find_coordinate(complain.root(), pair[0].text()).measure ==
                     find_coordinate(complain.root(), pair[1].text()).measure;
  if (!alike) complain("between", "one is an angle, the other a length");
  return check_distinct(coupling, {"between"}, complain) && alike;
}

void add_friction(const CouplingSite& site, Axis axis, Measure measure, multibody::Model& model) {
  add(model, multibody::Friction{site.name,
                                 {std::move(axis)},
                                 coupling_fields::signal_of(site.keys, "torque"),
                                 0,
                                 site.rigidity(measure)});
}

void check_torque(const Value& coupling, Complain& complain) {
  check_curve(coupling, "torque_curve", complain);
  if (const Value* pairs = coupling.find("torque_curve"))
    for (const Value& pair : pairs->items())
      if (pair.items()[1].number() < 0) return complain("torque_curve", "a friction torque is not negative");
}

void build_one_way(const CouplingSite& site, multibody::Model& model) {
  const Axis ahead = {{{site.item("between", 1), 1.0}, {site.item("between", 0), -1.0}}};
  add(model, multibody::OneWay{site.name, {ahead}, site.rigidity(measure_of_first(site))});
}

void build_converter(const CouplingSite& site, multibody::Model& model) {
  const Axis pump = {{{site.at("pump"), 1.0}}}, turbine = {{{site.at("turbine"), 1.0}}};
  add(model, multibody::Converter{site.name,
                                  {pump, turbine},
                                  curve(site.keys.at("capacity"), Curve::Beyond::level),
                                  curve(site.keys.at("torque_ratio"), Curve::Beyond::level)});
}

// The largest product of torque ratio and speed ratio, the efficiency, and where it is. Straight pieces of
// the one make parabolas of the other.
Curve::Point best_efficiency(const Curve& torque_ratio) {
  Curve::Point best = {0, 0};
  const auto look = [&](double ratio) {
    const double efficiency = torque_ratio.value(ratio) * ratio;
    if (efficiency > best.y) best = {ratio, efficiency};
  };
  for (const Curve::Point& point : torque_ratio.points()) {
    look(point.x);
    const double slope = torque_ratio.slope(point.x);
    const double top = slope < 0 ? 0.5 * (point.x - point.y / slope) : 0.0;
    if (top > point.x && torque_ratio.slope(top) == slope) look(std::min(1.0, top));
  }
  look(1.0);
  return best;
}

void check_converter(const Value& converter, Complain& complain) {
  check_coordinates(converter, "pump", complain, Measure::angle);
  check_coordinates(converter, "turbine", complain, Measure::angle);
  check_distinct(converter, {"pump", "turbine"}, complain);
  for (const char* key : {"capacity", "torque_ratio"}) {
    if (!check_curve(converter, key, complain)) continue;
    const bool is_capacity = key == std::string("capacity");
    for (const Value& pair : converter.at(key).items()) {
      const double ratio = pair.items()[0].number();
      if (ratio < 0 || ratio > 1) complain(key, "speed ratios lie between 0 and 1");
      if (is_capacity && ratio == 1)
        complain(key, "at equal speeds a converter carries no torque: end the table below speed ratio 1");
      if (!(pair.items()[1].number() > 0)) complain(key, "values must be positive");
    }
    if (is_capacity) continue;
    const auto [ratio, efficiency] = best_efficiency(curve(converter.at(key), Curve::Beyond::level));
    if (efficiency > 1 + 1e-9)
      complain(key,
               fmt::format("torque ratio times speed ratio is {:.4g} at speed ratio {:.4g}, more than 1: "
                           "the converter would create energy",
                           efficiency, ratio));
  }
}

void build_spring(const CouplingSite& site, multibody::Model& model) {
  multibody::Elastic spring;
  spring.name = site.name;
  spring.axes = {difference(site)};
  spring.stiffness = site.keys.at("stiffness").number();
  spring.damping = site.keys.at("damping").number();
  if (const Value* pairs = site.keys.find("spring_curve"))
    spring.spring = curve(*pairs, Curve::Beyond::straight);
  if (const Value* pairs = site.keys.find("damper_curve"))
    spring.damper = curve(*pairs, Curve::Beyond::straight);
  add(model, std::move(spring));
}

void check_spring(const Value& spring, Complain& complain) {
  check_pair(spring, complain);
  for (const auto& [plain, pairs] :
       {std::pair{"stiffness", "spring_curve"}, std::pair{"damping", "damper_curve"}}) {
    check_curve(spring, pairs, complain);
    if (spring.find(pairs) && spring.at(plain).number() > 0)
      complain(plain, std::string(pairs) + " is given: one of the two would be ignored");
  }
  if (spring.at("stiffness").number() == 0 && spring.at("damping").number() == 0 &&
      !spring.find("spring_curve") && !spring.find("damper_curve"))
    complain("stiffness", "stiffness and damping are both 0: the spring would do nothing");
}

}  // namespace

CouplingEntry clutch_entry() {
  using namespace coupling_fields;
  return {{.name = "clutch",
           .doc = "Friction between two coordinates: slips above its torque, locks when the speeds meet.",
           .fields = std::vector{between("the two sides")} +
                     signal("torque", number("N m").at_least(0), "that it can transmit (N between lengths)"),
           .groups = {one_signal("torque")},
           .check =
               [](const Value& clutch, Complain& complain) {
                 check_pair(clutch, complain);
                 check_torque(clutch, complain);
               }},
          [](const CouplingSite& site, multibody::Model& model) {
            add_friction(site, difference(site), measure_of_first(site), model);
          }};
}

CouplingEntry brake_entry() {
  using namespace coupling_fields;
  return {
      {.name = "brake",
       .doc =
           "Friction that holds one coordinate: a shaft against its housing, the bodies of a joint against "
           "each other.",
       .fields = std::vector{coordinate_field("coordinate", "what is braked")} +
                 signal("torque", number("N m").at_least(0), "that it can hold (N on a length)"),
       .groups = {one_signal("torque")},
       .check =
           [](const Value& brake, Complain& complain) {
             check_coordinates(brake, "coordinate", complain);
             check_torque(brake, complain);
           }},
      [](const CouplingSite& site, multibody::Model& model) {
        add_friction(site, {{{site.at("coordinate"), 1.0}}}, site.measure(site.keys.at("coordinate").text()),
                     model);
      }};
}

CouplingEntry one_way_entry() {
  using namespace coupling_fields;
  return {{.name = "one-way",
           .doc = "Overrunning clutch: the first drives the second, which may run ahead.",
           .fields = std::vector{between("driver and driven")} + rigid(),
           .check = [](const Value& coupling, Complain& complain) { check_pair(coupling, complain); }},
          build_one_way};
}

CouplingEntry converter_entry() {
  return {
      {.name = "converter",
       .doc = "Hydrodynamic torque converter by the tables that its makers measure.",
       .fields =
           {coordinate_field("pump", "driven by the engine"),
            coordinate_field("turbine", "drives the gearbox"),
            field("capacity", curve_type(),
                  "pairs [speed ratio, K]: K = pump speed over the root of pump torque, (rad/s)/sqrt(N m); "
                  "beyond the last pair 1/K^2 falls straight to 0 at speed ratio 1")
                .must(),
            field("torque_ratio", curve_type(),
                  "pairs [speed ratio, turbine torque over pump torque]; level beyond its ends")
                .must()},
       .check = check_converter},
      build_converter};
}

CouplingEntry spring_coupling_entry() {
  using namespace coupling_fields;
  return {
      {.name = "spring",
       .doc = "Spring and damper between two coordinates: a flexible shaft, an elastic coupling.",
       .fields =
           {between("the two sides"),
            field("stiffness", number("N m/rad").at_least(0), "(N/m between lengths)").by_default(Value(0)),
            field("damping", number("N m s/rad").at_least(0), "(N s/m between lengths)").by_default(Value(0)),
            field("spring_curve", curve_type(),
                  "instead of stiffness: pairs [difference, torque that resists]"),
            field("damper_curve", curve_type(), "instead of damping: pairs [speed, torque that resists]")},
       .check = check_spring},
      build_spring};
}

}  // namespace hardpan::scenario
