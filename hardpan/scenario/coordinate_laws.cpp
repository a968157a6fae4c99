#include "hardpan/scenario/coordinate_laws.h"

#include <algorithm>

#include <fmt/core.h>

#include "hardpan/scenario/numbers.h"

namespace hardpan::scenario {
namespace {

using multibody::Measure;

bool turns(Measure measure) { return measure == Measure::angle; }

multibody::Axis along(const multibody::CoordinateRef& coordinate) { return {{{coordinate, 1.0}}}; }

// The value of a key that is an angle for turning coordinates and a length otherwise.
std::optional<double> place(const Value& keys, const char* name, Measure measure) {
  if (turns(measure)) return find_angle(keys, name);
  const Value* value = keys.find(name);
  return value ? std::optional(value->number()) : std::nullopt;
}

void add_spring(const JointSite& site, const Value& keys, const multibody::CoordinateRef& coordinate,
                Measure measure, multibody::Model& model) {
  multibody::Elastic spring;
  spring.name = site.ends.name;
  spring.axes = {along(coordinate)};
  spring.stiffness = keys.at("stiffness").number();
  spring.damping = keys.at("damping").number();
  spring.rest = place(keys, "rest", measure).value_or(0.0);
  if (const Value* pairs = keys.find("spring_curve")) spring.spring = curve(*pairs, Curve::Beyond::straight);
  if (const Value* pairs = keys.find("damper_curve")) spring.damper = curve(*pairs, Curve::Beyond::straight);
  const bool acts = spring.stiffness > 0 || spring.damping > 0 || !spring.spring.empty();
  if (acts || !spring.damper.empty()) add(model, std::move(spring));
}

}  // namespace

Type curve_type() { return list_of(vector(2), 1); }

bool check_curve(const Value& object, const char* key, Complain& complain) {
  const Value* pairs = object.find(key);
  if (!pairs) return true;
  const auto& items = pairs->items();
  for (std::size_t i = 1; i < items.size(); ++i)
    if (!(items[i].items()[0].number() > items[i - 1].items()[0].number())) {
      complain(key, fmt::format("the first numbers of the pairs must increase: {} follows {}",
                                items[i].items()[0].number_text(), items[i - 1].items()[0].number_text()));
      return false;
    }
  return true;
}

Curve curve(const Value& pairs, Curve::Beyond beyond) {
  std::vector<Curve::Point> points;
  for (const Value& pair : pairs.items())
    points.push_back({pair.items()[0].number(), pair.items()[1].number()});
  return Curve(std::move(points), beyond);
}

std::vector<Field> law_fields(Measure measure) {
  const bool angular = turns(measure);
  const std::string x = angular ? "rad" : "m", f = angular ? "N m" : "N";
  const Type place_type = angular ? angle() : number("m");
  return {
      field("stiffness", number(f + "/" + x).at_least(0), "spring along the free way").by_default(Value(0)),
      field("damping", number(f + " s/" + x).at_least(0), "damper along the free way").by_default(Value(0)),
      field("rest", place_type, "where the spring is free of load").by_default(Value(0)),
      field("spring_curve", curve_type(),
            fmt::format(
                "instead of stiffness: pairs [{}, {}] of place and force that resists, straight between", x,
                f)),
      field("damper_curve", curve_type(),
            fmt::format("instead of damping: pairs [{}/s, {}] of speed and force that resists", x, f)),
      field("lower", place_type, "stop: the coordinate goes no lower"),
      field("upper", place_type, "stop: the coordinate goes no higher"),
      field("restitution", number().between(0, 1), "speed after the impact on a stop over speed before")
          .by_default(Value(0)),
      field("stop_compliance", number(angular ? "rad/(N m)" : "m/N").at_least(1e-14),
            "of the stops, instead of the solver's"),
      field("friction", number(f).at_least(0), "dry friction: the force below which it sticks")
          .by_default(Value(0)),
      field("friction_coefficient", number().at_least(0),
            angular ? "dry friction in proportion to the force through the joint, at bearing_radius"
                    : "dry friction in proportion to the force through the joint")
          .by_default(Value(0)),
  };
}

std::vector<Field> nested_laws(std::span<const multibody::CoordinateName> coordinates) {
  std::vector<Field> fields;
  for (const auto& [name, measure] : coordinates) {
    Object laws{.name = std::string(name),
                .doc = fmt::format("What acts along the coordinate {}.", name),
                .fields = law_fields(measure),
                .check = check_laws};
    if (turns(measure)) laws.fields.push_back(bearing_radius());
    fields.push_back(field(std::string(name), object(std::move(laws)),
                           fmt::format("spring, stops and friction along {}", name)));
  }
  return fields;
}

Field bearing_radius() {
  return field("bearing_radius", number("m").above(0), "lever of friction_coefficient");
}

void check_laws(const Value& keys, Complain& complain) {
  const auto given = [&](const char* name) { return keys.find(name) != nullptr; };
  const auto positive = [&](const char* name) { return number_or(keys, name, 0.0) > 0; };
  check_curve(keys, "spring_curve", complain);
  check_curve(keys, "damper_curve", complain);
  if (given("spring_curve") && positive("stiffness"))
    complain("stiffness", "spring_curve is given: one of the two would be ignored");
  if (given("damper_curve") && positive("damping"))
    complain("damping", "damper_curve is given: one of the two would be ignored");
  const auto rest = find_angle(keys, "rest");
  const bool rests = rest.value_or(given("rest") ? keys.at("rest").number() : 0.0) != 0;
  if (rests && !positive("stiffness") && !given("spring_curve"))
    complain(given("rest_deg")   ? "rest_deg"
             : given("rest_rad") ? "rest_rad"
                                 : "rest",
             "belongs to a stiffness, which is 0: it would be ignored");
  const auto bound = [&](const char* name) {
    const auto angular = find_angle(keys, name);
    if (angular) return angular;
    return given(name) ? std::optional(keys.at(name).number()) : std::nullopt;
  };
  const auto lower = bound("lower"), upper = bound("upper");
  if (lower && upper && !(*lower < *upper)) complain("", "lower must lie below upper");
  if (!lower && !upper)
    for (const char* key : {"restitution", "stop_compliance"})
      if (given(key) && keys.at(key).number() > 0)
        complain(key, "belongs to a stop (lower or upper): it would be ignored");
  const bool turning = given("rest_deg") || given("rest_rad") || find_angle(keys, "rest").has_value();
  if (turning && positive("friction_coefficient") && !given("bearing_radius"))
    complain("friction_coefficient", "needs bearing_radius, its lever, in m");
  if (given("bearing_radius") && !positive("friction_coefficient"))
    complain("bearing_radius", "belongs to friction_coefficient, which is 0: it would be ignored");
}

void add_laws(const JointSite& site, const Value& keys, multibody::CoordinateRef coordinate, Measure measure,
              multibody::Model& model) {
  add_spring(site, keys, coordinate, measure, model);
  multibody::Rigidity rigidity = site.rigidity(turns(measure) ? "angular_compliance" : "compliance");
  rigidity.soft = false;
  const auto lower = place(keys, "lower", measure), upper = place(keys, "upper", measure);
  if (lower || upper) {
    multibody::Stop stop;
    stop.name = site.ends.name;
    stop.axes = {along(coordinate)};
    stop.lower = lower.value_or(-multibody::infinite);
    stop.upper = upper.value_or(multibody::infinite);
    stop.restitution = keys.at("restitution").number();
    stop.rigidity = rigidity;
    stop.rigidity.compliance = number_or(keys, "stop_compliance", rigidity.compliance);
    add(model, std::move(stop));
  }
  const double constant = keys.at("friction").number();
  const double coefficient = number_or(keys, "friction_coefficient", 0.0);
  if (constant > 0 || coefficient > 0) {
    multibody::Friction friction;
    friction.name = site.ends.name;
    friction.axes = {along(coordinate)};
    friction.capacity = Curve::constant(constant);
    friction.coefficient = coefficient * (turns(measure) ? number_or(keys, "bearing_radius", 0.0) : 1.0);
    friction.rigidity = rigidity;
    add(model, std::move(friction));
  }
}

void add_nested_laws(const JointSite& site, multibody::CoordinateRef first,
                     std::span<const multibody::CoordinateName> coordinates, multibody::Model& model) {
  for (std::size_t i = 0; i < coordinates.size(); ++i) {
    first.component = i;
    if (const Value* keys = site.keys.find(coordinates[i].name))
      add_laws(site, *keys, first, coordinates[i].measure, model);
  }
}

}  // namespace hardpan::scenario
