#include "hardpan/scenario/build.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include <fmt/core.h>

#include "hardpan/core/text.h"
#include "hardpan/scenario/body_builder.h"
#include "hardpan/scenario/contact_materials.h"
#include "hardpan/scenario/coordinate_names.h"
#include "hardpan/scenario/coupling_kinds.h"
#include "hardpan/scenario/ground.h"
#include "hardpan/scenario/joint_kinds.h"
#include "hardpan/scenario/measure_kinds.h"
#include "hardpan/scenario/numbers.h"
#include "hardpan/scenario/solid.h"
#include "hardpan/scenario/spec.h"

namespace hardpan::scenario {
namespace {

using namespace multibody;

constexpr double max_turn = 1.0;  // rad per step

class ModelBuilder {
 public:
  explicit ModelBuilder(const Value& scenario)
      : scenario_(scenario), solver_(scenario.at("solver")), shapes_(scenario) {
    step_ = scenario.at("time").at("step").number();
    relaxation_time_ = solver_.at("damping_steps").number() * step_;
  }

  Model build() {
    model_.gravity = vec3(scenario_.at("gravity"));
    model_.max_energy_growth = solver_.at("max_energy_growth").number();
    if (const Value* limit = solver_.find("max_violation")) model_.max_violation = limit->number();
    for (const auto& [name, place, object] : section("bodies")) {
      ids_[name] = BodyId(model_.bodies.size());
      model_.bodies.push_back(build_body(name, object, shapes_));
      check_spin(model_.bodies.back(), object.at("angular_velocity"));
    }
    for (const auto& [name, place, object] : section("joints")) add_joint(name, object);
    for (const auto& [name, place, object] : section("shafts"))
      coordinates_[name] =
          add(model_, Shaft{name, object.at("inertia").number(), find_angle(object, "angle").value_or(0.0),
                            object.at("speed").number()});
    for (const auto& [name, place, object] : section("couplings"))
      add_coupling(name, object, coupling_kinds());
    for (const auto& [name, place, object] : section("motors")) add_coupling(name, object, motor_kinds());
    for (const auto& [name, place, object] : section("loads")) add_load(name, object);
    return std::move(model_);
  }

 private:
  const std::vector<Value::Entry>& section(const char* key) const {
    static const std::vector<Value::Entry> none;
    const Value* value = scenario_.find(key);
    return value ? value->entries() : none;
  }

  // The rotation update has no solution beyond a turn of about one radian per step.
  void check_spin(const Body& body, const Value& where) const {
    const double spin = body.angular_velocity.norm();
    if (body.fixed || spin * step_ <= max_turn) return;
    throw InputError(
        where.mark(),
        fmt::format(
            "bodies.{}.angular_velocity: turns {:.3g} rad in a step of {} s; at most {:g} is allowed: "
            "set time.step to {:.2g} s or less",
            body.name, spin * step_, shortest(step_), max_turn, max_turn / spin));
  }

  BodyId id(const Value& name) const { return name.text() == "world" ? BodyId() : ids_.at(name.text()); }
  Pose pose(BodyId body) const { return body.valid() ? model_.bodies[body.index()].pose : Pose{}; }

  void add_joint(const std::string& name, const Value& object) {
    const auto& between = object.at("between").items();
    const BodyId a = id(between[0]), b = id(between[1]);
    const JointSite site{object, {name, a, b}, pose(a), pose(b), solver_, relaxation_time_};
    const std::string& kind = object.at("kind").text();
    for (const JointEntry& entry : joint_kinds())
      if (entry.description.name == kind) {
        coordinates_[name] = entry.build(site, model_);
        return;
      }
    HARDPAN_CHECK(false, "no builder for joint kind " + kind);
  }

  CoordinateRef coordinate(const std::string& name) const {
    const NamedCoordinate found = find_coordinate(scenario_, name);
    CoordinateRef ref = coordinates_.at(found.thing);
    ref.component = found.component;
    return ref;
  }

