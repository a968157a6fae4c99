// A heap: grains settle in a tube on a tray, and the tube is lifted. The rim of the tray is lower than a
// grain: it keeps the lowest layer, without which spheres roll away over a plane; what overflows is gone.
#include <cmath>
#include <limits>
#include <numbers>

#include <fmt/core.h>

#include "hardpan/scenario/experiment_kinds.h"
#include "hardpan/scenario/experiment_parts.h"
#include "hardpan/scenario/numbers.h"

namespace hardpan::scenario {
namespace {

namespace parts = experiment_parts;

constexpr double lattice = 1.05;
constexpr int staves = 16;
constexpr double infinite = std::numeric_limits<double>::infinity();

// Boxes in a ring.
std::string ring(double radius, double thick, double low, double height) {
  std::string text;
  for (int k = 0; k < staves; ++k) {
    const double turn = 2 * std::numbers::pi * k / staves, away = radius + 0.5 * thick;
    text += fmt::format(
        "      - {{kind: box, size: [{}, {}, {}], at: [{}, {}, {}], orientation: {{yaw_rad: {}}}}}\n", thick,
        2 * (radius + thick) * std::tan(std::numbers::pi / staves), height, away * std::cos(turn),
        away * std::sin(turn), low + 0.5 * height, turn);
  }
  return text;
}

std::string yaml(const Value& keys, const Surroundings&) {
  const double radius = 0.5 * keys.at("tube").number(), d = keys.at("diameter").number(), cell = lattice * d;
  const auto count = keys.at("count").integer();
  const double per_layer =
      std::max(1.0, 0.6 * std::numbers::pi * std::pow(radius / cell, 2));  // whole cells: few
  const double height = (std::ceil(static_cast<double>(count) / per_layer) + 1) * cell;
  const double end = keys.at("duration").number(),
               every = end / static_cast<double>(keys.at("points").integer());
  const std::string& walls = keys.at("walls").text();
  std::string text = fmt::format("time: {{end: {}, step: 2.0e-4}}\nbodies:\n", end);
  const double base = number_or(keys, "base", 4 * radius) / 2;
  text += fmt::format("  floor:\n    fixed: true\n    material: {}\n    shapes:\n      - {{kind: plane}}\n",
                      keys.at("soil").text()) +
          ring(base, d, 0, 0.7 * d);
  text += fmt::format("  tube:\n    mass: 1\n    material: {}\n    appearance: glass\n    shapes:\n", walls);
  text += ring(radius, 0.25 * radius, 0.1 * d, height);
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
      "measure: {{kind: repose, base: {}, every: {}}}\n",
      keys.at("settle").number(), base, every);
  return text + parts::records(every, end);
}

}  // namespace

ExperimentEntry repose_experiment() {
  return {
      {.name = "repose-angle",
       .doc =
           "Grains settle in a tube that stands on a tray; the tube is lifted and a heap is left. Metrics: "
           "repose_angle_deg, heap_height_m, heap_radius_m.",
       .fields = {parts::soil("material of the grains and of the tray"), parts::walls("material of the tube"),
                  parts::count(), parts::diameter(),
                  field("tube", number("m").above(0), "inner diameter of the tube").must(),
                  field("base", number("m").above(0),
                        "diameter of the tray; default: twice that of the tube"),
                  field("speed", number("m/s").above(0), "with which it is lifted").by_default(Value(0.05)),
                  field("duration", number("s").above(0), "until the heap is measured").must(),
                  parts::settle(0.3), parts::points(50)},
       .check =
           [](const Value& keys, Complain& complain) {
             if (keys.at("tube").number() < 4 * keys.at("diameter").number())
               complain("tube", "a tube must be at least four grains wide");
             if (number_or(keys, "base", infinite) < 1.5 * keys.at("tube").number())
               complain("base", "must be at least one and a half times as wide as the tube");
           }},
      yaml};
}

}  // namespace hardpan::scenario
