#include "hardpan/scenario/solid.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/core.h>

#include "hardpan/core/error.h"
#include "hardpan/scenario/coordinate_laws.h"
#include "hardpan/scenario/numbers.h"
#include "hardpan/scenario/soil_materials.h"
#include "hardpan/scenario/solid_region.h"

namespace hardpan::scenario {
namespace {

using meshfree::Cloud;
using meshfree::SolidModel;

constexpr double most_particles = 5e6;

struct Face {
  const char* name;
  Eigen::Index axis;
  int side;
};
constexpr Face faces[] = {{"west", 0, -1}, {"east", 0, 1},    {"south", 1, -1},
                          {"north", 1, 1}, {"bottom", 2, -1}, {"top", 2, 1}};

const Face& face_named(const std::string& name) {
  return *std::ranges::find(faces, name, [](const Face& face) { return std::string(face.name); });
}

std::vector<std::string> face_names() {
  std::vector<std::string> names;
  for (const Face& face : faces) names.emplace_back(face.name);
  return names;
}

Object box_object(const char* doc) {
  return {.name = "box",
          .doc = doc,
          .fields = {field("low", vector(3, "m"), "lowest corner").must(),
                     field("high", vector(3, "m"), "highest corner").must()},
          .check = [](const Value& box, Complain& complain) {
            for (std::size_t k = 0; k < 3; ++k)
              if (!(box.at("low").items()[k].number() < box.at("high").items()[k].number()))
                return complain("high", "must lie above low in x, y and z");
          }};
}

Object part_object() {
  return {.name = "part",
          .doc = "A layer or an inclusion: particles in it are of another material.",
          .fields = {field("material", reference("materials"), "of the part").must(),
                     field("box", object(box_object("A box in space.")), "where it is"),
                     field("ball", vector(4, "m"), "where it is: [x, y, z, radius]")},
          .groups = {exactly_one({{"box"}, {"ball"}})}};
}

std::vector<Field> place_fields() {
  return {field("face", choice(face_names()), "the particles that lie outermost on one side").must(),
          field("within", object(box_object("A box in space.")), "only those of them that lie in here")};
}

Object hold_object() {
  return {.name = "hold",
          .doc = "Particles of a face whose way along one direction is given; across it they are free.",
          .fields = place_fields() +
                    std::vector<Field>{
                        field("direction", vector(3).not_zero(), "of the way; default: outward"),
                        field("way", number("m"), "along it, from where they are at the start; default: 0"),
                        field("way_curve", curve_type(), "likewise over time: [[s, m], ...]; then it stays")},
          .groups = {at_most_one({{"way"}, {"way_curve"}})},
          .check = [](const Value& keys, Complain& complain) { check_curve(keys, "way_curve", complain); }};
}

Object traction_object() {
  return {
      .name = "traction",
      .doc = "Stress on a face, along its normal.",
      .fields = place_fields() +
                std::vector<Field>{
                    field("stress", number("Pa"), "above 0: pulls; default: 0"),
                    field("stress_curve", curve_type(), "likewise over time: [[s, Pa], ...]; then it stays"),
                    field("measure", choice({"cauchy", "kirchhoff", "piola"}),
                          "cauchy: force over the area that the face has now; kirchhoff: the same over the "
                          "change of volume, in which laws in logarithmic strains are written; piola: the "
                          "second Piola-Kirchhoff stress, in which those in green strains are")
                        .by_default(Value("cauchy"))},
      .groups = {at_most_one({{"stress"}, {"stress_curve"}})},
      .check = [](const Value& keys, Complain& complain) { check_curve(keys, "stress_curve", complain); }};
}

void check_solid(const Value& solid, Complain& complain) {
  const auto check_material = [&](const Value& name, Complain at) {
    const Value& material = complain.root().at("materials").at(name.text());
    for (const char* key : {"density", "young"})
      if (!material.find(key))
        at("material", fmt::format("'{}' has no {}, which a solid needs", name.text(), key));
  };
  check_material(solid.at("material"), complain);
  const auto& parts = solid.at("parts").items();
  for (std::size_t k = 0; k < parts.size(); ++k)
    check_material(parts[k].at("material"), complain.inside("parts").inside(k));
  if (const Value* reach = solid.find("reach")) {
    const bool whole =
        solid.find("box") && solid.at("holes").items().empty() && solid.at("relaxations").integer() == 0;
    if (reach->number() > 1 && reach->number() < 1.5)
      complain("reach", "must be 1, the nearest neighbours, or at least 1.5");
    else if (reach->number() == 1 && !whole)
      complain("reach",
               "1, the nearest neighbours, needs a whole lattice: a box without holes and relaxations");
  }
  if (!solid.find("box")) return;
  const Vec3 size = vec3(solid.at("box").at("high")) - vec3(solid.at("box").at("low"));
  const double d = solid.at("spacing").number();
  if (!(size.minCoeff() > 0)) return;  // said already
  if (d > size.minCoeff() * (1 + 1e-9))
    complain("spacing",
             fmt::format("{} m is more than the shortest edge of the box, {} m", d, size.minCoeff()));
  else if (const double count = (size / d).array().round().matrix().prod(); count > most_particles)
    complain("spacing",
             fmt::format("makes {:.2g} particles, at most {:.2g} are allowed", count, most_particles));
}

// ---- from keys to the model

class SolidBuilder {
 public:
  explicit SolidBuilder(const Value& scenario) : scenario_(scenario), solid_(scenario.at("solid")) {}

