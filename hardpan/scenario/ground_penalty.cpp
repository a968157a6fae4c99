// Soil of grains that overlap a little: from keys to a bed of grains.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <fmt/core.h>

#include "hardpan/core/text.h"
#include "hardpan/material/grain_time.h"
#include "hardpan/scenario/ground.h"
#include "hardpan/scenario/ground_fill.h"
#include "hardpan/scenario/numbers.h"

namespace hardpan::scenario {
namespace {

using material::GrainLaw;
using material::NormalForce;
using material::TangentialForce;

// Shares of the shortest time of the smallest grain (material/grain_time.h); measured on packed beds, see
// docs/models/grains-penalty.md.
constexpr double usual_share = 0.05, largest_share = 0.2;
constexpr double damped_share = 0.02;  // over the damping ratio, of hooke: its dampers act at once

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

grains::Vec columns(const Vec3& v) { return {v.x(), v.y(), v.z()}; }

// Spheres that touch an ellipsoid of rotation of diameter 1 from within, along its rim or its long axis.
std::vector<grains::Member> inscribed(const Vec3& axes) {
  const double a = 0.5, b = 0.5 * axes.minCoeff(), reach = (a * a - b * b) / a, tip = b * b / a;
  const bool flat = axes.x() == 1;
  std::vector<grains::Member> spheres = {{{}, b}};
  for (const double share : {0.5, 1.0}) {
    const double way = share * reach, radius = b * std::sqrt(1 - way * way / (a * a - b * b));
    const int around = flat ? (share == 1 ? 8 : 4) : 2;
    for (int k = 0; k < around; ++k) {
      const double turn = 2 * std::numbers::pi * k / around;
      spheres.push_back({flat ? grains::Vec{way * std::cos(turn), 0, way * std::sin(turn)}
                              : grains::Vec{0, k == 0 ? way : -way, 0},
                         share == 1 ? tip : radius});
    }
  }
  return spheres;
}

class PenaltyBuilder {
 public:
  PenaltyBuilder(const Value& scenario, const couple::ContactModel& contacts, const multibody::Model& bodies)
      : scenario_(scenario),
        ground_(scenario.at("ground")),
        contacts_(contacts),
        bodies_(bodies),
        turn_(scenario) {
    const auto& names = contacts.materials;
    material_ =
        static_cast<std::size_t>(std::ranges::find(names, ground_.at("material").text()) - names.begin());
  }

  couple::GrainBedModel build() {
    model_.grains.gravity = columns(vec3(scenario_.at("gravity")));
    add_laws();
    add_space();
    add_clump();
    for (const PlacedGrain& grain : placed_grains(scenario_))
      add_grain(columns(grain.centre), grain.radius, columns(grain.velocity));
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
    const Value& own = material_keys(material_);
    const Value force = grain_force(ground_, own);
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
    const Vec3 axes = grain_axes(ground_);
    if (!keys && axes == Vec3::Ones()) return;
    std::vector<grains::Member> spheres;
    if (!keys) spheres = inscribed(axes);
    if (keys)
      for (const Value& sphere : keys->items())
        spheres.push_back({columns(vec3(sphere)), 0.5 * sphere.items()[3].number()});
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
    clump = grains::placed(std::move(clump), at, turn_());
    clump.velocity = velocity;
    model_.grains.clumps.push_back(std::move(clump));
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
    double share = usual_share;
    if (law.normal == NormalForce::hooke && !law.damping_given)
      share = std::min(share, damped_share / law.damping_n);
    model_.step = given ? given->number() : share * shortest_time;
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
    const grains::Vec at = grains.state()[i].position;
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
            complain(grains, i, -point.gap, fmt::format("body '{}'", body.name));
      }
    }
    grains.each_near_pair([&](std::uint32_t i, std::uint32_t j, double overlap) {
      if (overlap > allowed_overlap * std::min(grains.radius(i), grains.radius(j)))
        complain(grains, i, overlap, fmt::format("grain {}", grains.state().id[j]));
    });
  }

  [[noreturn]] void complain(const grains::System& grains, std::size_t i, double by,
                             const std::string& what) const {
    complain_of_overlap(ground_, grains.state().id[i], place_of(grains, i), grains.radius(i), by, what);
  }

  const Value& scenario_;
  const Value& ground_;
  const couple::ContactModel& contacts_;
  const multibody::Model& bodies_;
  RandomTurns turn_;
  std::size_t material_ = 0;
  std::optional<grains::Clump> clump_;  // of a grain of diameter 1
  couple::GrainBedModel model_;
};

}  // namespace

std::optional<couple::GrainBedModel> penalty_ground(const Value& scenario,
                                                    const couple::ContactModel& contacts,
                                                    const multibody::Model& bodies) {
  if (!scenario.find("ground") || has_rigid_grains(scenario)) return std::nullopt;
  return PenaltyBuilder(scenario, contacts, bodies).build();
}

}  // namespace hardpan::scenario
