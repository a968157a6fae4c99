// A rigid wheel on a block of soil that deforms, as a solid, with a given slip (experiment_towed_wheel.h).
// The block settles under its weight before.
#include <fmt/core.h>

#include "hardpan/scenario/experiment_parts.h"
#include "hardpan/scenario/experiment_towed_wheel.h"

namespace hardpan::scenario {
namespace {

namespace parts = experiment_parts;

constexpr double strip = 0.5;  // of the wheel's width: where the rut is measured

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
  const double end = keys.at("duration").number(),
               every = end / static_cast<double>(keys.at("points").integer());
  return fmt::format("time: {{end: {}, step: {}}}\n", end, keys.at("step").number()) + block(keys) +
         "bodies:\n" + towed_wheel::bodies(keys, around, keys.at("wheel").text(), 0) +
         towed_wheel::drive(keys, around, 0) +
         fmt::format(
             "measure: {{kind: single-wheel, wheel: wheel, spin: spin, rut_width: {}, radius: {}, every: "
             "{}}}\n",
             strip * keys.at("width").number(), keys.at("radius").number(), every) +
         parts::records(every, end);
}

}  // namespace

ExperimentEntry wheel_rig_experiment() {
  return {
      {.name = "wheel-rig",
       .doc =
           "A rigid wheel that rolls along x over a block of soil with a given slip and load. The block "
           "settles under its weight, the wheel lies down on it, is loaded and driven. Metrics: those of "
           "single-wheel, and rut_depth_m, the mean over the middle half of the track, from a radius beyond "
           "the "
           "start to half a radius behind the wheel, at the end; not a number where no particle lies there.",
       .fields =
           std::vector<Field>{
               parts::soil("material of the block"),
               field("wheel", reference("materials"), "material of the wheel").must(),
               field("size", vector(3, "m").above(0), "of the block: length, width, depth").must(),
               field("spacing", number("m").above(0), "of its particles").must()} +
           towed_wheel::fields(1) +
           std::vector<Field>{field("step", number("s").above(0), "of time").by_default(Value(5e-3)),
                              parts::settle(1), parts::points()},
       .check = towed_wheel::check},
      yaml};
}

}  // namespace hardpan::scenario