  SolidGround build() {
    place_particles();
    model_.gravity = vec3(scenario_.at("gravity"));
    using enum meshfree::StrainMeasure;
    model_.strain_measure = solid_.at("strain_measure").text() == "green" ? green : logarithmic;
    model_.reach = number_or(solid_, "reach", 0);
    model_.stabilisation = solid_.at("stabilisation").number();
    model_.ripple_stiffness = solid_.at("ripple_stiffness").number();
    model_.ripple_strength = solid_.at("ripple_strength").number();
    model_.relaxation_time = number_or(solid_, "relaxation_time", -1);
    model_.iterate = solid_.at("iterate").boolean();
    add_materials();
    for (const Value::Entry& hold : solid_.at("holds").entries()) add_hold(hold.key, hold.value);
    for (const Value::Entry& traction : solid_.at("tractions").entries())
      add_traction(traction.key, traction.value);
    return {std::move(model_), contact()};
  }

 private:
  // Materials of the scenario are those of contact, in the same order.
  couple::SolidContactModel contact() const {
    couple::SolidContactModel contact;
    contact.parts = static_cast<std::size_t>(solid_.at("contact_points").integer());
    contact.materials.resize(materials_.size());
    const auto& entries = scenario_.at("materials").entries();
    for (const auto& [name, own] : materials_)
      contact.materials[own] =
          static_cast<std::size_t>(std::ranges::find(entries, name, &Value::Entry::key) - entries.begin());
    return contact;
  }

  // A whole box is a lattice, whose surface is known exactly.
  void place_particles() {
    const double spacing = solid_.at("spacing").number();
    const int relaxations = static_cast<int>(solid_.at("relaxations").integer());
    const Value* box = solid_.find("box");
    if (box && solid_.at("holes").items().empty() && relaxations == 0) {
      low_ = vec3(box->at("low"));
      high_ = vec3(box->at("high"));
      model_.cloud = meshfree::box_lattice(low_, high_, meshfree::lattice_counts(high_ - low_, spacing));
      return;
    }
    const meshfree::Region region = solid_region(scenario_, solid_);
    low_ = region.box.low;
    high_ = region.box.high;
    try {
      check_room(spacing);
      model_.cloud = meshfree::filled(region, spacing, relaxations);
    } catch (const InputError& error) {
      throw InputError(solid_.at("spacing").mark(), fmt::format("solid.spacing: {}", error.what()));
    }
  }
  void check_room(double spacing) const {
    const Vec3 size = high_ - low_;
    const double count = (size / spacing).array().round().matrix().prod();
    if (count > most_particles)
      throw InputError(
          fmt::format("makes {:.2g} particles, at most {:.2g} are allowed", count, most_particles));
    if (spacing > size.minCoeff())
      throw InputError(
          fmt::format("{} m is more than the solid is thick, {:.4g} m", spacing, size.minCoeff()));
  }

  std::uint32_t material(const std::string& name) {
    const auto [at, is_new] = materials_.emplace(name, static_cast<std::uint32_t>(model_.materials.size()));
    if (is_new) {
      const Value& keys = scenario_.at("materials").at(name);
      model_.materials.push_back({soil_law_of(keys), keys.at("density").number()});
    }
    return at->second;
  }

  void add_materials() {
    model_.material.assign(model_.cloud.size(), material(solid_.at("material").text()));
    for (const Value& part : solid_.at("parts").items())
      for (std::size_t i = 0; i < model_.cloud.size(); ++i)
        if (is_in(part, model_.cloud.position[i])) model_.material[i] = material(part.at("material").text());
  }

  bool is_in(const Value& part, const Vec3& x) const {
    if (const Value* box = part.find("box")) return is_in_box(*box, x);
    const Value& ball = part.at("ball");
    return (x - vec3(ball)).norm() <= ball.items()[3].number() + room();
  }
  bool is_in_box(const Value& box, const Vec3& x) const {
    return ((x - vec3(box.at("low"))).array() >= -room()).all() &&
           ((vec3(box.at("high")) - x).array() >= -room()).all();
  }
  double room() const { return 1e-6 * model_.cloud.spacing; }

  std::vector<std::uint32_t> particles(const std::string& path, const Value& keys) const {
    const Face& face = face_named(keys.at("face").text());
    const double at = face.side < 0 ? low_[face.axis] : high_[face.axis];
    const Value* within = keys.find("within");
    std::vector<std::uint32_t> found;
    for (std::size_t i = 0; i < model_.cloud.size(); ++i) {
      const Vec3& x = model_.cloud.position[i];
      if (std::abs(x[face.axis] - at) <= room() && (!within || is_in_box(*within, x)))
        found.push_back(static_cast<std::uint32_t>(i));
    }
    if (found.empty())
      throw InputError(keys.mark(),
                       fmt::format("solid.{}: no particle of face {} lies within the box", path, face.name));
    return found;
  }

