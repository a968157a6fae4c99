// Shear without ends, as in a ring: soil between two plates with vanes, in a space that repeats itself along
// and across. The lower plate moves, the upper one carries a dead load and may rise. Vanes stand across the
// motion, a whole number of them in a period, and the plates are longer than it by the way that they go: so
// they look the same from everywhere. They reach two grains deep: soil between them goes along, and what is
// sheared is soil on soil. (Round bars half a grain high were not rough enough: soil slid and rolled along
// them.)
#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/core.h>

#include "hardpan/scenario/experiment_kinds.h"
#include "hardpan/scenario/experiment_parts.h"
#include "hardpan/scenario/numbers.h"

namespace hardpan::scenario {
namespace {

namespace parts = experiment_parts;

constexpr double loose_share = 0.3;  // of the volume, when it is poured
constexpr double vane_height = 2, vane_thickness = 0.2, vane_distance = 3;  // over the median diameter

struct Vanes {
  double pitch, height, thickness;
};

// A plate whose face lies at z = 0, with vanes on the side `up`.
std::string plate(const std::string& head, double from, double to, double width, const Vanes& vanes,
                  double thick, int up) {
  std::string text = head;
  text += fmt::format("      - {{kind: box, size: [{}, {}, {}], at: [{}, 0, {}]}}\n", to - from, width, thick,
                      0.5 * (from + to), -0.5 * up * thick);
  for (double x = from + 0.5 * vanes.pitch; x < to; x += vanes.pitch)
    text += fmt::format("      - {{kind: box, size: [{}, {}, {}], at: [{}, 0, {}]}}\n", vanes.thickness,
                        width, vanes.height, x, 0.5 * up * vanes.height);
  return text;
}

std::string yaml(const Value& keys, const Surroundings& around) {
  const double length = keys.at("size").items()[0].number(), width = keys.at("size").items()[1].number();
  const double smallest = keys.at("smallest").number(), largest = keys.at("largest").number();
  const double median = keys.at("median").number(), distance = keys.at("distance").number();
  const auto count = keys.at("count").integer();
  const Vanes vanes = {length / std::max(1.0, std::round(length / (vane_distance * median))),
                       vane_height * median, vane_thickness * median};
  const double margin = std::ceil(2 * largest / vanes.pitch) * vanes.pitch, thick = 0.5 * largest;
  // Of a log-normal distribution by mass, not cut off: the mean of D^3 by number is D50^3 exp(-9 s^2/2).
  const double s = std::log(keys.at("uniformity").number()) / 1.5348986686804;
  const double solid =
      static_cast<double>(count) * std::numbers::pi / 6 * std::pow(median, 3) * std::exp(-4.5 * s * s);
  const double area = length * width, low = vanes.height,
               loose = 2 * low + 1.1 * solid / loose_share / area + largest;
  const double in_vanes = 2 * vanes.height * vanes.thickness / vanes.pitch;  // per area
  const double load = keys.at("normal_stress").number() * area, lid_mass = 0.1 * load / 9.81;
  const double speed = keys.at("speed").number(), end = distance / speed;
  const double every = end / static_cast<double>(keys.at("points").integer());
  const std::string& walls = keys.at("walls").text();
  const double from = -0.5 * length - margin, broad = width + 4 * largest;
  std::string text = fmt::format("time: {{end: {}, step: 1.0e-4}}\nbodies:\n", end);
  text += plate(
      fmt::format("  lower:\n    mass: 1\n    material: {}\n    appearance: glass\n    shapes:\n", walls),
      from - std::ceil(distance / vanes.pitch) * vanes.pitch, -from, broad, vanes, thick, 1);
  text += plate(fmt::format("  upper:\n    mass: {}\n    material: {}\n    appearance: glass\n    position: "
                            "[0, 0, {}]\n    shapes:\n",
                            lid_mass, walls, loose),
                from, -from, broad, vanes, thick, -1);
  text += fmt::format(
      "joints:\n"
      "  slide: {{kind: slider, between: [world, lower], at: [0, 0, 0], axis: [1, 0, 0]}}\n"
      "  guide: {{kind: slider, between: [world, upper], at: [0, 0, {}], axis: [0, 0, 1]}}\n"
      "motors:\n  drive: {{kind: speed, coordinate: slide, target: {}}}\n"
      "loads:\n  press: {{kind: force, body: upper, force: [0, 0, {}]}}\n",
      loose, speed, -(load - around.gravity * lid_mass));
  text += fmt::format(
      "ground:\n  model: grains-penalty\n  material: {}\n"
      "  sizes: {{kind: log-normal, median: {}, uniformity: {}, smallest: {}, largest: {}}}\n"
      "  fill: {{method: random, low: [{}, {}, {}], high: [{}, {}, {}], count: {}}}\n"
      "  periodic: {{x: [{}, {}], y: [{}, {}]}}\n",
      keys.at("soil").text(), median, keys.at("uniformity").number(), smallest, largest, -0.5 * length,
      -0.5 * width, low, 0.5 * length, 0.5 * width, loose - low, count, -0.5 * length, 0.5 * length,
      -0.5 * width, 0.5 * width);
  text += fmt::format("initial:\n  prepare:\n    time: {{end: {}}}\n    motors: {{drive: {{target: 0}}}}\n",
                      keys.at("settle").number());
  if (keys.at("dense").boolean()) text += parts::without_friction(keys.at("soil").text(), walls);
  text += fmt::format(
      "measure: {{kind: direct-shear, moving: lower, lid: upper, area: {}, plane: {}, height: {}, every: "
      "{}}}\n",
      area, 0.5 * loose, loose - in_vanes, every);
  return text + parts::records(every, end);
}

}  // namespace

ExperimentEntry periodic_shear_experiment() {
  return {
      {.name = "periodic-shear",
       .doc = "Shear without ends, as in a ring: log-normal grains between two plates with vanes in a space "
              "that "
              "repeats itself "
              "along and across; the lower plate moves along x, the upper one presses and may rise. Metrics "
              "as of "
              "direct-shear.",
       .fields = {parts::soil(), parts::walls("material of the plates"), parts::count(),
                  field("median", number("m").above(0), "D50 of the grains, by mass").must(),
                  field("uniformity", number().above(1), "D60/D10").must(),
                  field("smallest", number("m").above(0), "smallest diameter").must(),
                  field("largest", number("m").above(0), "largest diameter").must(),
                  field("size", vector(2, "m").above(0), "of a period: along the motion, across").must(),
                  field("normal_stress", number("Pa").above(0), "by the upper plate and its load").must(),
                  field("speed", number("m/s").above(0), "of the lower plate").by_default(Value(0.02)),
                  field("distance", number("m").above(0), "that it goes").must(), parts::dense(),
                  parts::settle(0.5), parts::points()},
       .check =
           [](const Value& keys, Complain& complain) {
             const double largest = keys.at("largest").number();
             if (!(keys.at("smallest").number() < largest))
               complain("largest", "must be larger than smallest");
             for (std::size_t k = 0; k < 2; ++k)
               if (keys.at("size").items()[k].number() < 4 * largest)
                 complain("size", "a period must be at least four of the largest grains long");
           }},
      yaml};
}

}  // namespace hardpan::scenario
