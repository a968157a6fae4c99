// A square silo on a floor that sinks slowly, so that the walls carry what they can (Janssen).
#include <cmath>
#include <numbers>

#include <fmt/core.h>

#include "hardpan/scenario/experiment_kinds.h"
#include "hardpan/scenario/experiment_parts.h"
#include "hardpan/scenario/numbers.h"

namespace hardpan::scenario {
namespace {

namespace parts = experiment_parts;

constexpr double poured_void_ratio = 0.9, thickness = 0.01;

std::string yaml(const Value& keys, const Surroundings&) {
  const double width = keys.at("width").number(), d = keys.at("diameter").number();
  const double solid = static_cast<double>(keys.at("count").integer()) * std::numbers::pi / 6 * d * d * d;
  const double height = solid * (1 + poured_void_ratio) / (width * width);
  const double speed = keys.at("speed").number(), end = keys.at("distance").number() / speed;
  const double every = end / static_cast<double>(keys.at("points").integer());
  const double deep = 2 * keys.at("distance").number() + 2 * thickness;
  const std::string& walls = keys.at("walls").text();
  std::string text = fmt::format(
      "time: {{end: {}, step: 1.0e-4}}\nbodies:\n  silo:\n    fixed: true\n    material: {}\n    appearance: "
      "glass\n    shapes:\n",
      end, walls);
  text += parts::upright_walls(width, width, thickness, -deep, height);
  text += fmt::format(
      "  floor:\n    mass: 1\n    material: {}\n    position: [0, 0, {}]\n"
      "    shape: {{kind: box, size: [{}, {}, {}]}}\n",
      walls, -0.5 * thickness, width, width, thickness);
  text += fmt::format(
      "joints:\n  guide: {{kind: slider, between: [silo, floor], at: [0, 0, 0], axis: [0, 0, -1]}}\n"
      "motors:\n  lower: {{kind: speed, coordinate: guide, target: {}}}\n",
      speed);
  text += fmt::format(
      "ground:\n  model: grains-penalty\n  material: {}\n  diameter: {}\n"
      "  fill: {{method: growth, low: [{}, {}, 0], high: [{}, {}, {}], void_ratio: {}}}\n",
      keys.at("soil").text(), d, -0.5 * width, -0.5 * width, 0.5 * width, 0.5 * width, height,
      poured_void_ratio);
  text += fmt::format(
      "initial:\n  prepare:\n    time: {{end: {}}}\n    motors: {{lower: {{target: 0}}}}\n"
      "measure: {{kind: silo-pressure, floor: floor, walls: silo, area: {}, perimeter: {}, top: {}, every: "
      "{}}}\n",
      keys.at("settle").number(), width * width, 4 * width, 0.5 * thickness, every);
  return text + parts::records(every, end);
}

}  // namespace

ExperimentEntry silo_pressure_experiment() {
  return {
      {.name = "silo-pressure",
       .doc = "A square silo whose floor sinks slowly: what floor and walls carry, beside Janssen's theory. "
              "Metrics: floor_stress_Pa, janssen_stress_Pa, floor_over_janssen, lateral_ratio, "
              "mobilised_friction, height_m, janssen_length_m, weight_stress_Pa.",
       .fields = {parts::soil(), parts::walls("material of walls and floor"),
                  field("count", integer().at_least(1), "of grains, about").must(), parts::diameter(),
                  field("width", number("m").above(0), "of the silo inside").must(),
                  field("speed", number("m/s").above(0), "of the floor").by_default(Value(0.02)),
                  field("distance", number("m").above(0), "that the floor sinks").must(), parts::settle(0.3),
                  parts::points(100)},
       .check =
           [](const Value& keys, Complain& complain) {
             if (keys.at("width").number() < 5 * keys.at("diameter").number())
               complain("width", "a silo must be at least five grains wide");
           }},
      yaml};
}

}  // namespace hardpan::scenario
