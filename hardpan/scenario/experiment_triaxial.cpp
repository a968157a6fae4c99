// The triaxial test on grains: a cell of six smooth, flat walls. Servos press the soil from all sides; then
// the top comes down with a given speed, while the sides keep their stress.
#include <cmath>
#include <numbers>

#include <fmt/core.h>

#include "hardpan/scenario/experiment_kinds.h"
#include "hardpan/scenario/experiment_parts.h"
#include "hardpan/scenario/numbers.h"

namespace hardpan::scenario {
namespace {

namespace parts = experiment_parts;

constexpr double loose_void_ratio = 1.0;

struct Cell {
  double width, height;  // inside, at the start
  double thick;          // of the walls
};

Cell cell_of(const Value& keys) {
  const double d = keys.at("diameter").number(), spread = keys.at("spread").number();
  // The mean cube of a diameter that is anywhere within (1 +- s) d is (1 + s^2) d^3.
  const double solid = static_cast<double>(keys.at("count").integer()) * std::numbers::pi / 6 * d * d * d *
                       (1 + spread * spread);
  const double slender = keys.at("slenderness").number();
  const double width = std::cbrt(solid * (1 + loose_void_ratio) / slender);
  return {width, slender * width, 2 * d};
}

// A plate whose inner face lies at `at`, with its normal along an axis; wide enough for all that moves.
std::string wall(const char* name, const Cell& cell, int axis, double at, bool moves, const Value& keys) {
  const double wide = 3 * std::max(cell.width, cell.height);
  double size[3] = {wide, wide, wide}, place[3] = {0, 0, 0.5 * cell.height};
  size[axis] = cell.thick;
  place[axis] = at + (moves ? 0.5 : -0.5) * cell.thick;
  return fmt::format(
      "  {}:\n    {}\n    material: {}\n    appearance: glass\n    groups: [walls]\n    passes_through: "
      "[walls]\n    position: [{}, {}, {}]\n    shape: {{kind: box, size: [{}, {}, {}]}}\n",
      name, moves ? fmt::format("mass: {}", keys.at("wall_mass").number()) : "fixed: true",
      keys.at("walls").text(), place[0], place[1], place[2], size[0], size[1], size[2]);
}

std::string servo(const char* name, double first, const char* by_first, double second, const char* by_second,
                  const std::string& target, double max_speed) {
  return fmt::format(
      "  press-{}: {{kind: servo, coordinate: slide-{}, {}, face: [{{length: {}, less: [slide-{}]}}, "
      "{{length: "
      "{}, less: [slide-{}]}}], max_speed: {}}}\n",
      name, name, target, first, by_first, second, by_second, max_speed);
}

std::string yaml(const Value& keys, const Surroundings&) {
  const Cell cell = cell_of(keys);
  const double stress = keys.at("stress").number(), speed = keys.at("speed").number();
  const double end = keys.at("strain").number() * cell.height / speed;
  const double every = end / static_cast<double>(keys.at("points").integer());
  const double settle = keys.at("settle").number(), half = 0.5 * cell.width;
  const double closing = 0.2 * cell.height / settle;  // dense soil is a tenth shorter: half of the time
  const double d = keys.at("diameter").number(), spread = keys.at("spread").number();
  std::string text = fmt::format("time: {{end: {}, step: 1.0e-4}}\ngravity: [0, 0, 0]\nbodies:\n", end);
  text += wall("west", cell, 0, -half, false, keys) + wall("south", cell, 1, -half, false, keys) +
          wall("bottom", cell, 2, 0, false, keys) + wall("east", cell, 0, half, true, keys) +
          wall("north", cell, 1, half, true, keys) + wall("top", cell, 2, cell.height, true, keys);
  text += fmt::format(
      "joints:\n"
      "  slide-east: {{kind: slider, between: [world, east], at: [{}, 0, 0], axis: [-1, 0, 0]}}\n"
      "  slide-north: {{kind: slider, between: [world, north], at: [0, {}, 0], axis: [0, -1, 0]}}\n"
      "  slide-top: {{kind: slider, between: [world, top], at: [0, 0, {}], axis: [0, 0, -1]}}\n"
      "motors:\n",
      half, half, cell.height);
  const std::string pressing = fmt::format("stress: {}", stress);
  text += servo("east", cell.width, "north", cell.height, "top", pressing, closing) +
          servo("north", cell.width, "east", cell.height, "top", pressing, closing) +
          servo("top", cell.width, "east", cell.width, "north", fmt::format("speed: {}", speed), closing);
  text += fmt::format(
      "ground:\n"
      "  model: grains-penalty\n"
      "  material: {}\n"
      "  {}\n"
      "  fill: {{method: growth, low: [{}, {}, 0], high: [{}, {}, {}], void_ratio: {}}}\n",
      keys.at("soil").text(),
      spread > 0 ? fmt::format("sizes: {{kind: uniform, smallest: {}, largest: {}}}", (1 - spread) * d,
                               (1 + spread) * d)
                 : fmt::format("diameter: {}", d),
      -half, -half, half, half, cell.height, loose_void_ratio);
  text += fmt::format(
      "initial:\n"
      "  prepare:\n"
      "    time: {{end: {}}}\n"
      "    motors: {{press-top: {{speed: null, stress: {}}}}}\n",
      settle, stress);
  if (keys.at("dense").boolean())
    text += parts::without_friction(keys.at("soil").text(), keys.at("walls").text());
  text += fmt::format(
      "measure: {{kind: triaxial, walls: [east, north, top], size: [{}, {}, {}], stress: {}, every: {}}}\n",
      cell.width, cell.width, cell.height, stress, every);
  return text + parts::records(every, end);
}

}  // namespace

ExperimentEntry triaxial_experiment() {
  return {
      {.name = "triaxial-grains",
       .doc = "A cell of six flat walls: servos press the soil from all sides, then the top comes down "
              "while the sides keep their stress. Without gravity. Metrics: peak_friction_angle_deg, "
              "residual_friction_angle_deg, peak_stress_ratio, residual_stress_ratio (axial over radial), "
              "peak_axial_strain, void_ratio_initial, void_ratio_residual, radial_stress_error, "
              "radial_stress_error_max.",
       .fields =
           {parts::soil(), parts::walls("material of the walls: best without friction"),
            field("count", integer().at_least(27), "of grains, about").must(),
            field("diameter", number("m").above(0), "of the grains, the mean").must(),
            field("spread", number().between(0, 0.9),
                  "largest difference from the mean diameter, over it: equal grains form crystals")
                .by_default(Value(0.2)),
            field("slenderness", number().between(0.5, 4), "height of the loose soil over its width")
                .by_default(Value(1.5)),
            field("stress", number("Pa").above(0), "of the sides, and of the top before it moves").must(),
            field("speed", number("m/s").above(0), "of the top").must(),
            field("strain", number().strictly_between(0, 0.6),
                  "way of the top over the height of the loose soil")
                .by_default(Value(0.2)),
            field("wall_mass", number("kg").above(0), "of a wall that moves").by_default(Value(1)),
            parts::dense(), parts::settle(0.6), parts::points()}},
      yaml};
}

}  // namespace hardpan::scenario
