// A plate pressed into soil in a bin. The soil falls in, a light plate lies down on it, and is driven.
#include <algorithm>

#include <fmt/core.h>

#include "hardpan/scenario/experiment_kinds.h"
#include "hardpan/scenario/experiment_parts.h"

namespace hardpan::scenario {
namespace {

namespace parts = experiment_parts;

constexpr double thickness = 0.01;  // of plate and walls, m
constexpr double areal_mass = 5;    // of the plate, kg/m^2: it presses 50 Pa by its weight
constexpr double no_force = 1e-9;   // N

std::string yaml(const Value& keys, const Surroundings& around) {
  const double length = keys.at("size").items()[0].number(), width = keys.at("size").items()[1].number();
  const double along = keys.at("plate").items()[0].number(), across = keys.at("plate").items()[1].number();
  const double speed = keys.at("speed").number(), end = keys.at("distance").number() / speed;
  const double every = end / static_cast<double>(keys.at("points").integer());
  const double d = keys.at("diameter").number();
  const double top = parts::loose_height(static_cast<double>(keys.at("count").integer()), d, length, width);
  const std::string& material = keys.at("walls").text();
  std::string text = parts::time(end, around);
  text += parts::bin(material, length, width, thickness, top);
  text += fmt::format(
      "  plate:\n    mass: {}\n    material: {}\n    position: [0, 0, {}]\n"
      "    shape: {{kind: box, size: [{}, {}, {}]}}\n",
      areal_mass * along * across, material, top + 0.5 * thickness, along, across, thickness);
  text += fmt::format(
      "joints:\n"
      "  guide: {{kind: slider, between: [world, plate], at: [0, 0, {}], axis: [0, 0, 1]}}\n"
      "motors:\n"
      "  drive: {{kind: speed, coordinate: guide, target: {}}}\n",
      top, -speed);
  text += parts::loose_ground(keys, length, width, around);
  text += fmt::format(
      "initial:\n"
      "  prepare:\n"
      "    time: {{end: {}}}\n"
      "    motors: {{drive: {{max_force: {}}}}}\n",
      keys.at("settle").number(), no_force);
  text += fmt::format("measure: {{kind: pressure-sinkage, plate: plate, area: {}, every: {}}}\n",
                      along * across, every);
  return text + parts::records(every, end);
}

}  // namespace

ExperimentEntry pressure_sinkage_experiment() {
  return {
      {.name = "pressure-sinkage",
       .doc = "A plate pressed into soil in a bin. The soil falls in, the plate lies down on it by its own "
              "small weight, and is driven downwards. Metrics: pressure_slope_Pa_per_m, max_pressure_Pa.",
       .fields = {parts::soil(), parts::walls("material of bin and plate"), parts::count(), parts::diameter(),
                  field("size", vector(2, "m").above(0), "of the bin inside: length, width").must(),
                  field("plate", vector(2, "m").above(0), "size: along the bin, across").must(),
                  field("speed", number("m/s").above(0), "of the plate").by_default(Value(0.01)),
                  field("distance", number("m").above(0), "that it goes").must(), parts::settle(1),
                  parts::points()},
       .check =
           [](const Value& keys, Complain& complain) {
             for (std::size_t k = 0; k < 2; ++k)
               if (keys.at("plate").items()[k].number() >= keys.at("size").items()[k].number())
                 complain("plate", "must be smaller than the bin");
           }},
      yaml};
}

}  // namespace hardpan::scenario