  static Vec3 normal(const Value& keys) {
    const Face& face = face_named(keys.at("face").text());
    return face.side * Vec3::Unit(face.axis);
  }
  static Curve given(const Value& keys, const char* number, const char* pairs) {
    if (const Value* points = keys.find(pairs)) return curve(*points, Curve::Beyond::level);
    return Curve::constant(number_or(keys, number, 0.0));
  }

  void add_hold(const std::string& name, const Value& keys) {
    const Value* direction = keys.find("direction");
    model_.holds.push_back({particles("holds." + name, keys),
                            direction ? Vec3(vec3(*direction).normalized()) : normal(keys),
                            given(keys, "way", "way_curve"), name});
  }
  static meshfree::Traction::Measure measure_named(const std::string& name) {
    using enum meshfree::Traction::Measure;
    return name == "cauchy" ? cauchy : name == "kirchhoff" ? kirchhoff : piola;
  }
  void add_traction(const std::string& name, const Value& keys) {
    model_.tractions.push_back({particles("tractions." + name, keys), normal(keys),
                                measure_named(keys.at("measure").text()),
                                given(keys, "stress", "stress_curve"), name});
  }

  const Value& scenario_;
  const Value& solid_;
  Vec3 low_, high_;
  SolidModel model_;
  std::map<std::string, std::uint32_t> materials_;
};

}  // namespace

Field strain_measure_field() {
  return field("strain_measure", choice({"green", "logarithmic"}),
               "in which laws are written: logarithmic keeps the strength of soil however far it is "
               "strained; green, as in MESHFREE, lets it fall where soil is pressed")
      .by_default(Value("logarithmic"));
}

Object solid_object() {
  return {
      .name = "solid",
      .doc =
          "A block that deforms: particles with moving least squares between them "
          "([meshfree solids](../models/meshfree.md)). Its materials need density and young; with soil, they "
          "yield. Bodies with a material touch it; how stiff that is follows from the block, friction from "
          "the "
          "pair of materials.",
      .fields =
          {field("material", reference("materials"), "of the block").must(),
           field("box", object(box_object("The block.")), "where it is at first"),
           field("shape", shape_type(),
                 "where it is at first: a box, a round shape, a closed mesh, or all below a height field")
               .as_in("bodies.shape"),
           field("floor", number("m"), "where what is below a height field ends, in its frame"),
           field("holes", list_of(shape_type()), "what is cut out of it")
               .by_default(Value::list())
               .as_in("bodies.shape"),
           field("spacing", number("m").above(0),
                 "of particles, about; the outermost ones lie on the surface")
               .must(),
           field("relaxations", integer().between(0, 100),
                 "how often particles go to the middle of their volumes: 0 leaves a lattice inside")
               .by_default(Value(0)),
           field("parts", list_of(object(part_object())),
                 "layers and inclusions; later ones lie over earlier ones")
               .by_default(Value::list()),
           field("holds", map_of(object(hold_object())), "what is held or moved, by name")
               .by_default(Value::map()),
           field("tractions", map_of(object(traction_object())), "stresses on faces, by name")
               .by_default(Value::map()),
           field("contact_points", integer().between(0, 8),
                 "along each edge between particles of the surface of a box: 1 leaves the particles "
                 "themselves; 0: "
                 "balls around them, as in MESHFREE, which stick out by half a spacing")
               .by_default(Value(2)),
           strain_measure_field(),
           field("ripple_stiffness", number().at_least(0),
                 "against particles that move to and fro in turn, over twice the shear modulus")
               .by_default(Value(0.05)),
           field("ripple_strength", number().at_least(0), "over the shear strength of the soil")
               .by_default(Value(0.03)),
           field("stabilisation", number().at_least(0),
                 "alpha of MESHFREE: how much an imbalance of forces costs; more makes short waves stiffer")
               .by_default(Value(0)),
           field("reach", number().between(1, 4),
                 "of a particle, over the spacing: 1 (its nearest neighbours, in a whole box only) or from "
                 "1.5 on; "
                 "default: 1 in a box without holes, relaxations and stabilisation, else 2"),
           field("relaxation_time", number("s").at_least(0), "of viscous stress; default: one step"),
           field("iterate", boolean(),
                 "plasticity is iterated within the step; false: predicted at its beginning, quicker and "
                 "less exact")
               .by_default(Value(true))},
      .groups = {exactly_one({{"box"}, {"shape"}})},
      .check = check_solid};
}

std::optional<SolidGround> solid_ground(const Value& scenario) {
  if (!scenario.find("solid")) return {};
  return SolidBuilder(scenario).build();
}

}  // namespace hardpan::scenario
