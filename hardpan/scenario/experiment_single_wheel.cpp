// A rigid wheel on soil in a bin, with a given slip: a carriage moves with v = (1 - slip) omega r, the wheel
// turns with omega and is free to go up and down under its load. While the soil settles, nearly all of the
// load is held: the wheel lies down on the soil without denting it.
#include <fmt/core.h>

#include "hardpan/core/error.h"
#include "hardpan/scenario/experiment_kinds.h"
#include "hardpan/scenario/experiment_parts.h"
#include "hardpan/scenario/numbers.h"

namespace hardpan::scenario {
namespace {

namespace parts = experiment_parts;

constexpr double thickness = 0.01;  // of walls, m
constexpr double lightly = 0.02;    // of the load, while the soil settles
constexpr double share_of_hub = 0.1;

std::string yaml(const Value& keys, const Surroundings& around) {
  const double length = keys.at("size").items()[0].number(), width = keys.at("size").items()[1].number();
  const double radius = keys.at("radius").number(), omega = keys.at("speed").number();
  const double speed = (1 - keys.at("slip").number()) * omega * radius;
  const double wheel_width = keys.at("width").number();
  const double end = keys.at("duration").number(), load = keys.at("load").number();
  const double every = end / static_cast<double>(keys.at("points").integer());
  const double mass = number_or(keys, "mass", 0.5 * load / 9.81), weight = around.gravity * mass;
  if (const Value* given = keys.find("mass"); given && weight > load)
    throw InputError(given->mark(),
                     fmt::format("experiment.mass: {} kg weigh {:.3g} N, more than the load of {:.3g} N",
                                 given->number_text(), weight, load));
  const double soil = parts::loose_height(static_cast<double>(keys.at("count").integer()),
                                          keys.at("diameter").number(), length, width);
  const double x = number_or(keys, "start", -0.25 * length), z = soil + radius;
  const std::string& material = keys.at("walls").text();
  std::string text = parts::time(end, around);
  text += parts::bin(material, length, width, thickness, soil);
  text += fmt::format(
      "  carriage: {{mass: {}, position: [{}, 0, {}], shape: {{kind: box, size: [{}, {}, {}]}}}}\n"
      "  hub: {{mass: {}, position: [{}, 0, {}], shape: {{kind: box, size: [{}, {}, {}]}}}}\n"
      "  wheel:\n    mass: {}\n    material: {}\n    position: [{}, 0, {}]\n"
      "    shape: {{kind: cylinder, radius: {}, length: {}}}\n"
      "    orientation: {{roll_deg: 90}}\n",
      mass, x, z + 1.5 * radius, 0.5 * radius, wheel_width, 0.2 * radius, share_of_hub * mass, x, z,
      0.2 * radius, 1.2 * wheel_width, 0.2 * radius, (1 - share_of_hub) * mass, material, x, z, radius,
      wheel_width);
  text += fmt::format(
      "joints:\n"
      "  rail: {{kind: slider, between: [world, carriage], at: [{0}, 0, {1}], axis: [1, 0, 0]}}\n"
      "  guide: {{kind: slider, between: [carriage, hub], at: [{0}, 0, {1}], axis: [0, 0, 1]}}\n"
      "  axle: {{kind: hinge, between: [hub, wheel], at: [{0}, 0, {1}], axis: [0, 1, 0]}}\n"
      "motors:\n"
      "  tow: {{kind: speed, coordinate: rail, target: {2}}}\n"
      "  spin: {{kind: speed, coordinate: axle, target: {3}}}\n"
      "loads:\n"
      "  press: {{kind: force, body: hub, force: [0, 0, {4}]}}\n",
      x, z, speed, omega, -(load - weight));
  text += parts::loose_ground(keys, length, width, around);
  text += fmt::format(
      "initial:\n"
      "  prepare:\n"
      "    time: {{end: {}}}\n"
      "    motors: {{tow: {{target: 0}}, spin: {{target: 0}}}}\n"
      "    loads: {{press: {{force: [0, 0, {}]}}}}\n",
      keys.at("settle").number(), weight - lightly * load);
  text += fmt::format("measure: {{kind: single-wheel, wheel: wheel, spin: spin, every: {}}}\n", every);
  return text + parts::records(every, end);
}

}  // namespace

ExperimentEntry single_wheel_experiment() {
  return {
      {.name = "single-wheel",
       .doc =
           "A rigid wheel that rolls along x over soil in a bin with a given slip and load. The soil falls "
           "in, the wheel lies down on it, is loaded and driven. Metrics, means over the last part of the "
           "run and their spread (standard deviation of the rows there): drawbar_pull_N, torque_Nm, "
           "sinkage_m, drawbar_pull_spread_N, torque_spread_Nm, sinkage_spread_m.",
       .fields = {parts::soil(), parts::walls("material of bin and wheel"), parts::count(), parts::diameter(),
                  field("size", vector(2, "m").above(0), "of the bin inside: length, width").must(),
                  field("radius", number("m").above(0), "of the wheel").must(),
                  field("width", number("m").above(0), "of the wheel").must(),
                  field("load", number("N").above(0), "of the wheel, its weight included").must(),
                  field("mass", number("kg").above(0), "of wheel and hub; default: half of the load"),
                  field("slip", number().between(-1, 1), "1 - v / (omega r)").by_default(Value(0.2)),
                  field("speed", number("rad/s").above(0), "omega").by_default(Value(0.3)),
                  field("duration", number("s").above(0), "that it rolls").must(),
                  field("start", number("m"),
                        "where it begins, from the middle of the bin; default: a quarter of "
                        "its length before"),
                  parts::settle(1.5), parts::points()},
       .check =
           [](const Value& keys, Complain& complain) {
             if (keys.at("width").number() >= keys.at("size").items()[1].number())
               complain("width", "the wheel must be narrower than the bin");
             const double length = keys.at("size").items()[0].number(), r = keys.at("radius").number();
             const double from = number_or(keys, "start", -0.25 * length);
             const double way = (1 - keys.at("slip").number()) * keys.at("speed").number() * r *
                                keys.at("duration").number();
             if (from - r < -0.5 * length || from + way + r > 0.5 * length)
               complain("duration", fmt::format("the wheel would leave the bin: it goes from {:.3g} to "
                                                "{:.3g} m, and has a radius of {:.3g} m",
                                                from, from + way, r));
           }},
      yaml};
}

}  // namespace hardpan::scenario
