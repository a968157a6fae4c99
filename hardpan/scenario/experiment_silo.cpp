// A square silo with a square outlet in its flat floor: filled with the gate shut, opened at time 0.
#include <cmath>

#include <fmt/core.h>

#include "hardpan/scenario/experiment_kinds.h"
#include "hardpan/scenario/experiment_parts.h"
#include "hardpan/scenario/numbers.h"

namespace hardpan::scenario {
namespace {

namespace parts = experiment_parts;

constexpr double lattice = 1.05, thickness = 0.01;

std::string yaml(const Value& keys, const Surroundings&) {
  const double width = keys.at("width").number(), hole = keys.at("opening").number();
  const double d = keys.at("diameter").number(), cell = lattice * d;
  const double side = std::floor(width / cell * (1 + 1e-9));
  const auto count = keys.at("count").integer();
  const double height = (std::ceil(static_cast<double>(count) / (side * side)) + 0.5) * cell;
  const double end = keys.at("duration").number(),
               every = end / static_cast<double>(keys.at("points").integer());
  const std::string& walls = keys.at("walls").text();
  std::string text = fmt::format("time: {{end: {}, step: 2.0e-4}}\nbodies:\n", end);
  text +=
      fmt::format("  silo:\n    fixed: true\n    material: {}\n    appearance: glass\n    shapes:\n", walls);
  const double rim = 0.5 * (width - hole);
  text += parts::upright_walls(width, width, thickness, 0, height);
  for (const int s : {-1, 1}) {
    const double edge = 0.5 * s * (hole + rim);
    text += fmt::format("      - {{kind: box, size: [{}, {}, {}], at: [{}, 0, {}]}}\n", rim, width, thickness,
                        edge, -0.5 * thickness);
    text += fmt::format("      - {{kind: box, size: [{}, {}, {}], at: [0, {}, {}]}}\n", hole, rim, thickness,
                        edge, -0.5 * thickness);
  }
  text += fmt::format(
      "  gate:\n    mass: 1\n    material: {}\n    position: [0, 0, {}]\n"
      "    shape: {{kind: box, size: [{}, {}, {}]}}\n",
      walls, -0.5 * thickness, hole, hole, thickness);
  text += fmt::format(
      "joints:\n  guide: {{kind: slider, between: [silo, gate], at: [0, 0, 0], axis: [0, 0, -1]}}\n"
      "motors:\n  opener: {{kind: speed, coordinate: guide, target: 12}}\n");
  text += fmt::format(
      "ground:\n  model: grains-penalty\n  material: {}\n  diameter: {}\n"
      "  fill: {{low: [{}, {}, 0], high: [{}, {}, {}], count: {}, spacing: {}}}\n"
      "  world: {{low: [{}, {}, {}], high: [{}, {}, {}]}}\n",
      keys.at("soil").text(), d, -0.5 * width, -0.5 * width, 0.5 * width, 0.5 * width, height, count, lattice,
      -10 * width, -10 * width, -2 - 6 * end * end, 10 * width, 10 * width, 10 * height);
  text += fmt::format(
      "initial:\n  prepare:\n    time: {{end: {}}}\n    motors: {{opener: {{target: 0}}}}\n"
      "measure: {{kind: silo-discharge, outlet: {}, every: {}}}\n",
      keys.at("settle").number(), -thickness - d, every);
  return text + parts::records(every, end);
}

}  // namespace

ExperimentEntry silo_experiment() {
  return {{.name = "silo-discharge",
           .doc = "A square silo, filled and left to settle with its gate shut, runs out through a square "
                  "opening in its "
                  "flat floor. Metrics: mass_rate_kg_per_s, discharged_kg, discharged_share.",
           .fields = {parts::soil(), parts::walls("material of the silo"), parts::count(), parts::diameter(),
                      field("width", number("m").above(0), "of the silo inside").must(),
                      field("opening", number("m").above(0), "width of the opening").must(),
                      field("duration", number("s").above(0), "of the discharge").must(), parts::settle(0.4),
                      parts::points(100)},
           .check =
               [](const Value& keys, Complain& complain) {
                 if (!(keys.at("opening").number() < keys.at("width").number()))
                   complain("opening", "must be narrower than the silo");
                 if (keys.at("width").number() < 3 * keys.at("diameter").number())
                   complain("width", "a silo must be at least three grains wide");
               }},
          yaml};
}

}  // namespace hardpan::scenario
