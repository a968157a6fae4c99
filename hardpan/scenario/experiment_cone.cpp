// A dynamic cone penetrometer (MESHFREE 4.4): a rod with a cone at its lower end stands on a block of soil,
// guided along z, and a weight on it falls again and again from the same height on the anvil of the rod,
//
//     rest | lift | hold | fall | rest | lift ...
//
// A motor between rod and weight lifts it; to let it fall, its largest force becomes 0. So the height is
// above the anvil, wherever that is, and rod and weight load the soil by the same weight except while it
// falls. Where the weight meets the anvil is a stop without rebound: of its energy m g H, the share M/(m + M)
// is lost there, M the mass of the rod. Sides of the block are smooth walls, its bottom is rough. The surface
// of the soil is z = 0, and the tip of the cone stands there at first, between four particles: one alone
// would be pushed through its neighbours, which strains do not see (docs/models/meshfree.md).
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

constexpr double at_once = 1e-6;  // s: what is shorter than any step
constexpr double strong = 20;     // largest force of what lifts, over the weight
constexpr double gently = 0.5;    // largest acceleration as it is lifted, over gravity: the rod must not jump
constexpr double hold = 0.1;      // s, lifted
constexpr double slenderness = 3;  // of the rod: its length over the diameter of the cone

struct Course {
  double step, settle, lift, rest, fall, period, end;
  std::int64_t blows;
};

Course course_of(const Value& keys, double gravity) {
  Course course;
  course.step = keys.at("step").number();
  course.settle = keys.at("settle").number();
  course.lift = std::numbers::pi * std::sqrt(0.5 * keys.at("drop").number() / (gently * gravity));
  course.rest = keys.at("rest").number();
  course.blows = keys.at("blows").integer();
  course.fall = std::sqrt(2 * keys.at("drop").number() / gravity);
  // Whole steps, so that every blow finds the same.
  course.period = course.step * std::ceil((course.lift + hold + course.fall + course.rest) / course.step);
  course.settle = course.step * std::ceil(course.settle / course.step * (1 - 1e-9));
  course.end = course.settle + static_cast<double>(course.blows) * course.period;
  return course;
}

// Height of the weight above the anvil that the motor wants, and its largest force.
std::string motor(const Course& course, double drop, double weight) {
  constexpr int pieces = 8;
  std::string target, bound;
  for (std::int64_t k = 0; k < course.blows; ++k) {
    const double start = course.settle + static_cast<double>(k) * course.period;
    const double release = start + course.lift + hold;
    for (int i = 0; i <= pieces; ++i)
      target += fmt::format("[{}, {}], ", start + course.lift * i / pieces,
                            0.5 * drop * (1 - std::cos(std::numbers::pi * i / pieces)));
    target += fmt::format("[{}, {}], [{}, 0], ", release, drop, release + at_once);
    bound += fmt::format("[{}, 0], [{}, {}], [{}, {}], [{}, 0], ", start, start + at_once, strong * weight,
                         release, strong * weight, release + at_once);
  }
  return fmt::format(
      "motors:\n  lift:\n    kind: position\n    coordinate: fall\n    target_curve: [{}]\n"
      "    max_force_curve: [{}]\n",
      target, bound);
}

std::string solid(const Value& keys) {
  const Vec3 size = vec3(keys.at("size"));
  std::string text = fmt::format(
      "solid:\n  material: {}\n  box: {{low: [{}, {}, {}], high: [{}, {}, 0]}}\n  spacing: {}\n"
      "  contact_points: {}\n  holds:\n    west: {{face: west}}\n    east: {{face: east}}\n"
      "    south: {{face: south}}\n    north: {{face: north}}\n    bottom: {{face: bottom}}\n"
      "    rough-x: {{face: bottom, direction: [1, 0, 0]}}\n"
      "    rough-y: {{face: bottom, direction: [0, 1, 0]}}\n",
      keys.at("soil").text(), -0.5 * size.x(), -0.5 * size.y(), -size.z(), 0.5 * size.x(), 0.5 * size.y(),
      keys.at("spacing").number(), keys.at("contact_points").integer());
  if (const Value* rock = keys.find("rock"))
    text += fmt::format("  parts: [{{material: rock, ball: [0, 0, {}, {}]}}]\n",
                        -keys.at("rock_depth").number() - rock->number(), rock->number());
  return text;
}

std::string bodies(const Value& keys) {
  const double radius = 0.5 * keys.at("cone_diameter").number(), rod = 0.6 * radius;
  const double height = radius / std::tan(0.5 * *find_angle(keys, "cone_angle"));
  const double length = 2 * slenderness * radius, drop = keys.at("drop").number();
  return fmt::format(
      "bodies:\n  rod:\n    mass: {}\n    material: {}\n    position: [0, 0, {}]\n    shapes:\n"
      "      - {{kind: cone, radius: {}, height: {}, at: [0, 0, {}], orientation: {{roll_deg: 180}}}}\n"
      "      - {{kind: cylinder, radius: {}, length: {}, at: [0, 0, {}]}}\n"
      "  weight: {{mass: {}, position: [0, 0, {}], shape: {{kind: cylinder, radius: {}, length: {}}}}}\n"
      "joints:\n"
      "  guide: {{kind: slider, between: [world, rod], at: [0, 0, {}], axis: [0, 0, 1]}}\n"
      "  fall: {{kind: slider, between: [rod, weight], at: [0, 0, {}], axis: [0, 0, 1], lower: 0}}\n",
      keys.at("rod_mass").number(), keys.at("walls").text(), height, radius, height, -0.25 * height, rod,
      length, 0.5 * length, keys.at("weight").number(), height + length + 0.5 * radius, radius, radius,
      height, height + length + drop);
}

