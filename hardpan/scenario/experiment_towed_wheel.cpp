#include "hardpan/scenario/experiment_towed_wheel.h"

#include <fmt/core.h>

#include "hardpan/core/error.h"
#include "hardpan/scenario/numbers.h"

namespace hardpan::scenario::towed_wheel {
namespace {

constexpr double lightly = 0.02;  // of the load, while the soil settles
constexpr double share_of_hub = 0.1;

double speed_of(const Value& keys) {
  return (1 - keys.at("slip").number()) * keys.at("speed").number() * keys.at("radius").number();
}

double start_of(const Value& keys) {
  return number_or(keys, "start", -0.25 * keys.at("size").items()[0].number());
}

double mass_of(const Value& keys, const Surroundings& around) {
  const double load = keys.at("load").number(), mass = number_or(keys, "mass", 0.5 * load / 9.81),
               weight = around.gravity * mass;
  if (const Value* given = keys.find("mass"); given && weight > load)
    throw InputError(given->mark(),
                     fmt::format("experiment.mass: {} kg weigh {:.3g} N, more than the load of {:.3g} N",
                                 given->number_text(), weight, load));
  return mass;
}

}  // namespace

std::vector<Field> fields(double usual_speed) {
  return {field("radius", number("m").above(0), "of the wheel").must(),
          field("width", number("m").above(0), "of the wheel").must(),
          field("load", number("N").above(0), "of the wheel, its weight included").must(),
          field("mass", number("kg").above(0), "of wheel and hub; default: half of the load"),
          field("slip", number().between(-1, 1), "1 - v / (omega r)").by_default(Value(0.2)),
          field("speed", number("rad/s").above(0), "omega").by_default(Value(usual_speed)),
          field("duration", number("s").above(0), "that it rolls").must(),
          field("start", number("m"),
                "where it begins, from the middle of the soil; default: a quarter of its length before")};
}

void check(const Value& keys, Complain& complain) {
  const double length = keys.at("size").items()[0].number(), r = keys.at("radius").number();
  const double from = start_of(keys), to = from + speed_of(keys) * keys.at("duration").number();
  if (from - r < -0.5 * length || to + r > 0.5 * length)
    complain("duration",
             fmt::format("the wheel would leave the soil: it goes from {:.3g} to {:.3g} m, and has a "
                         "radius of {:.3g} m",
                         from, to, r));
}

std::string bodies(const Value& keys, const Surroundings& around, const std::string& material,
                   double height) {
  const double radius = keys.at("radius").number(), width = keys.at("width").number(),
               mass = mass_of(keys, around), x = start_of(keys), z = height + radius;
  return fmt::format(
      "  carriage: {{mass: {}, position: [{}, 0, {}], shape: {{kind: box, size: [{}, {}, {}]}}}}\n"
      "  hub: {{mass: {}, position: [{}, 0, {}], shape: {{kind: box, size: [{}, {}, {}]}}}}\n"
      "  wheel:\n    mass: {}\n    material: {}\n    position: [{}, 0, {}]\n"
      "    shape: {{kind: cylinder, radius: {}, length: {}}}\n"
      "    orientation: {{roll_deg: 90}}\n",
      mass, x, z + 1.5 * radius, 0.5 * radius, width, 0.2 * radius, share_of_hub * mass, x, z, 0.2 * radius,
      1.2 * width, 0.2 * radius, (1 - share_of_hub) * mass, material, x, z, radius, width);
}

std::string drive(const Value& keys, const Surroundings& around, double height) {
  const double load = keys.at("load").number(), weight = around.gravity * mass_of(keys, around);
  return fmt::format(
             "joints:\n"
             "  rail: {{kind: slider, between: [world, carriage], at: [{0}, 0, {1}], axis: [1, 0, 0]}}\n"
             "  guide: {{kind: slider, between: [carriage, hub], at: [{0}, 0, {1}], axis: [0, 0, 1]}}\n"
             "  axle: {{kind: hinge, between: [hub, wheel], at: [{0}, 0, {1}], axis: [0, 1, 0]}}\n"
             "motors:\n"
             "  tow: {{kind: speed, coordinate: rail, target: {2}}}\n"
             "  spin: {{kind: speed, coordinate: axle, target: {3}}}\n"
             "loads:\n"
             "  press: {{kind: force, body: hub, force: [0, 0, {4}]}}\n",
             start_of(keys), height + keys.at("radius").number(), speed_of(keys), keys.at("speed").number(),
             -(load - weight)) +
         fmt::format(
             "initial:\n"
             "  prepare:\n"
             "    time: {{end: {}}}\n"
             "    motors: {{tow: {{target: 0}}, spin: {{target: 0}}}}\n"
             "    loads: {{press: {{force: [0, 0, {}]}}}}\n",
             keys.at("settle").number(), weight - lightly * load);
}

}  // namespace hardpan::scenario::towed_wheel
