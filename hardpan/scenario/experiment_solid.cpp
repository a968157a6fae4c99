// Tests on a cube of a solid, without gravity: three faces are held by smooth plates that stand, what happens
// to the others makes the test.
//
//     uniaxial-stretch          the top moves, the sides are free
//     hydrostatic-compression   top, east and north move alike
//     oedometer                 the top moves, the sides are held
//     triaxial                  the sides keep their stress; first the top does so, too, then it moves
#include <fmt/core.h>

#include "hardpan/scenario/experiment_kinds.h"
#include "hardpan/scenario/experiment_parts.h"
#include "hardpan/scenario/solid.h"

namespace hardpan::scenario {
namespace {

namespace parts = experiment_parts;

struct Cube {
  double size, spacing, end, step;
};

Cube cube_of(const Value& keys) {
  const double size = keys.at("size").number(), end = keys.at("duration").number();
  return {size, size / static_cast<double>(keys.at("particles").integer() - 1), end,
          end / static_cast<double>(keys.at("points").integer())};
}

// To a strain, over the length of the cube, and back by a share of it, with the same speed.
std::string way(const Value& keys, const Cube& cube) {
  const double far = keys.at("strain").number() * cube.size, back = keys.at("unload").number();
  const double turn = cube.end / (1 + back);
  std::string text = fmt::format("way_curve: [[0, 0], [{}, {}]", turn, far);
  if (back > 0) text += fmt::format(", [{}, {}]", cube.end, (1 - back) * far);
  return text + "]";
}

std::string head(const Value& keys, const Cube& cube) {
  return fmt::format(
      "time: {{end: {}, step: {}}}\ngravity: [0, 0, 0]\nsolid:\n  material: {}\n"
      "  box: {{low: [0, 0, 0], high: [{}, {}, {}]}}\n  spacing: {}\n  stabilisation: {}\n"
      "  strain_measure: {}\n"
      "  holds:\n    bottom: {{face: bottom}}\n    west: {{face: west}}\n    south: {{face: south}}\n"
      "    top: {{face: top, {}}}\n",
      cube.end, cube.step, keys.at("soil").text(), cube.size, cube.size, cube.size, cube.spacing,
      keys.at("stabilisation").number(), keys.at("strain_measure").text(), way(keys, cube));
}

std::string tail(const Cube& cube, const char* closed_form) {
  return fmt::format(
             "measure: {{kind: solid-block, plate: top, area: {}, length: {}, closed_form: {}, every: {}}}\n",
             cube.size * cube.size, cube.size, closed_form, cube.step) +
         parts::records(cube.step, cube.end);
}

std::string uniaxial(const Value& keys, const Surroundings&) {
  const Cube cube = cube_of(keys);
  return head(keys, cube) + tail(cube, "uniaxial");
}

std::string hydrostatic(const Value& keys, const Surroundings&) {
  const Cube cube = cube_of(keys);
  const std::string along = way(keys, cube);
  return head(keys, cube) +
         fmt::format("    east: {{face: east, {}}}\n    north: {{face: north, {}}}\n", along, along) +
         tail(cube, "hydrostatic");
}

std::string oedometer(const Value& keys, const Surroundings&) {
  const Cube cube = cube_of(keys);
  return head(keys, cube) + "    east: {face: east}\n    north: {face: north}\n" + tail(cube, "none");
}

std::string triaxial(const Value& keys, const Surroundings&) {
  const Cube cube = cube_of(keys);
  const double stress = -keys.at("stress").number(), settle = keys.at("settle").number();
  const char* const measure = keys.at("strain_measure").text() == "green" ? "piola" : "kirchhoff";
  const auto sides = [&](const std::string& with) {
    return fmt::format("east: {{face: east, measure: {}, {}}}, north: {{face: north, measure: {}, {}}}",
                       measure, with, measure, with);
  };
  const std::string rising = fmt::format("stress_curve: [[0, 0], [{}, {}]]", 0.5 * settle, stress);
  return head(keys, cube) +
         fmt::format(
             "  tractions: {{{}}}\ninitial:\n  prepare:\n    time: {{end: {}}}\n    solid:\n"
             "      holds: {{top: null}}\n"
             "      tractions: {{{}, top: {{face: top, measure: {}, {}}}}}\n",
             sides(fmt::format("stress: {}", stress)), settle, sides("stress: null, " + rising), measure,
             rising) +
         tail(cube, "none");
}

std::vector<Field> fields(const char* strain_doc, std::vector<Field> more = {}) {
  return std::vector<Field>{
             parts::soil("material of the cube; with young, and with soil where it shall yield"),
             field("size", number("m").above(0), "edge of the cube").by_default(Value(1)),
             field("particles", integer().between(3, 60), "along an edge").by_default(Value(6)),
             field("strain", number().strictly_between(-0.6, 1), strain_doc).must(),
             field("unload", number().between(0, 1), "share of the way that it goes back at the end")
                 .by_default(Value(0)),
             field("duration", number("s").above(0), "of all").by_default(Value(4)),
             field("stabilisation", number().at_least(0), "alpha").by_default(Value(0)),
             strain_measure_field(),
             parts::points()} +
         std::move(more);
}

constexpr const char* metrics =
    " Metrics: max_relative_error, strain_spread, axial_yield_stress_Pa, permanent_volume_strain.";

}  // namespace

ExperimentEntry uniaxial_stretch_experiment() {
  return {{.name = "uniaxial-stretch",
           .doc = std::string("A cube is pulled or pressed along z, its sides are free.") + metrics,
           .fields = fields("way of the top over the edge; below 0: pressed")},
          uniaxial};
}

ExperimentEntry hydrostatic_experiment() {
  return {{.name = "hydrostatic-compression",
           .doc = std::string("A cube is pressed, or pulled, alike along x, y and z.") + metrics,
           .fields = fields("way of three faces over the edge; below 0: pressed")},
          hydrostatic};
}

ExperimentEntry oedometer_experiment() {
  return {{.name = "oedometer",
           .doc = std::string("A cube is pressed along z between sides that do not give way.") + metrics,
           .fields = fields("way of the top over the edge; below 0: pressed")},
          oedometer};
}

ExperimentEntry triaxial_solid_experiment() {
  return {{.name = "triaxial",
           .doc = std::string("A cube is pressed from all sides, then along z, while the sides keep their "
                              "stress (that in which the law is written).") +
                  metrics,
           .fields = fields(
               "way of the top after the first stage, over the edge; below 0: pressed",
               {field("stress", number("Pa").above(0), "pressure on the sides").must(), parts::settle(2)})},
          triaxial};
}

}  // namespace hardpan::scenario