std::string yaml(const Value& keys, const Surroundings& around) {
  if (!(around.gravity > 0))
    throw InputError(keys.mark(), "experiment: without gravity along -z the weight does not fall");
  const Course course = course_of(keys, around.gravity);
  const double drop = keys.at("drop").number(), weight = around.gravity * keys.at("weight").number();
  const double rows = static_cast<double>(keys.at("points").integer());
  const double every = course.step * std::max(1.0, std::floor(course.end / course.step / rows));
  std::string reads;
  for (std::int64_t k = 0; k <= course.blows; ++k)
    reads += fmt::format("{}, ", course.settle + static_cast<double>(k) * course.period);
  std::string text = fmt::format("time: {{end: {}, step: {}}}\n", course.end, course.step);
  text += "solver: {kind: newton, matrix_free: true, friction: convex}\n";
  if (keys.find("rock")) text += "materials:\n  rock: {density: 2600, young: 1.0e+8, poisson: 0.25}\n";
  text += solid(keys) + bodies(keys) + motor(course, drop, weight);
  text += fmt::format(
      "measure:\n  kind: cone-penetrometer\n  cone: rod\n  weight: weight\n  energy: {}\n  reads: [{}]\n"
      "  window: {}\n  every: {}\n",
      weight * drop, reads, 0.5 * std::min(course.settle, course.rest), every);
  return text + parts::records(every, course.end);
}

void check(const Value& keys, Complain& complain) {
  const Vec3 size = vec3(keys.at("size"));
  const double diameter = keys.at("cone_diameter").number(), d = keys.at("spacing").number();
  for (const double length : {size.x(), size.y()})
    if (const double cells = std::round(length / d); std::fmod(cells, 2) != 1)
      return complain("size",
                      fmt::format("{} m is {} times the spacing: an odd number is needed, so that the "
                                  "tip stands between particles",
                                  length, cells));
  if (2 * diameter > std::min(size.x(), size.y()))
    complain("cone_diameter", "the block must be at least twice as wide");
  if (diameter < 1.5 * d)
    complain("cone_diameter", fmt::format("must be at least 1.5 times the spacing, {:.3g} m: a thinner one "
                                          "goes between particles",
                                          1.5 * d));
  const double angle = *find_angle(keys, "cone_angle"), degree = std::numbers::pi / 180;
  if (!(angle >= 75 * degree && angle <= 170 * degree))
    complain("cone_angle",
             "must lie between 75 and 170 degrees, from side to side: a flat surface does not "
             "feel what is sharper (docs/models/meshfree.md)");
  if (const Value* rock = keys.find("rock");
      rock && keys.at("rock_depth").number() + 2 * rock->number() > size.z())
    complain("rock", "must fit into the block, below rock_depth");
}

}  // namespace

ExperimentEntry cone_penetrometer_experiment() {
  return {
      {.name = "cone-penetrometer",
       .doc =
           "A weight falls again and again on a rod with a cone at its end, which stands on a block of "
           "soil. Depths are means over the last half of each rest. Metrics: penetration_m (of all blows), "
           "penetration_first_m, penetration_last_m, resistance_N (energy of the falls over "
           "penetration), and of each blow penetration_1_m, resistance_1_N and so on.",
       .fields =
           {parts::soil("material of the block"), parts::walls("material of the cone"),
            field("size", vector(3, "m").above(0), "of the block: length, width, depth").must(),
            field("spacing", number("m").above(0), "of particles").must(),
            field("cone_diameter", number("m").above(0), "of its base").must(),
            field("cone_angle", angle(), "of the cone at its tip, from side to side").must(),
            field("rod_mass", number("kg").above(0), "of rod and cone").must(),
            field("weight", number("kg").above(0), "mass of what falls").must(),
            field("drop", number("m").above(0), "from which it falls, above the anvil").must(),
            field("blows", integer().between(1, 100), "how often").must(),
            field("rock", number("m").above(0),
                  "radius of a ball in the soil, below the cone; default: none. Its material is "
                  "materials.rock: 2600 kg/m^3, 100 MPa where nothing else is said"),
            field("rock_depth", number("m").above(0), "of its top below the surface"),
            field("step", number("s").above(0), "of time").by_default(Value(1e-3)),
            field("settle", number("s").above(0), "before the first blow").by_default(Value(1)),
            field("rest", number("s").above(0), "after the weight has met the anvil").by_default(Value(0.6)),
            field("contact_points", integer().between(1, 8), "as in solid").by_default(Value(4)),
            parts::points(400)},
       .groups = {needs("rock", {"rock_depth"}), needs("rock_depth", {"rock"})},
       .check = check},
      yaml};
}

}  // namespace hardpan::scenario
