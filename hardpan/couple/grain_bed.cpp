#include "hardpan/couple/grain_bed.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "hardpan/core/error.h"
#include "hardpan/math/rotation.h"

namespace hardpan::couple {
namespace {

grains::Vec columns(const Vec3& v) { return {v.x(), v.y(), v.z()}; }
Vec3 vector(const grains::Vec& v) { return {v.x, v.y, v.z}; }

void check(const GrainBedModel& model) {
  if (!(model.step > 0))
    throw InputError(fmt::format("a step of grains of {} s, must be above 0", model.step));
  if (model.laws.size() != model.grains.materials * model.materials)
    throw InputError(fmt::format("{} laws of grains and surfaces, must be {}", model.laws.size(),
                                 model.grains.materials * model.materials));
  for (const material::GrainLaw& law : model.laws)
    if (law.normal != model.grains.laws[0].normal || law.tangential != model.grains.laws[0].tangential)
      throw InputError("grains must meet surfaces with the kinds of force with which they meet each other");
}

std::vector<WallFinder> finders_of(const std::vector<Surface>& surfaces) {
  std::vector<WallFinder> finders;
  for (const Surface& surface : surfaces) finders.emplace_back(surface.placed.shape);
  return finders;
}

}  // namespace

GrainBed::GrainBed(GrainBedModel model, multibody::System& bodies)
    : model_(std::move(model)),
      bodies_(bodies),
      grains_((check(model_), model_.grains)),
      finders_(finders_of(model_.surfaces)),
      forces_(bodies.model().bodies.size(), Vec3::Zero()),
      next_forces_(forces_) {
  model_.grains.grains = std::vector<grains::Grain>();  // the system has them
  model_.grains.clumps = std::vector<grains::Clump>();
  for (std::size_t s = 0; s < model_.materials; ++s)
    for (std::uint32_t g = 0; g < model_.grains.materials; ++g) wall_laws_.push_back(model_.law(g, s));
  for (const Surface& surface : model_.surfaces) {
    grains::Wall& wall = walls_.emplace_back();
    wall.laws =
        std::span(wall_laws_).subspan(surface.material * model_.grains.materials, model_.grains.materials);
    if (bodies_.moves(surface.body)) wall.over_mass = 1 / bodies_.model().bodies[surface.body.index()].mass;
  }
}

GrainBed::Place GrainBed::Place::later(double time) const {
  return {{pose.x + time * velocity, (cayley(time * spin) * pose.q).normalized()}, velocity, spin};
}

// At the beginning of the step, of a body that moves.
GrainBed::Place GrainBed::place(multibody::BodyId body) const {
  const Eigen::Map<const Vec6> v(&bodies_.velocities_before()[bodies_.column_of(body)]);
  return {bodies_.pose(body), v.head<3>(), v.tail<3>()};
}

void GrainBed::place_bodies(const MachineStep& step, double time) {
  places_.resize(bodies_.model().bodies.size());
  auto moving = step.moving.begin();
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const multibody::BodyId body(i);
    places_[i] = bodies_.moves(body) ? (moving++)->later(time) : Place{bodies_.pose(body)};
  }
}

void GrainBed::prepare_walls() {
  poses_.resize(walls_.size());
  for (std::size_t s = 0; s < walls_.size(); ++s) {
    const Surface& surface = model_.surfaces[s];
    const Place& body = places_[surface.body.index()];
    walls_[s].origin = columns(body.pose.x);
    walls_[s].velocity = columns(body.velocity);
    walls_[s].spin = columns(body.spin);
    poses_[s] = body.pose * surface.placed.pose;
    finders_[s].prepare(grains_, surface.placed.shape, poses_[s]);
  }
}

void GrainBed::give_back(double duration) {
  now_stiff_.assign(places_.size(), 0.0);
  for (std::size_t s = 0; s < walls_.size(); ++s) {
    const multibody::BodyId body = model_.surfaces[s].body;
    const grains::WallPush& push = grains_.wall_pushes()[s];
    Vec6 impulse;
    impulse << duration * vector(push.force), duration * vector(push.moment);
    next_forces_[body.index()] += impulse.head<3>();
    if (!bodies_.moves(body)) continue;
    bodies_.give(body, impulse);
    now_stiff_[body.index()] += push.stiffness;
  }
  for (std::size_t i = 0; i < places_.size(); ++i) stiffness_[i] = std::max(stiffness_[i], now_stiff_[i]);
}

const GrainBed::MachineStep& GrainBed::note_step(double h) {
  if (!kept_ || since_.size() == seldom) {
    Archive archive;
    grains_.save(archive);
    kept_.emplace(std::move(archive));
    since_.clear();
  }
  MachineStep& step = since_.emplace_back(MachineStep{h, {}});
  for (std::size_t i = 0; i < bodies_.model().bodies.size(); ++i)
    if (const multibody::BodyId body(i); bodies_.moves(body)) step.moving.push_back(place(body));
  return step;
}

