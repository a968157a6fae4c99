// A strip footing in plane strain: half of it, the other half is its mirror image. The soil is two particles
// thick, held across the plane; the footing is rough, what lies beside it free.
#include <fmt/core.h>

#include "hardpan/scenario/experiment_kinds.h"
#include "hardpan/scenario/experiment_parts.h"

namespace hardpan::scenario {
namespace {

namespace parts = experiment_parts;

std::string yaml(const Value& keys, const Surroundings&) {
  const double B = keys.at("width").number(), d = B / static_cast<double>(keys.at("particles").integer());
  const double wide = keys.at("soil_width").number() * B, deep = keys.at("soil_depth").number() * B;
  const double end = keys.at("duration").number(),
               step = end / static_cast<double>(keys.at("points").integer());
  const std::string under = fmt::format("within: {{low: [{}, {}, {}], high: [{}, {}, {}]}}", -d, -d, -d,
                                        0.5 * B + 0.01 * d, 2 * d, d);
  return fmt::format(
             "time: {{end: {}, step: {}}}\ngravity: [0, 0, 0]\nsolid:\n  material: {}\n"
             "  box: {{low: [0, 0, {}], high: [{}, {}, 0]}}\n  spacing: {}\n  stabilisation: {}\n"
             "  holds:\n    west: {{face: west}}\n    east: {{face: east}}\n    south: {{face: south}}\n"
             "    north: {{face: north}}\n    bottom: {{face: bottom}}\n"
             "    bottom-rough: {{face: bottom, direction: [1, 0, 0]}}\n"
             "    footing: {{face: top, {}, way_curve: [[0, 0], [{}, {}]]}}\n"
             "    footing-rough: {{face: top, {}, direction: [1, 0, 0]}}\n",
             end, step, keys.at("soil").text(), -deep, wide, d, d, keys.at("stabilisation").number(), under,
             end, -keys.at("sinkage").number() * B, under) +
         fmt::format("measure: {{kind: footing, plate: footing, area: {}, share: 0.5, every: {}}}\n", B * d,
                     step) +
         parts::records(step, end);
}

}  // namespace

ExperimentEntry strip_footing_experiment() {
  return {
      {.name = "strip-footing",
       .doc = "A rough strip is pressed into soil without weight, in plane strain. Metrics: "
              "bearing_capacity_Pa, bearing_factor (over sqrt(J2) at yield; without friction 2 + pi).",
       .fields =
           {parts::soil("material of the soil"),
            field("width", number("m").above(0), "of the footing").by_default(Value(1)),
            field("particles", integer().between(4, 200), "spacings along its width").by_default(Value(10)),
            field("soil_width", number().between(1, 20), "from the middle of the footing, over its width")
                .by_default(Value(2.5)),
            field("soil_depth", number().between(0.5, 20), "over its width").by_default(Value(2)),
            field("sinkage", number().strictly_between(0, 0.5), "at the end, over its width").must(),
            field("duration", number("s").above(0), "of all").by_default(Value(20)),
            field("stabilisation", number().at_least(0), "alpha").by_default(Value(0)), parts::points(40)},
       .check =
           [](const Value& keys, Complain& complain) {
             if (keys.at("particles").integer() % 2 != 0)
               complain("particles", "must be even: half of the footing is in the model");
           }},
      yaml};
}

}  // namespace hardpan::scenario
