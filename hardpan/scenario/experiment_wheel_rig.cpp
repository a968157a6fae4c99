// A rigid wheel on a block of soil that deforms, as a solid: a carriage moves with v = (1 - slip) omega r,
// the wheel turns with omega and is free to go up and down under its load. Before that the block settles
// under its weight, with nearly all of the load held.
#include <fmt/core.h>

#include "hardpan/core/error.h"
#include "hardpan/scenario/experiment_kinds.h"
#include "hardpan/scenario/experiment_parts.h"
#include "hardpan/scenario/numbers.h"

namespace hardpan::scenario {
namespace {

namespace parts = experiment_parts;

constexpr double lightly = 0.02;  // of the load, while the soil settles
constexpr double share_of_hub = 0.1;
constexpr double strip = 0.5;  // of the wheel's width: where the rut is measured

double speed_of(const Value& keys) {
  return (1 - keys.at("slip").number()) * keys.at("speed").number() * keys.at("radius").number();
}

std::string block(const Value& keys) {
  const auto& size = keys.at("size").items();
  const double x = 0.5 * size[0].number(), y = 0.5 * size[1].number();
  return fmt::format(
      "solid:\n  material: {}\n  box: {{low: [{}, {}, {}], high: [{}, {}, 0]}}\n  spacing: {}\n"
      "  holds:\n    west: {{face: west}}\n    east: {{face: east}}\n    south: {{face: south}}\n"
      "    north: {{face: north}}\n    bottom: {{face: bottom}}\n"
      "    bottom-along: {{face: bottom, direction: [1, 0, 0]}}\n"
      "    bottom-across: {{face: bottom, direction: [0, 1, 0]}}\n",
      keys.at("soil").text(), -x, -y, -size[2].number(), x, y, keys.at("spacing").number());
}

std::string yaml(const Value& keys, const Surroundings& around) {
  const double radius = keys.at("radius").number(), width = keys.at("width").number();
  const double end = keys.at("duration").number(), load = keys.at("load").number();
  const double every = end / static_cast<double>(keys.at("points").integer());
  const double mass = number_or(keys, "mass", 0.5 * load / 9.81), weight = around.gravity * mass;
  if (const Value* given = keys.find("mass"); given && weight > load)
    throw InputError(given->mark(),
                     fmt::format("experiment.mass: {} kg weigh {:.3g} N, more than the load of {:.3g} N",
                                 given->number_text(), weight, load));
  const double x = number_or(keys, "start", -0.25 * keys.at("size").items()[0].number());
  std::string text = fmt::format("time: {{end: {}, step: {}}}\n", end, keys.at("step").number());
  text += block(keys);
  text += fmt::format(
      "bodies:\n"
      "  carriage: {{mass: {0}, position: [{1}, 0, {2}], shape: {{kind: box, size: [{3}, {4}, {5}]}}}}\n"
      "  hub: {{mass: {6}, position: [{1}, 0, {7}], shape: {{kind: box, size: [{5}, {8}, {5}]}}}}\n"
      "  wheel:\n    mass: {9}\n    material: {10}\n    position: [{1}, 0, {7}]\n"
      "    shape: {{kind: cylinder, radius: {7}, length: {4}}}\n"
      "    orientation: {{roll_deg: 90}}\n",
      mass, x, 2.5 * radius, 0.5 * radius, width, 0.2 * radius, share_of_hub * mass, radius, 1.2 * width,
      (1 - share_of_hub) * mass, keys.at("wheel").text());
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
      x, radius, speed_of(keys), keys.at("speed").number(), -(load - weight));
  text += fmt::format(
      "initial:\n"
      "  prepare:\n"
      "    time: {{end: {}}}\n"
      "    motors: {{tow: {{target: 0}}, spin: {{target: 0}}}}\n"
      "    loads: {{press: {{force: [0, 0, {}]}}}}\n",
      keys.at("settle").number(), weight - lightly * load);
  text += fmt::format(
      "measure: {{kind: single-wheel, wheel: wheel, spin: spin, rut_width: {}, radius: {}, every: {}}}\n",
      strip * width, radius, every);
  return text + parts::records(every, end);
}

}  // namespace

ExperimentEntry wheel_rig_experiment() {
  return {
      {.name = "wheel-rig",
       .doc =
           "A rigid wheel that rolls along x over a block of soil with a given slip and load. The block "
           "settles under its weight, the wheel lies down on it, is loaded and driven. Metrics: those of "
           "single-wheel, and rut_depth_m, the mean over the middle half of the track, a radius behind the "
           "wheel and more, at the end.",
       .fields = {parts::soil("material of the block"),
                  field("wheel", reference("materials"), "material of the wheel").must(),
                  field("size", vector(3, "m").above(0), "of the block: length, width, depth").must(),
                  field("spacing", number("m").above(0), "of its particles").must(),
                  field("radius", number("m").above(0), "of the wheel").must(),
                  field("width", number("m").above(0), "of the wheel").must(),
                  field("load", number("N").above(0), "of the wheel, its weight included").must(),
                  field("mass", number("kg").above(0), "of wheel and hub; default: half of the load"),
                  field("slip", number().between(-1, 1), "1 - v / (omega r)").by_default(Value(0.2)),
                  field("speed", number("rad/s").above(0), "omega").by_default(Value(1)),
                  field("duration", number("s").above(0), "that it rolls").must(),
                  field("start", number("m"),
                        "where it begins, from the middle of the block; default: a quarter of "
                        "its length before"),
                  field("step", number("s").above(0), "of time").by_default(Value(5e-3)), parts::settle(1),
                  parts::points()},
       .check =
           [](const Value& keys, Complain& complain) {
             if (keys.at("width").number() >= keys.at("size").items()[1].number())
               complain("width", "the wheel must be narrower than the block");
             const double length = keys.at("size").items()[0].number(), r = keys.at("radius").number();
             const double from = number_or(keys, "start", -0.25 * length),
                          way = speed_of(keys) * keys.at("duration").number();
             if (from - r < -0.5 * length || from + way + r > 0.5 * length)
               complain("duration", fmt::format("the wheel would leave the block: it goes from {:.3g} to "
                                                "{:.3g} m, and has a radius of {:.3g} m",
                                                from, from + way, r));
           }},
      yaml};
}

}  // namespace hardpan::scenario