// Calls taken(duration) after each step of the grains: for how long their forces acted.
template <class Taken>
void GrainBed::step_grains(const MachineStep& step, const Taken& taken) {
  const auto steps = static_cast<int>(std::ceil(step.h / model_.step * (1 - 1e-12)));
  const double own = step.h / steps;
  for (int k = 0; k < steps; ++k) {
    place_bodies(step, k * own);
    grains_.prepare();
    prepare_walls();
    taken(grains_.step(own, walls_, [&](std::size_t chunk, std::vector<grains::WallTouch>& touches) {
      for (std::size_t s = 0; s < walls_.size(); ++s)
        finders_[s].find(grains_, chunk, static_cast<std::uint32_t>(s), model_.surfaces[s].placed.shape,
                         poses_[s], touches);
    }));
  }
}

bool GrainBed::prepare(double, double h) {
  std::ranges::fill(next_forces_, Vec3::Zero());
  stiffness_.assign(bodies_.model().bodies.size(), 0.0);
  step_grains(note_step(h), [&](double duration) { give_back(duration); });
  for (Vec3& force : next_forces_) force /= h;
  for (std::size_t i = 0; i < places_.size(); ++i) bodies_.stiffen(multibody::BodyId(i), stiffness_[i]);
  return false;
}

solve::StepReport GrainBed::advance(double h, std::span<const double>, std::span<const double>) {
  const grains::Gathered all = grains_.gather();
  for (const std::string& fault : {energy_fault(all.kinetic), stray_fault(all), coupling_fault(h)})
    if (!fault.empty()) return solve::StepReport::failure(fault);
  return {};
}

std::string GrainBed::coupling_fault(double h) const {
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const multibody::Body& body = bodies_.model().bodies[i];
    if (body.fixed || h * h * stiffness_[i] < 2 * body.mass) continue;
    return fmt::format(
        "the step of {:g} s is too long for body '{}' among grains: {:.3g} kg on contacts of {:.3g} N/m need "
        "less than {:.2g} s",
        h, body.name, body.mass, stiffness_[i], std::sqrt(2 * body.mass / stiffness_[i]));
  }
  return {};
}

std::string GrainBed::stray_fault(const grains::Gathered& all) const {
  const geometry::Aabb& world = model_.world;
  if (world.low.x() > world.high.x()) return {};  // no end
  if ((vector(all.low).array() >= world.low.array()).all() &&
      (vector(all.high).array() <= world.high.array()).all())
    return {};
  const grains::State& state = grains_.state();
  for (std::size_t i = 0; i < grains_.size(); ++i) {
    const Vec3 x = vector(state[i].position);
    if ((x.array() >= world.low.array()).all() && (x.array() <= world.high.array()).all()) continue;
    return fmt::format(
        "grain {} has left the world, at ({:.4g}, {:.4g}, {:.4g}) m with {:.3g} m/s; the world reaches from "
        "({:.4g}, {:.4g}, {:.4g}) to ({:.4g}, {:.4g}, {:.4g}) m",
        state.id[i], x.x(), x.y(), x.z(), norm(state[i].velocity), world.low.x(), world.low.y(),
        world.low.z(), world.high.x(), world.high.y(), world.high.z());
  }
  return {};
}

std::string GrainBed::energy_fault(double kinetic) const {
  if (!std::isfinite(kinetic)) return "the motion of the grains is not finite";
  const grains::Books& books = grains_.books();
  const double created = -books.lost(kinetic);
  const double turnover = books.initial + std::abs(books.gravity) + std::abs(books.walls);
  if (!(turnover > 0) || created < model_.max_energy_growth * turnover) return {};
  return fmt::format(
      "the step of the grains, {:.3g} s, has created {:.3g} J, where {:.3g} J went round: a smaller one is "
      "needed",
      grains_.state().step, created, turnover);
}

void GrainBed::add_to(multibody::Ledger& books) const {
  const grains::Books& own = grains_.books();
  const double kinetic = grains_.kinetic_energy();
  books.kinetic += kinetic;
  books.grains.stored += own.stored - own.gravity;  // potential energy against the start
  books.grains.dissipated += own.viscous + own.friction + own.stiffening;
  books.grains.lost += own.lost(kinetic) - (books.grains.work + own.walls);
  books.momentum += vector(grains_.momentum());
  books.impulse += vector(own.momentum + own.outside);
}

void GrainBed::commit() { std::swap(forces_, next_forces_); }

void GrainBed::take_back() {
  grains_.restore(kept_->get());
  since_.pop_back();
  for (const MachineStep& step : since_) step_grains(step, [](double) {});
}

void GrainBed::begin() {
  grains_.begin();
  kept_.reset();
}

void GrainBed::save(Archive& archive) const {
  grains_.save(archive);
  std::vector<double> forces;
  for (const Vec3& force : forces_) forces.insert(forces.end(), force.begin(), force.end());
  archive.put("grains/force_on_body", forces, {forces_.size(), 3}, "N");
}

void GrainBed::restore(const Archive& archive) {
  grains_.restore(archive);
  kept_.reset();  // of what was before
  std::vector<double> forces(3 * forces_.size());
  archive.get("grains/force_on_body", std::span(forces));
  for (std::size_t i = 0; i < forces_.size(); ++i) forces_[i] = Eigen::Map<const Vec3>(&forces[3 * i]);
}

}  // namespace hardpan::couple
