#include "hardpan/scenario/ground.h"

#include <fmt/core.h>

#include "hardpan/scenario/numbers.h"

namespace hardpan::scenario {
namespace {

constexpr const char* rigid_grains = "grains-complementarity";

bool is_rigid(const Value& ground) { return ground.at("model").text() == rigid_grains; }

Object force_object() {
  return {
      .name = "force",
      .doc = "How grains push each other, and bodies.",
      .fields =
          {field("normal", choice({"hertz", "hooke"}),
                 "hertz: by young and poisson of the materials; hooke: by their stiffness")
               .by_default(Value("hertz")),
           field("tangential", choice({"incremental", "displacement", "pseudo", "none"}),
                 "incremental: a spring with history that creates no energy; displacement: the published one "
                 "with true history; pseudo: a spring without history; none: a damper alone")
               .by_default(Value("incremental")),
           field("stiffness_ratio", number().above(0),
                 "tangential over normal stiffness; default: Mindlin's by poisson (hertz), 2/7 (hooke)"),
           field("normal_damping", number().at_least(0),
                 "gamma_n, instead of restitution: 1/s (hooke), 1/(m s) (hertz)"),
           field("tangential_damping", number().at_least(0), "gamma_t, likewise"),
           field("rolling_friction", number().at_least(0),
                 "largest rolling moment over pressing force and effective radius; 0: none")
               .by_default(Value(0)),
           field("twisting_friction", number().at_least(0), "likewise, about the normal")
               .by_default(Value(0)),
           field("adhesion", number("J/m^2").at_least(0),
                 "work to separate unit area of two surfaces: grains that touch attract each other with 2 pi "
                 "times "
                 "this times the effective radius; 0: none")
               .by_default(Value(0))},
      .groups = {needs("normal_damping", {"tangential_damping"}),
                 needs("tangential_damping", {"normal_damping"})}};
}

Type sizes_type() {
  const Field smallest = field("smallest", number("m").above(0), "smallest diameter").must();
  const Field largest = field("largest", number("m").above(0), "largest diameter").must();
  const Check in_order = [](const Value& sizes, Complain& complain) {
    if (!(sizes.at("smallest").number() < sizes.at("largest").number()))
      complain("largest", "must be larger than smallest");
  };
  return kinds(
      "sizes",
      {{.name = "uniform",
        .doc = "Every diameter between two is as frequent.",
        .fields = {smallest, largest},
        .check = in_order},
       {.name = "log-normal",
        .doc = "Log-normal by mass, cut off below and above.",
        .fields = {field("median", number("m").above(0), "D50: half of the mass is finer").must(),
                   field("uniformity", number().above(1), "D60/D10").must(), smallest, largest},
        .check = in_order},
       {.name = "table",
        .doc = "A sieve curve.",
        .fields = {field("passing", list_of(vector(2).at_least(0), 2),
                         "[diameter in m, share of the mass that is finer], from share 0 to 1")
                       .must()},
        .check = [](const Value& sizes, Complain& complain) {
          const auto& rows = sizes.at("passing").items();
          const auto share = [&](std::size_t k) { return rows[k].items()[1].number(); };
          for (std::size_t k = 1; k < rows.size(); ++k)
            if (!(rows[k].items()[0].number() > rows[k - 1].items()[0].number()) || share(k) < share(k - 1))
              return complain("passing", "diameters must increase, and shares must not decrease");
          if (!(rows[0].items()[0].number() > 0)) complain("passing", "diameters must be greater than 0 m");
          if (share(0) != 0 || share(rows.size() - 1) != 1)
            complain("passing", "the first share must be 0, the last one 1");
        }}});
}

Object fill_object() {
  return {
      .name = "fill",
      .doc =
          "A region full of grains at the start: loose, on a lattice, each somewhere in its cell. They "
          "are meant to fall.",
      .fields =
          {field("low", vector(3, "m"), "lowest corner").must(),
           field("high", vector(3, "m"), "highest corner").must(),
           field("region", choice({"box", "cylinder"}),
                 "cylinder: upright, in the middle, as wide as the box is in x")
               .by_default(Value("box")),
           field("method", choice({"lattice", "random", "growth"}),
                 "lattice: each grain somewhere in a cell of its own; random: wherever there is room, the "
                 "largest first, up to 0.25 to 0.35 of the volume; growth: scattered small, grown until they "
                 "fill the region with void_ratio")
               .by_default(Value("lattice")),
           field("count", integer().at_least(1),
                 "of grains; default: all that fit on a lattice, which is filled from below"),
           field("void_ratio", number().above(0),
                 "of growth: volume of voids over that of grains; equal spheres reach about 0.6"),
           field("spacing", number().at_least(1), "of the lattice, over the largest diameter")
               .by_default(Value(1.05)),
           field("jitter", number().between(0, 1),
                 "share of the free room in a cell of the lattice that is used")
               .by_default(Value(1)),
           field("velocity", vector(3, "m/s"), "of all grains at the start")
               .by_default(Value::numbers({0, 0, 0}))},
      .check = [](const Value& fill, Complain& complain) {
        if (fill.at("method").text() == "random" && !fill.find("count"))
          complain("method", "random needs a count");
        const bool grows = fill.at("method").text() == "growth";
        if (grows != (fill.find("void_ratio") != nullptr))
          complain(grows ? "method" : "void_ratio",
                   grows ? "growth needs a void_ratio" : "belongs to method growth: it would be ignored");
        if (grows && fill.find("count"))
          complain("count", "follows from void_ratio with method growth: it would be ignored");
        for (std::size_t k = 0; k < 3; ++k)
          if (!(fill.at("low").items()[k].number() < fill.at("high").items()[k].number()))
            return complain("high", "must lie above low in x, y and z");
      }};
}

Object range_object() {
  return {.name = "world",
          .doc = "A box in space.",
          .fields = {field("low", vector(3, "m"), "lowest corner").must(),
                     field("high", vector(3, "m"), "highest corner").must()}};
}

Object periodic_object() {
  std::vector<Field> axes;
  for (const char* axis : {"x", "y", "z"})
    axes.push_back(field(axis, vector(2, "m"), "[from, to]: what leaves at one end comes in at the other"));
  return {.name = "periodic",
          .doc = "Directions in which space repeats itself; bodies do not.",
          .fields = std::move(axes),
          .check = [](const Value& periodic, Complain& complain) {
            for (const Value::Entry& axis : periodic.entries())
              if (!(axis.value.items()[0].number() < axis.value.items()[1].number()))
                complain(axis.key, "expected [from, to] with from below to");
          }};
}

// What only one kind of grains has.
void check_rigid(const Value& ground, Complain& complain) {
  for (const char* key : {"force", "clump", "periodic", "step", "world"})
    if (ground.find(key)) complain(key, "belongs to model grains-penalty: it would be ignored");
}

void check_penalty(const Value& ground, const Value& material, Complain& complain) {
  const bool hertz = grain_force(ground, material).at("normal").text() == "hertz";
  const char* needed = hertz ? "young" : "stiffness";
  if (!material.find(needed))
    complain("material", fmt::format("'{}' has no {}, which force.normal: {} needs",
                                     ground.at("material").text(), needed, hertz ? "hertz" : "hooke"));
  const bool clumps = ground.find("clump") || ground.at("shape_ratio").number() != 1;
  if (clumps && ground.find("fill") && ground.at("fill").find("void_ratio"))
    complain(ground.find("clump") ? "clump" : "shape_ratio",
             "growth to a void ratio is for spheres, not for clumps");
  if (const Value* clump = ground.find("clump"))
    for (const Value& sphere : clump->items()) {
      const double d = sphere.items()[3].number();
      if (!(d > 0) || vec3(sphere).norm() + 0.5 * d > 0.5 + 1e-9)
        return complain("clump", "each sphere must have a diameter and lie within a ball of diameter 1");
    }
  if (const Value* world = ground.find("world"))
    for (std::size_t k = 0; k < 3; ++k)
      if (!(world->at("low").items()[k].number() < world->at("high").items()[k].number()))
        return complain("world", "high must lie above low in x, y and z");
}

void check_ground(const Value& ground, Complain& complain) {
  const Value& material = complain.root().at("materials").at(ground.at("material").text());
  if (!material.find("density"))
    complain("material", fmt::format("'{}' has no density, which grains need", ground.at("material").text()));
  if (ground.find("fill") && !ground.find("diameter") && !ground.find("sizes"))
    complain("fill", "needs diameter or sizes");
  if (ground.find("clump") && ground.at("shape_ratio").number() != 1)
    complain("clump", "grains have one shape: clump or shape_ratio");
  if (is_rigid(ground))
    check_rigid(ground, complain);
  else
    check_penalty(ground, material, complain);
}

}  // namespace

Object ground_object() {
  return {
      .name = "ground",
      .doc = "Soil. Bodies with a material touch it.",
      .fields =
          {field("model", choice({"grains-penalty", "grains-complementarity"}),
                 "grains-penalty: spheres that overlap a little and push each other apart; "
                 "grains-complementarity: rigid spheres or ellipsoids, solved with the machine")
               .must(),
           field("material", reference("materials"), "of the grains; needs a density").must(),
           field("diameter", number("m").above(0), "of equal grains"),
           field("sizes", sizes_type(), "of different ones"),
           field("fill", object(fill_object()), "a region to fill with grains"),
           field("grains", list_of(vector(4, "m"), 1), "grains one by one: [x, y, z, diameter]"),
           field("clump", list_of(vector(4), 2),
                 "the shape of all grains: [x, y, z, diameter] of spheres that make up a rigid clump, "
                 "in diameters "
                 "of the grain, within a ball of diameter 1 around the origin; turned at random"),
           field("shape_ratio", number().between(0.2, 5),
                 "of ellipsoids of rotation, whose longest diameter is the diameter: below 1 flat, the "
                 "axis over the diameter; above 1 long, the length over the width; 1: spheres. "
                 "grains-penalty makes clumps of spheres within")
               .by_default(Value(1)),
           field("force", object(force_object()),
                 "how grains push (grains-penalty); default: hooke where the material has a stiffness, "
                 "else hertz"),
           field("periodic", object(periodic_object()),
                 "directions in which space repeats itself (grains-penalty)"),
           field(
               "step", number("s").above(0),
               "longest step of the grains, of which a time step holds as many as it needs; default: a "
               "twentieth of the Rayleigh time (hertz) or of the collision time (hooke; 0.02 of it over the "
               "damping ratio where the restitution is below 0.27)"),
           field("world", object(range_object()),
                 "a grain that leaves it ends the run; default: far around all that there is")},
      .groups = {at_least_one({"fill", "grains"}), at_most_one({{"diameter"}, {"sizes"}}),
                 needs("diameter", {"fill"}), needs("sizes", {"fill"})},
      .check = check_ground};
}

Value grain_force(const Value& ground, const Value& material) {
  if (const Value* given = ground.find("force")) return *given;
  Value keys = Value::map();
  if (material.find("stiffness")) keys.set("normal", Value("hooke"));
  return resolve(force_object(), keys);
}

bool has_rigid_grains(const Value& scenario) {
  const Value* ground = scenario.find("ground");
  return ground && is_rigid(*ground);
}

bool asks_for_rigid_grains(const Value& tree) {
  const Value* ground = tree.is(Value::Type::map) ? tree.find("ground") : nullptr;
  const Value* model = ground && ground->is(Value::Type::map) ? ground->find("model") : nullptr;
  return model && model->is(Value::Type::text) && model->text() == rigid_grains;
}

void choose_solver(Value& tree) {
  const bool grains = asks_for_rigid_grains(tree);
  const bool machine_on_solid = tree.is(Value::Type::map) && tree.find("solid") && tree.find("bodies");
  if (!grains && !machine_on_solid) return;
  if (!tree.find("solver")) tree.set("solver", Value::map());
  Value& solver = *tree.find("solver");
  if (!solver.is(Value::Type::map) || solver.find("kind")) return;
  const auto unless_given = [&](const char* key, Value value) {
    if (!solver.find(key)) solver.set(key, std::move(value));
  };
  if (grains) {
    solver.set("kind", Value("pgs"));
    unless_given("max_iterations", Value(10000));
  } else {
    solver.set("kind", Value("newton"));
    unless_given("matrix_free", Value(true));
    unless_given("tolerance", Value(1e-5));
  }
}

// DEM-C, 2.1.2.
Vec3 grain_axes(const Value& ground) {
  const double ratio = ground.at("shape_ratio").number();
  return ratio <= 1 ? Vec3(1, ratio, 1) : Vec3(1 / ratio, 1, 1 / ratio);
}

}  // namespace hardpan::scenario
