// A beam along x is dropped on two thin cylinders that stand, and comes to rest; then a larger cylinder is
// pressed down on its middle, lifted again, and the beam comes to rest once more (MESHFREE 4.3.3). Whether it
// is elastic or yields is up to its material. The tops of the supports are at z = 0. Press and supports stand
// between two rows of particles: a load on one row alone moves every other row, which strains do not see
// (docs/models/meshfree.md).
#include <cmath>

#include <fmt/core.h>

#include "hardpan/scenario/experiment_kinds.h"
#include "hardpan/scenario/experiment_parts.h"
#include "hardpan/scenario/numbers.h"

namespace hardpan::scenario {
namespace {

namespace parts = experiment_parts;

constexpr double step = 2e-3;      // s
constexpr double overhang = 1.25;  // of cylinders, over the width of the beam

// Along its length.
double cells_of(const Value& keys) {
  return std::round(keys.at("size").items()[0].number() / keys.at("spacing").number());
}

// By default whole cells from the middle on.
double span_of(const Value& keys) {
  const double cells = cells_of(keys), length = keys.at("size").items()[0].number();
  return number_or(keys, "span", 2 * std::round(0.4 * cells) * length / cells);
}

// Of bodies: a cylinder along y whose axis is at x and z.
std::string cylinder(const Value& keys, const char* name, const char* state, double radius, double x,
                     double z) {
  return fmt::format(
      "  {}:\n    {}\n    material: {}\n    position: [{}, 0, {}]\n    orientation: {{roll_deg: 90}}\n"
      "    shape: {{kind: cylinder, radius: {}, length: {}}}\n",
      name, state, keys.at("walls").text(), x, z, radius, overhang * keys.at("size").items()[1].number());
}

std::string yaml(const Value& keys, const Surroundings&) {
  const Vec3 size = vec3(keys.at("size"));
  const double span = span_of(keys), drop = keys.at("drop").number();
  const double support = keys.at("support_radius").number(), press = keys.at("press_radius").number();
  const double settle = keys.at("settle").number(), way = drop + keys.at("press").number();
  const double down = settle + keys.at("duration").number(), up = down + keys.at("duration").number();
  const double end = up + settle, every = end / static_cast<double>(keys.at("points").integer());
  const double top = size.z() + drop;
  return fmt::format(
             "time: {{end: {}, step: {}}}\n"
             "solver: {{kind: newton, matrix_free: true, friction: convex}}\n"
             "solid:\n  material: {}\n  box: {{low: [{}, {}, {}], high: [{}, {}, {}]}}\n  spacing: {}\n"
             "  contact_points: {}\n",
             end, std::min(step, every), keys.at("beam").text(), -0.5 * size.x(), -0.5 * size.y(), drop,
             0.5 * size.x(), 0.5 * size.y(), top, keys.at("spacing").number(),
             keys.at("contact_points").integer()) +
         "bodies:\n" + cylinder(keys, "support-1", "fixed: true", support, -0.5 * span, -support) +
         cylinder(keys, "support-2", "fixed: true", support, 0.5 * span, -support) +
         cylinder(keys, "press", "mass: 1", press, 0, top + press) +
         fmt::format(
             "joints:\n"
             "  guide: {{kind: slider, between: [world, press], at: [0, 0, {}], axis: [0, 0, 1]}}\n"
             "motors:\n"
             "  drive: {{kind: position, coordinate: guide, target_curve: [[0, 0], [{}, 0], [{}, {}], [{}, "
             "0]]}}\n"
             "measure: {{kind: beam-bending, press: press, supports: [{}, {}], middle: 0, from: {}, every: "
             "{}}}\n",
             top + press, settle, down, -way, up, -0.5 * span, 0.5 * span, settle, every) +
         parts::records(every, end);
}

void check(const Value& keys, Complain& complain) {
  const Vec3 size = vec3(keys.at("size"));
  if (std::fmod(cells_of(keys), 2) != 1)
    complain("size", fmt::format("the length is {} times the spacing: an odd number is needed, so that the "
                                 "middle lies between two rows of particles",
                                 cells_of(keys)));
  if (span_of(keys) > size.x()) complain("span", "the supports must be below the beam");
  if (keys.at("spacing").number() > 0.5 * size.z())
    complain("spacing", "at least three particles along the height: fewer do not bend");
  if (keys.at("press").number() > 0.5 * span_of(keys))
    complain("press", "must be at most half of the span: the beam would slip through");
}

}  // namespace

ExperimentEntry beam_bending_experiment() {
  return {
      {.name = "beam-bending",
       .doc = "A beam is dropped to rest on two thin cylinders, then a larger one is pressed down on its "
              "middle and lifted again. Metrics: deflection_m (largest, of the middle against the supports, "
              "as means over cross-sections), residual_deflection_m (at the end), both without what it sags "
              "by before; press_force_max_N; stiffness_N_per_m (force over deflection at the largest force).",
       .fields =
           {field("beam", reference("materials"), "material of the beam").must(),
            parts::walls("material of supports and press"),
            field("size", vector(3, "m").above(0), "of the beam: length, width, height").must(),
            field("spacing", number("m").above(0), "of particles").must(),
            field("span", number("m").above(0),
                  "between supports; default: 0.8 of the length, in whole cells"),
            field("support_radius", number("m").above(0), "of the thin cylinders").must(),
            field("press_radius", number("m").above(0), "of the larger one").must(),
            field("drop", number("m").at_least(0), "height from which it falls on the supports").must(),
            field("press", number("m").above(0), "way of the press below the top of an unbent beam").must(),
            field("duration", number("s").above(0), "of pressing, and of lifting").by_default(Value(1)),
            field("settle", number("s").above(0), "before it is pressed, and after").by_default(Value(1)),
            field("contact_points", integer().between(1, 8), "as in solid").by_default(Value(4)),
            parts::points()},
       .check = check},
      yaml};
}

}  // namespace hardpan::scenario
