// The direct shear box: a lower half that moves, an upper half that stands, a lid with a dead load. The soil
// falls in, is pressed together without friction, and is sheared with it.
#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/core.h>

#include "hardpan/core/error.h"
#include "hardpan/scenario/experiment_kinds.h"
#include "hardpan/scenario/experiment_parts.h"
#include "hardpan/scenario/numbers.h"

namespace hardpan::scenario {
namespace {

namespace parts = experiment_parts;

struct Box {
  double length, width;      // inside, along and across the motion, m
  double wall;               // thickness: halves keep covering each other while they move
  double gap;                // between the halves
  double plane, loose, top;  // heights of the plane, of the soil as it is poured, and of the walls
  double lid = 0.01;         // thickness
  double area() const { return length * width; }
};

constexpr double packed_void_ratio = 0.6;

Box box_of(const Value& keys) {
  Box box;
  box.length = keys.at("size").items()[0].number();
  box.width = keys.at("size").items()[1].number();
  const double d = keys.at("diameter").number(), count = static_cast<double>(keys.at("count").integer());
  box.wall = std::max(0.01, 1.2 * keys.at("distance").number());
  box.gap = number_or(keys, "gap", 0.02 * d);
  const double solid = count * std::numbers::pi / 6 * d * d * d;
  box.plane = number_or(keys, "plane", 0.5 * solid * (1 + packed_void_ratio) / box.area());
  box.loose = parts::loose_height(count, d, box.length, box.width);
  box.top = std::max(box.loose, 2 * box.plane) + box.lid;
  return box;
}

std::string walls(const Box& box, double from, double to) {
  return parts::upright_walls(box.length, box.width, box.wall, from, to);
}

std::string bodies(const Value& keys, const Box& box, double lid_mass) {
  const std::string& material = keys.at("walls").text();
  std::string text = "bodies:\n";
  text +=
      fmt::format("  lower:\n    mass: 1\n    material: {}\n    appearance: glass\n    shapes:\n", material);
  text += fmt::format("      - {{kind: box, size: [{}, {}, {}], at: [0, 0, {}]}}\n",
                      box.length + 2 * box.wall, box.width + 2 * box.wall, box.wall, -0.5 * box.wall);
  text += walls(box, 0, box.plane - 0.5 * box.gap);
  text += fmt::format("  upper:\n    fixed: true\n    material: {}\n    appearance: glass\n    shapes:\n",
                      material);
  text += walls(box, box.plane + 0.5 * box.gap, box.top);
  text += fmt::format(
      "  lid:\n    mass: {}\n    material: {}\n    position: [0, 0, {}]\n"
      "    shape: {{kind: box, size: [{}, {}, {}]}}\n",
      lid_mass, material, box.loose + 0.5 * box.lid, box.length, box.width, box.lid);
  return text;
}

std::string yaml(const Value& keys, const Surroundings& around) {
  const Box box = box_of(keys);
  const double stress = keys.at("normal_stress").number(), speed = keys.at("speed").number();
  const double distance = keys.at("distance").number(), load = stress * box.area();
  const double lid_mass = number_or(keys, "lid_mass", 0.1 * load / 9.81);
  if (const Value* given = keys.find("lid_mass"); given && around.gravity * lid_mass > load)
    throw InputError(given->mark(),
                     fmt::format("experiment.lid_mass: {} kg weigh {:.3g} N, more than the load of {:.3g} N",
                                 given->number_text(), around.gravity * lid_mass, load));
  const double end = distance / speed, every = end / static_cast<double>(keys.at("points").integer());
  const double weight = around.gravity * lid_mass, settle = keys.at("settle").number();
  std::string text = parts::time(end, around);
  text += bodies(keys, box, lid_mass);
  text += fmt::format(
      "joints:\n"
      "  slide: {{kind: slider, between: [world, lower], at: [0, 0, 0], axis: [1, 0, 0]}}\n"
      "  guide: {{kind: slider, between: [upper, lid], at: [0, 0, {}], axis: [0, 0, 1]}}\n"
      "motors:\n"
      "  drive: {{kind: speed, coordinate: slide, target: {}}}\n"
      "loads:\n"
      "  press: {{kind: force, body: lid, force: [0, 0, {}]}}\n",
      box.loose, speed, -(load - weight));
  text += parts::loose_ground(keys, box.length, box.width, around);
  text += fmt::format(
      "initial:\n"
      "  prepare:\n"
      "    time: {{end: {}}}\n"
      "    motors: {{drive: {{target: 0}}}}\n",
      settle);
  // Rigid grains are not slammed: the lid comes down lightly and is loaded when it lies.
  if (around.rigid)
    text += fmt::format(
        "    loads:\n"
        "      press: {{from: {}}}\n"
        "      hold: {{kind: force, body: lid, force: [0, 0, {}], until: {}}}\n",
        0.6 * settle, 0.9 * weight, 0.6 * settle);
  if (keys.at("dense").boolean())
    text += parts::without_friction(keys.at("soil").text(), keys.at("walls").text());
  text += fmt::format(
      "measure: {{kind: direct-shear, moving: lower, upper: upper, lid: lid, area: {}, plane: {}, height: "
      "{}, "
      "every: {}}}\n",
      box.area(), box.plane, box.loose, every);
  return text + parts::records(every, end);
}

}  // namespace

ExperimentEntry direct_shear_experiment() {
  return {
      {.name = "direct-shear",
       .doc =
           "A shear box: the soil falls in, is pressed by a lid with a dead load (without friction, to be "
           "dense), "
           "and is sheared by the lower half that moves along x. Metrics: peak_stress_ratio, "
           "residual_stress_ratio (shear over normal stress, both in the plane), peak_shear_stress_Pa, "
           "residual_shear_stress_Pa, normal_stress_Pa, void_ratio_initial, dilation_m; peak_applied_ratio, "
           "residual_applied_ratio, lid_stress_Pa (by the load on the lid).",
       .fields =
           {parts::soil(), parts::walls("material of box and lid"), parts::count(), parts::diameter(),
            field("size", vector(2, "m").above(0), "of the box inside: along the motion, across").must(),
            field("normal_stress", number("Pa").above(0), "by lid and load together").must(),
            field("speed", number("m/s").above(0), "of the lower half").by_default(Value(0.02)),
            field("distance", number("m").above(0), "that it goes").must(),
            field("gap", number("m").above(0), "between the halves; default: 1/50 of the diameter"),
            field("plane", number("m").above(0),
                  "height of the plane between the halves; default: the middle of dense soil"),
            field("lid_mass", number("kg").above(0), "default: a tenth of the load"), parts::dense(),
            parts::settle(0.6), parts::points()},
       .check =
           [](const Value& keys, Complain& complain) {
             for (std::size_t k = 0; k < 2; ++k)
               if (keys.at("size").items()[k].number() < 3 * keys.at("diameter").number())
                 complain("size", "a box must be at least three grains wide");
           }},
      yaml};
}

}  // namespace hardpan::scenario