  void add_coupling(const std::string& name, const Value& object, const std::vector<CouplingEntry>& entries) {
    const CouplingSite site{name,
                            object,
                            [this](const std::string& of) { return coordinate(of); },
                            [this](const std::string& of) { return find_coordinate(scenario_, of).measure; },
                            solver_,
                            relaxation_time_};
    for (const CouplingEntry& entry : entries)
      if (entry.description.name == object.at("kind").text()) return entry.build(site, model_);
    HARDPAN_CHECK(false, "no builder for kind " + object.at("kind").text());
  }

  void add_load(const std::string& name, const Value& object) {
    Load load;
    load.name = name;
    load.body = id(object.at("body"));
    if (const Value* force = object.find("force")) load.force = vec3(*force);
    if (const Value* torque = object.find("torque")) load.torque = vec3(*torque);
    if (const Value* at = object.find("at")) load.point = vec3(*at) + model_.bodies[load.body.index()].origin;
    load.from = number_or(object, "from", load.from);
    load.until = number_or(object, "until", load.until);
    model_.loads.push_back(std::move(load));
  }

  const Value& scenario_;
  const Value& solver_;
  ShapeBuilder shapes_;
  double step_ = 0, relaxation_time_ = 0;
  Model model_;
  std::map<std::string, BodyId> ids_;
  std::map<std::string, CoordinateRef> coordinates_;  // the first one of each joint and shaft
};

}  // namespace

Simulation::Simulation(multibody::Model model, couple::ContactModel contact_model,
                       std::optional<couple::GrainBedModel> soil, std::optional<SolidGround> ground,
                       double step, std::int64_t steps, const solve::SolverOptions& solver)
    : bodies(std::move(model)),
      contacts(std::move(contact_model), bodies, solver.friction),
      grains(soil ? std::make_unique<couple::GrainBed>(std::move(*soil), bodies) : nullptr),
      solid(ground ? std::make_unique<meshfree::Solid>(std::move(ground->solid)) : nullptr),
      solid_contacts(ground ? std::make_unique<couple::SolidContact>(std::move(ground->contact), contacts,
                                                                     bodies, *solid, solver.friction)
                            : nullptr),
      stepper(step, subsystems(), solver),
      step_count(steps) {}

std::vector<solve::Subsystem*> Simulation::subsystems() {
  std::vector<solve::Subsystem*> all = {&bodies, &contacts};
  if (grains) all.push_back(grains.get());
  if (solid) all.push_back(solid.get());
  if (solid_contacts) all.push_back(solid_contacts.get());
  return all;
}

// Siblings do not know each other's books.
static void add_solid(const meshfree::Solid& solid, multibody::Ledger& books) {
  const meshfree::SolidBooks& own = solid.books();
  books.kinetic += solid.kinetic_energy();
  books.solids.work += own.stress + own.balance;
  books.solids.stored += own.stored - own.gravity;
  books.solids.dissipated += own.dissipated();
  books.solids.lost += own.lost();
  books.loads.work += own.outside;
  books.turnover += std::abs(own.gravity) + std::abs(own.outside);
  books.momentum += solid.momentum();
  books.impulse += own.impulse;
  books.angular_momentum += solid.angular_momentum();
  books.angular_impulse += own.angular_impulse;
}

multibody::Ledger Simulation::ledger() const {
  multibody::Ledger books = bodies.ledger();
  contacts.books().add_to(books);
  if (grains) grains->add_to(books);
  if (solid) add_solid(*solid, books);
  if (solid_contacts) solid_contacts->books().add_to(books);
  return books;
}

solve::SolverOptions solver_options(const Value& solver, double step, double usual_force_tolerance) {
  solve::SolverOptions options;
  const std::string& kind = solver.at("kind").text();
  options.kind = kind == "newton"  ? solve::SolverKind::newton
                 : kind == "pgs"   ? solve::SolverKind::pgs
                 : kind == "split" ? solve::SolverKind::split
                 : kind == "apgd"  ? solve::SolverKind::apgd
                                   : solve::SolverKind::direct;
  const std::string& friction = solver.at("friction").text();
  options.friction = friction == "box"      ? solve::Friction::box
                     : friction == "convex" ? solve::Friction::convex
                                            : solve::Friction::cone;
  options.refinement = static_cast<int>(solver.at("refinement").integer());
  options.max_iterations = static_cast<int>(solver.at("max_iterations").integer());
  options.tolerance = solver.at("tolerance").number();
  options.impulse_tolerance = step * number_or(solver, "force_tolerance", usual_force_tolerance);
  options.matrix_free = solver.at("matrix_free").boolean();
  return options;
}

std::int64_t step_count(double end, double step) {
  return static_cast<std::int64_t>(std::ceil(end / step - 1e-6));
}

// A stop that is passed at the start would throw the machine apart.
void check_stops(const Value& scenario, const System& bodies) {
  const auto& stops = std::get<std::vector<Stop>>(bodies.model().couplings);
  std::size_t k = 0;
  for (const CouplingInfo& info : bodies.couplings()) {
    if (info.kind != Stop::kind) continue;
    const Stop& stop = stops[k++];
    const double x = bodies.axis(info, 0).value, room = 1e-9 * (1 + std::abs(x));
    if (x >= stop.lower - room && x <= stop.upper + room) continue;
    throw InputError(
        scenario.at("joints").at(stop.name).mark(),
        fmt::format("joints.{}: stands at {:.6g} at the start, beyond its stop at {:.6g} (m or rad)",
                    stop.name, x, x < stop.lower ? stop.lower : stop.upper));
  }
}

// A rigid motor that starts elsewhere than it should be would throw what it drives.
void check_motors(const Value& scenario, const System& bodies) {
  const auto& motors = std::get<std::vector<Motor>>(bodies.model().couplings);
  std::size_t k = 0;
  for (const CouplingInfo& info : bodies.couplings()) {
    if (info.kind != Motor::kind) continue;
    const Motor& motor = motors[k++];
    if (motor.mode != Motor::Mode::position || motor.max_force != infinite || motor.rigidity.soft) continue;
    const double x = bodies.axis(info, 0).value, target = motor.target.value(0);
    if (std::abs(x - target) <= 1e-6 * (1 + std::abs(x))) continue;
    throw InputError(
        scenario.at("motors").at(motor.name).mark(),
        fmt::format("motors.{}: starts at {:.6g}, its target at {:.6g} (m or rad): a rigid motor would jump; "
                    "begin target_curve at {:.6g}, or give stiffness or max_force",
                    motor.name, x, target, x));
  }
}

// Of the weight of the lightest rigid grain, where there are any: more, and soil creeps (docs/models/
// grains-complementarity.md).
static double usual_force_tolerance(const Model& model) {
  constexpr double share = 0.05;
  double lightest = std::numeric_limits<double>::infinity();
  for (const Body& grain : std::span(model.bodies).last(model.grains))
    lightest = std::min(lightest, grain.mass);
  return model.grains > 0 ? share * lightest * model.gravity.norm() : 0.0;
}

std::unique_ptr<Simulation> build(const Value& resolved) {
  const Value& time = resolved.at("time");
  const double step = time.at("step").number();
  multibody::Model model = ModelBuilder(resolved).build();
  couple::ContactModel contacts = contact_model(resolved, model);
  std::optional<couple::GrainBedModel> soil = penalty_ground(resolved, contacts, model);
  add_rigid_grains(resolved, model, contacts);
  const solve::SolverOptions solver =
      solver_options(resolved.at("solver"), step, usual_force_tolerance(model));
  auto simulation = std::make_unique<Simulation>(std::move(model), std::move(contacts), std::move(soil),
                                                 solid_ground(resolved), step,
                                                 step_count(time.at("end").number(), step), solver);
  simulation->measure = recording(resolved, simulation->bodies.model());
  check_stops(resolved, simulation->bodies);
  check_motors(resolved, simulation->bodies);
  return simulation;
}

}  // namespace hardpan::scenario
