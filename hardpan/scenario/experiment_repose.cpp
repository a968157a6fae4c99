// A heap: grains settle in a tube on a plane, and the tube is lifted.
#include <cmath>
#include <numbers>

#include <fmt/core.h>

#include "hardpan/scenario/experiment_kinds.h"
#include "hardpan/scenario/numbers.h"

namespace hardpan::scenario {
namespace {

constexpr double lattice = 1.05;
constexpr int staves = 16;

std::string yaml(const Value& keys, double /*gravity*/) {
  const double radius = 0.5 * keys.at("tube").number(), d = keys.at("diameter").number(), cell = lattice * d;
  const auto count = keys.at("count").integer();
  const double per_layer =
      std::max(1.0, 0.6 * std::numbers::pi * std::pow(radius / cell, 2));  // whole cells: few
  const double height = (std::ceil(static_cast<double>(count) / per_layer) + 1) * cell;
  const double end = keys.at("duration").number(),
               every = end / static_cast<double>(keys.at("points").integer());
  const std::string& walls = keys.at("walls").text();
  std::string text = fmt::format("time: {{end: {}, step: 2.0e-4}}\nbodies:\n", end);
  text +=
      fmt::format("  floor: {{fixed: true, shape: {{kind: plane}}, material: {}}}\n", keys.at("soil").text());
  text += fmt::format("  tube:\n    mass: 1\n    material: {}\n    appearance: glass\n    shapes:\n", walls);
  const double thick = 0.25 * radius;
  for (int k = 0; k < staves; ++k) {
    const double turn = 2 * std::numbers::pi * k / staves, away = radius + 0.5 * thick;
    text += fmt::format(
        "      - {{kind: box, size: [{}, {}, {}], at: [{}, {}, {}], orientation: {{yaw_rad: {}}}}}\n", thick,
        2 * (radius + thick) * std::tan(std::numbers::pi / staves), height, away * std::cos(turn),
        away * std::sin(turn), 0.5 * height + 0.1 * d, turn);
  }
  text += fmt::format(
      "joints:\n  guide: {{kind: slider, between: [world, tube], at: [0, 0, 0], axis: [0, 0, 1]}}\n"
      "motors:\n  lift: {{kind: speed, coordinate: guide, target: {}}}\n",
      keys.at("speed").number());
  text += fmt::format(
      "ground:\n  model: grains-penalty\n  material: {}\n  diameter: {}\n"
      "  fill: {{low: [{}, {}, 0], high: [{}, {}, {}], region: cylinder, count: {}, spacing: {}}}\n",
      keys.at("soil").text(), d, -radius, -radius, radius, radius, height, count, lattice);
  text += fmt::format(
      "initial:\n  prepare:\n    time: {{end: {}}}\n    motors: {{lift: {{target: 0}}}}\n"
      "measure: {{kind: repose, every: {}}}\n"
      "outputs:\n  - {{field: measure, every: {}}}\n  - {{field: frames, every: {}}}\n",
      keys.at("settle").number(), every, every, end / 30);
  return text;
}

}  // namespace

ExperimentEntry repose_experiment() {
  return {
      {.name = "repose-angle",
       .doc =
           "Grains settle in a tube that stands on a plane; the tube is lifted and a heap is left. Metrics: "
           "repose_angle_deg, heap_height_m, heap_radius_m.",
       .fields = {field("soil", reference("materials"), "material of the grains and of the plane").must(),
                  field("walls", reference("materials"), "material of the tube").must(),
                  field("count", integer().at_least(1), "of grains").must(),
                  field("diameter", number("m").above(0), "of the grains").must(),
                  field("tube", number("m").above(0), "inner diameter of the tube").must(),
                  field("speed", number("m/s").above(0), "with which it is lifted").by_default(Value(0.05)),
                  field("duration", number("s").above(0), "until the heap is measured").must(),
                  field("settle", number("s").above(0), "time of preparation").by_default(Value(0.3)),
                  field("points", integer().at_least(8), "rows of the table").by_default(Value(50))},
       .check =
           [](const Value& keys, Complain& complain) {
             if (keys.at("tube").number() < 4 * keys.at("diameter").number())
               complain("tube", "a tube must be at least four grains wide");
           }},
      yaml};
}

}  // namespace hardpan::scenario
