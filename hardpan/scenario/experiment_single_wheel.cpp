// A rigid wheel on soil in a bin, with a given slip (experiment_towed_wheel.h).
#include <fmt/core.h>

#include "hardpan/scenario/experiment_parts.h"
#include "hardpan/scenario/experiment_towed_wheel.h"

namespace hardpan::scenario {
namespace {

namespace parts = experiment_parts;

constexpr double thickness = 0.01;  // of walls, m

std::string yaml(const Value& keys, const Surroundings& around) {
  const double length = keys.at("size").items()[0].number(), width = keys.at("size").items()[1].number();
  const double end = keys.at("duration").number(),
               every = end / static_cast<double>(keys.at("points").integer());
  const double soil = parts::loose_height(static_cast<double>(keys.at("count").integer()),
                                          keys.at("diameter").number(), length, width);
  const std::string& material = keys.at("walls").text();
  return parts::time(end, around) + parts::bin(material, length, width, thickness, soil) +
         towed_wheel::bodies(keys, around, material, soil) +
         parts::loose_ground(keys, length, width, around) + towed_wheel::drive(keys, around, soil) +
         fmt::format("measure: {{kind: single-wheel, wheel: wheel, spin: spin, every: {}}}\n", every) +
         parts::records(every, end);
}

void check(const Value& keys, Complain& complain) {
  if (keys.at("width").number() >= keys.at("size").items()[1].number())
    complain("width", "the wheel must be narrower than the bin");
  towed_wheel::check(keys, complain);
}

}  // namespace

ExperimentEntry single_wheel_experiment() {
  return {
      {.name = "single-wheel",
       .doc =
           "A rigid wheel that rolls along x over soil in a bin with a given slip and load. The soil falls "
           "in, the wheel lies down on it, is loaded and driven. Metrics, means over the last part of the "
           "run and their spread (standard deviation of the rows there): drawbar_pull_N, torque_Nm, "
           "sinkage_m, drawbar_pull_spread_N, torque_spread_Nm, sinkage_spread_m.",
       .fields =
           std::vector<Field>{
               parts::soil(), parts::walls("material of bin and wheel"), parts::count(), parts::diameter(),
               field("size", vector(2, "m").above(0), "of the bin inside: length, width").must()} +
           towed_wheel::fields(0.3) + std::vector<Field>{parts::settle(1.5), parts::points()},
       .check = check},
      yaml};
}

}  // namespace hardpan::scenario
