#include "hardpan/scenario/ground.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <fmt/core.h>

#include "hardpan/core/random.h"
#include "hardpan/core/text.h"
#include "hardpan/grains/fill.h"
#include "hardpan/grains/growth.h"
#include "hardpan/material/grain_time.h"
#include "hardpan/scenario/numbers.h"

namespace hardpan::scenario {
namespace {

using material::GrainLaw;
using material::NormalForce;
using material::TangentialForce;

// Shares of the shortest time of the smallest grain (material/grain_time.h); measured on packed beds, see
// docs/models/grains-penalty.md.
constexpr double usual_share = 0.05, largest_share = 0.2;
// Of its radius, by which a grain may reach into something at the start.
constexpr double allowed_overlap = 0.05;

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

void check_ground(const Value& ground, Complain& complain) {
  const Value& material = complain.root().at("materials").at(ground.at("material").text());
  if (!material.find("density"))
    complain("material", fmt::format("'{}' has no density, which grains need", ground.at("material").text()));
  if (ground.find("fill") && !ground.find("diameter") && !ground.find("sizes"))
    complain("fill", "needs diameter or sizes");
  const bool hertz = ground.at("force").at("normal").text() == "hertz";
  const char* needed = hertz ? "young" : "stiffness";
  if (!material.find(needed))
    complain("material", fmt::format("'{}' has no {}, which force.normal: {} needs",
                                     ground.at("material").text(), needed, hertz ? "hertz" : "hooke"));
  if (ground.find("clump") && ground.find("fill") && ground.at("fill").find("void_ratio"))
    complain("clump", "growth to a void ratio is for spheres, not for clumps");
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

// ---- from keys to the model

// A material without modulus is rigid.
material::Elasticity elasticity(const Value& material) {
  const Value* young = material.find("young");
  if (!young) return {std::numeric_limits<double>::infinity(), 0};
  return {young->number(), material.at("poisson").number()};
}

GrainLaw law_of(const Value& force, const Value& a, const Value& b, const material::ContactLaw& pair) {
  const bool hertz = force.at("normal").text() == "hertz";
  GrainLaw law = hertz ? material::hertz_law(elasticity(a), elasticity(b), pair.restitution, pair.friction)
                       : material::hooke_law(1 / pair.compliance, 2.0 / 7.0 / pair.compliance,
                                             pair.restitution, pair.friction);
  const std::string& tangential = force.at("tangential").text();
  law.tangential = tangential == "none"           ? TangentialForce::none
                   : tangential == "pseudo"       ? TangentialForce::pseudo
                   : tangential == "displacement" ? TangentialForce::displacement
                                                  : TangentialForce::incremental;
  if (const Value* ratio = force.find("stiffness_ratio")) law.stiffness_t = ratio->number() * law.stiffness_n;
  law.rolling = force.at("rolling_friction").number();
  law.twisting = force.at("twisting_friction").number();
  law.adhesion = force.at("adhesion").number();
  if (const Value* given = force.find("normal_damping")) {
    law.damping_given = true;
    law.damping_n = given->number();
    law.damping_t = force.at("tangential_damping").number();
  }
  return law;
}

grains::Sizes sizes_of(const Value& ground) {
  if (const Value* diameter = ground.find("diameter")) return grains::Sizes::equal(diameter->number());
  const Value& sizes = ground.at("sizes");
  const std::string& kind = sizes.at("kind").text();
  if (kind == "table") {
    std::vector<double> diameter, share;
    for (const Value& row : sizes.at("passing").items()) {
      diameter.push_back(row.items()[0].number());
      share.push_back(row.items()[1].number());
    }
    return grains::Sizes::passing(diameter, share);
  }
  const double smallest = sizes.at("smallest").number(), largest = sizes.at("largest").number();
  if (kind == "uniform") return grains::Sizes::uniform(smallest, largest);
  return grains::Sizes::log_normal(sizes.at("median").number(),
                                   grains::deviation_of_uniformity(sizes.at("uniformity").number()), smallest,
                                   largest);
}

grains::Vec columns(const Value& list) {
  const Vec3 v = vec3(list);
  return {v.x(), v.y(), v.z()};
}

class GroundBuilder {
 public:
  GroundBuilder(const Value& scenario, const couple::ContactModel& contacts, const multibody::Model& bodies)
      : scenario_(scenario), ground_(scenario.at("ground")), contacts_(contacts), bodies_(bodies) {
    const auto& names = contacts.materials;
    material_ =
        static_cast<std::size_t>(std::ranges::find(names, ground_.at("material").text()) - names.begin());
  }

  couple::GrainBedModel build() {
    model_.grains.gravity = columns(scenario_.at("gravity"));
    add_laws();
    add_space();
    add_clump();
    add_grains();
    const grains::System grains(model_.grains);  // all spheres, those of clumps too
    choose_step(grains);
    bound_world(grains);
    check_overlaps(grains);
    model_.max_energy_growth = scenario_.at("solver").at("max_energy_growth").number();
    return std::move(model_);
  }

 private:
  const Value& material_keys(std::size_t k) const {
    return scenario_.at("materials").at(contacts_.materials[k]);
  }

  void add_laws() {
    const Value& force = ground_.at("force");
    const Value& own = material_keys(material_);
    model_.surfaces = contacts_.surfaces;
    model_.materials = contacts_.materials.size();
    for (std::size_t k = 0; k < model_.materials; ++k)
      model_.laws.push_back(law_of(force, own, material_keys(k), contacts_.law(material_, k)));
    model_.grains.laws = {model_.laws[material_]};
  }

  void add_space() {
    const Value* periodic = ground_.find("periodic");
    if (!periodic) return;
    for (std::size_t k = 0; k < 3; ++k)
      if (const Value* range = periodic->find(std::string(1, "xyz"[k]))) {
        const double low = range->items()[0].number(), high = range->items()[1].number();
        model_.grains.space.axes[k] = {true, low, high - low};
      }
  }

  double density() const { return material_keys(material_).at("density").number(); }

  // As a grain of diameter 1.
  void add_clump() {
    const Value* keys = ground_.find("clump");
    if (!keys) return;
    std::vector<grains::Member> spheres;
    for (const Value& sphere : keys->items())
      spheres.push_back({columns(sphere), 0.5 * sphere.items()[3].number()});
    clump_ = grains::solid_clump(spheres, density());
  }

  void add_grain(const grains::Vec& at, double radius, const grains::Vec& velocity) {
    if (clump_) return add_clump(at, 2 * radius, velocity);
    model_.grains.grains.push_back(
        {.position = at, .velocity = velocity, .radius = radius, .density = density()});
  }

  void add_clump(const grains::Vec& at, double size, const grains::Vec& velocity) {
    grains::Clump clump = *clump_;
    clump.position = size * clump.position;
    clump.mass *= std::pow(size, 3);
    clump.inertia = std::pow(size, 5) * clump.inertia;
    for (grains::Member& member : clump.members) member = {size * member.offset, size * member.radius};
    clump = grains::placed(std::move(clump), at, random_turn(model_.grains.clumps.size()));
    clump.velocity = velocity;
    model_.grains.clumps.push_back(std::move(clump));
  }

  // Uniform over all rotations (Shoemake, in Graphics Gems III, 1992, 124-132).
  Quat random_turn(std::uint64_t number) const {
    const CounterRandom random(static_cast<std::uint64_t>(scenario_.at("seed").integer()), 3);
    const double u = random.uniform(3 * number), v = 2 * std::numbers::pi * random.uniform(3 * number + 1),
                 w = 2 * std::numbers::pi * random.uniform(3 * number + 2);
    return {std::sqrt(1 - u) * std::sin(v), std::sqrt(1 - u) * std::cos(v), std::sqrt(u) * std::sin(w),
            std::sqrt(u) * std::cos(w)};
  }

  void add_grains() {
    if (const Value* placed = ground_.find("grains"))
      for (const Value& grain : placed->items())
        add_grain(columns(grain), 0.5 * grain.items()[3].number(), {});
    const Value* keys = ground_.find("fill");
    if (!keys) return;
    grains::Fill fill;
    fill.method =
        keys->at("method").text() == "random" ? grains::Fill::Method::random : grains::Fill::Method::lattice;
    fill.region =
        keys->at("region").text() == "box" ? grains::Fill::Region::box : grains::Fill::Region::cylinder;
    fill.low = columns(keys->at("low"));
    fill.high = columns(keys->at("high"));
    fill.sizes = sizes_of(ground_);
    fill.count = keys->find("count") ? static_cast<std::size_t>(keys->at("count").integer()) : 0;
    fill.spacing = keys->at("spacing").number();
    fill.jitter = keys->at("jitter").number();
    fill.seed = static_cast<std::uint64_t>(scenario_.at("seed").integer());
    const std::vector<grains::Sphere> spheres =
        keys->find("void_ratio") ? grown(fill, keys->at("void_ratio")) : grains::filled(fill);
    if (spheres.empty())
      throw InputError(
          keys->mark(),
          fmt::format("ground.fill: there is no room for a single grain: the largest are {:.3g} m wide{}",
                      fill.sizes.largest(), keys->find("void_ratio") ? "" : ", times spacing on a lattice"));
    if (spheres.size() < fill.count)
      throw InputError(keys->at("count").mark(),
                       fmt::format("ground.fill.count: there is room for {} grains, not for {}: make the "
                                   "region higher",
                                   spheres.size(), fill.count));
    for (const grains::Sphere& sphere : spheres)
      add_grain(sphere.centre, sphere.radius, columns(keys->at("velocity")));
  }

  static std::vector<grains::Sphere> grown(const grains::Fill& fill, const Value& void_ratio) {
    grains::Growth growth = grains::grown(fill, void_ratio.number());
    if (!growth.reached())
      throw InputError(void_ratio.mark(),
                       fmt::format("ground.fill.void_ratio: grains of these sizes do not reach {} in this "
                                   "region: they still overlap by {:.2g} of their radii (equal spheres reach "
                                   "about 0.6, near walls less dense)",
                                   void_ratio.number_text(), growth.overlap));
    return std::move(growth.spheres);
  }

  void choose_step(const grains::System& grains) {
    double shortest_time = std::numeric_limits<double>::infinity();
    const GrainLaw& law = model_.grains.laws[0];
    for (std::size_t i = 0; i < grains.size(); ++i)
      shortest_time = std::min(
          shortest_time,
          law.normal == NormalForce::hertz
              ? material::rayleigh_time(elasticity(material_keys(material_)), grains.radius(i), density())
              : material::collision_time(law.stiffness_n, grains.mass(i)));
    const Value* given = ground_.find("step");
    model_.step = given ? given->number() : usual_share * shortest_time;
    if (given && given->number() > largest_share * shortest_time)
      throw InputError(
          given->mark(),
          fmt::format("ground.step: {} s is {:.2g} of the {} time of the smallest grain, {:.3g} s; at most "
                      "{:g} of it is safe, {:.2g} s",
                      given->number_text(), given->number() / shortest_time,
                      law.normal == NormalForce::hertz ? "Rayleigh" : "collision", shortest_time,
                      largest_share, largest_share * shortest_time));
  }

  // As given, or far around all that there is.
  void bound_world(const grains::System& grains) {
    if (const Value* world = ground_.find("world")) {
      model_.world = {vec3(world->at("low")), vec3(world->at("high"))};
      return;
    }
    geometry::Aabb all;
    for (std::size_t i = 0; i < grains.size(); ++i) all = all.merged(place_of(grains, i));
    for (const couple::Surface& surface : model_.surfaces) {
      const geometry::Aabb box = geometry::bounds(
          surface.placed.shape, bodies_.bodies[surface.body.index()].pose * surface.placed.pose);
      if (box.low.allFinite() && box.high.allFinite()) all = all.merged(box);
    }
    model_.world = all.expanded(10 * (all.high - all.low).norm() + 1);
  }

  static Vec3 place_of(const grains::System& grains, std::size_t i) {
    const grains::Vec at = grains.state().position[i];
    return {at.x, at.y, at.z};
  }

  void check_overlaps(const grains::System& grains) const {
    std::vector<geometry::ContactPoint> points;
    for (const couple::Surface& surface : model_.surfaces) {
      const multibody::Body& body = bodies_.bodies[surface.body.index()];
      const Pose pose = body.pose * surface.placed.pose;
      const geometry::Aabb box = geometry::bounds(surface.placed.shape, pose);
      for (std::size_t i = 0; i < grains.size(); ++i) {
        const Vec3 at = place_of(grains, i);
        if (!box.overlaps(geometry::Aabb{at, at}.expanded(grains.radius(i)))) continue;
        points.clear();
        geometry::collide(surface.placed.shape, pose, geometry::Sphere{grains.radius(i)},
                          {at, Quat::Identity()}, 0, points);
        for (const geometry::ContactPoint& point : points)
          if (-point.gap > allowed_overlap * grains.radius(i))
            complain_of_overlap(grains, i, -point.gap, fmt::format("body '{}'", body.name));
      }
    }
    grains.each_near_pair([&](std::uint32_t i, std::uint32_t j, double overlap) {
      if (overlap > allowed_overlap * std::min(grains.radius(i), grains.radius(j)))
        complain_of_overlap(grains, i, overlap, fmt::format("grain {}", grains.state().id[j]));
    });
  }

  [[noreturn]] void complain_of_overlap(const grains::System& grains, std::size_t i, double by,
                                        const std::string& what) const {
    const Vec3 at = place_of(grains, i);
    throw InputError(
        ground_.mark(),
        fmt::format(
            "ground: grain {} at ({:.4g}, {:.4g}, {:.4g}) m reaches {:.2g} m into {} at the start; at "
            "most {:g} of its radius, {:.2g} m, is allowed",
            grains.state().id[i], at.x(), at.y(), at.z(), by, what, allowed_overlap,
            allowed_overlap * grains.radius(i)));
  }

  const Value& scenario_;
  const Value& ground_;
  const couple::ContactModel& contacts_;
  const multibody::Model& bodies_;
  std::size_t material_ = 0;
  std::optional<grains::Clump> clump_;  // of a grain of diameter 1
  couple::GrainBedModel model_;
};

}  // namespace

Object ground_object() {
  return {
      .name = "ground",
      .doc = "Soil. Bodies with a material touch it.",
      .fields = {field("model", choice({"grains-penalty"}),
                       "grains-penalty: spheres that overlap a little and push each other apart")
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
                 field("force", object(force_object()), "how grains push").by_default(Value::map()),
                 field("periodic", object(periodic_object()), "directions in which space repeats itself"),
                 field(
                     "step", number("s").above(0),
                     "longest step of the grains, of which a time step holds as many as it needs; default: a "
                     "twentieth of the Rayleigh time (hertz) or the collision time (hooke)"),
                 field("world", object(range_object()),
                       "a grain that leaves it ends the run; default: far around all that there is")},
      .groups = {at_least_one({"fill", "grains"}), at_most_one({{"diameter"}, {"sizes"}}),
                 needs("diameter", {"fill"}), needs("sizes", {"fill"})},
      .check = check_ground};
}

std::optional<couple::GrainBedModel> ground_model(const Value& scenario, const couple::ContactModel& contacts,
                                                  const multibody::Model& bodies) {
  if (!scenario.find("ground")) return std::nullopt;
  return GroundBuilder(scenario, contacts, bodies).build();
}

}  // namespace hardpan::scenario
