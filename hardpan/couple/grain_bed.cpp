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

// dF/dd of the normal force.
double tangent(const material::GrainLaw& law, const grains::WallTouch& touch) {
  return law.normal == material::NormalForce::hertz
             ? 1.5 * law.stiffness_n * std::sqrt(touch.radius * touch.overlap)
             : law.stiffness_n;
}

// Whether a ball may touch a shape: quick, and exact for boxes and planes.
bool may_touch(const geometry::Shape& shape, const Mat3& turn, const Vec3& at, const Vec3& centre,
               double radius) {
  if (const auto* box = std::get_if<geometry::Box>(&shape)) {
    const Vec3 p = turn.transpose() * (centre - at);
    const Vec3 half = 0.5 * box->size;
    return (p - p.cwiseMax(-half).cwiseMin(half)).squaredNorm() < radius * radius;
  }
  if (std::holds_alternative<geometry::Plane>(shape)) return turn.col(2).dot(centre - at) < radius;
  return true;
}

}  // namespace

GrainBed::GrainBed(GrainBedModel model, multibody::System& bodies)
    : model_(std::move(model)),
      bodies_(bodies),
      grains_((check(model_), model_.grains)),
      next_(grains_),
      forces_(bodies.model().bodies.size(), Vec3::Zero()),
      next_forces_(forces_) {}

// A body, `later` after the beginning of the step, if nothing pushes it.
GrainBed::Place GrainBed::place(multibody::BodyId body, double later) const {
  Place place{bodies_.pose(body)};
  if (!bodies_.moves(body)) return place;
  const Eigen::Map<const Vec6> v(&bodies_.velocities_before()[bodies_.column_of(body)]);
  place.velocity = v.head<3>();
  place.spin = v.tail<3>();
  place.pose.x += later * place.velocity;
  place.pose.q = (cayley(later * place.spin) * place.pose.q).normalized();
  return place;
}

void GrainBed::find_touches() {
  touches_.clear();
  touched_.clear();
  at_.clear();
  now_stiff_.assign(places_.size(), 0.0);
  for (std::size_t s = 0; s < model_.surfaces.size(); ++s) find_touches_of(s);
  for (std::size_t i = 0; i < places_.size(); ++i) stiffness_[i] = std::max(stiffness_[i], now_stiff_[i]);
}

void GrainBed::find_touches_of(std::size_t s) {
  const Surface& surface = model_.surfaces[s];
  const Place& body = places_[surface.body.index()];
  const Pose pose = body.pose * surface.placed.pose;
  const geometry::Aabb box = geometry::bounds(surface.placed.shape, pose);
  const Mat3 turn = pose.q.toRotationMatrix();
  const grains::State& state = next_.state();
  next_.near(columns(box.low), columns(box.high), [&](std::uint32_t i) {
    if (!may_touch(surface.placed.shape, turn, pose.x, vector(state.position[i]), next_.radius(i))) return;
    points_.clear();
    geometry::collide(surface.placed.shape, pose, geometry::Sphere{next_.radius(i)},
                      {vector(state.position[i]), Quat::Identity()}, 0, points_);
    std::ranges::sort(points_, {}, &geometry::ContactPoint::feature);
    for (std::size_t k = 0; k < points_.size(); ++k) {
      const geometry::ContactPoint& point = points_[k];
      if (!(point.gap < 0)) continue;
      const Vec3 at = 0.5 * (point.on_a + point.on_b);
      const double m = next_.mass(i), M = bodies_.model().bodies[surface.body.index()].mass;
      grains::WallTouch touch;
      touch.grain = i;
      touch.key = std::uint64_t{s} << 8 | std::min<std::size_t>(k, 255);
      touch.normal = columns(point.normal);
      touch.overlap = -point.gap;
      touch.velocity = columns(body.velocity + body.spin.cross(at - body.pose.x));
      touch.spin = columns(body.spin);
      touch.radius = next_.radius(i);
      touch.mass = bodies_.moves(surface.body) ? m * M / (m + M) : m;
      touch.law = &model_.law(next_.material(i), surface.material);
      now_stiff_[surface.body.index()] += tangent(*touch.law, touch);
      touches_.push_back(touch);
      touched_.push_back(s);
      at_.push_back(at);
    }
  });
}

void GrainBed::give_back(double duration) {
  for (std::size_t k = 0; k < touches_.size(); ++k) {
    const multibody::BodyId body = model_.surfaces[touched_[k]].body;
    const Vec3 impulse = -duration * vector(touches_[k].force);
    next_forces_[body.index()] += impulse;
    if (!bodies_.moves(body)) continue;
    Vec6 both;
    both << impulse, (at_[k] - places_[body.index()].pose.x).cross(impulse);
    both.tail<3>() -= duration * vector(touches_[k].moment);
    bodies_.give(body, both);
  }
}

bool GrainBed::prepare(double, double h) {
  const auto steps = static_cast<int>(std::ceil(h / model_.step * (1 - 1e-12)));
  const double own = h / steps;
  next_ = grains_;
  std::ranges::fill(next_forces_, Vec3::Zero());
  places_.resize(bodies_.model().bodies.size());
  stiffness_.assign(places_.size(), 0.0);
  for (int k = 0; k < steps; ++k) {
    for (std::size_t i = 0; i < places_.size(); ++i) places_[i] = place(multibody::BodyId(i), k * own);
    next_.prepare();
    find_touches();
    give_back(next_.step(own, touches_));
  }
  for (Vec3& force : next_forces_) force /= h;
  for (std::size_t i = 0; i < places_.size(); ++i) bodies_.stiffen(multibody::BodyId(i), stiffness_[i]);
  return false;
}

solve::StepReport GrainBed::advance(double h, std::span<const double>, std::span<const double>) {
  for (const std::string& fault : {energy_fault(), stray_fault(), coupling_fault(h)})
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

std::string GrainBed::stray_fault() const {
  const geometry::Aabb& world = model_.world;
  if (world.low.x() > world.high.x()) return {};  // no end
  const grains::State& state = next_.state();
  for (std::size_t i = 0; i < next_.size(); ++i) {
    const Vec3 x = vector(state.position[i]);
    if ((x.array() >= world.low.array()).all() && (x.array() <= world.high.array()).all()) continue;
    return fmt::format(
        "grain {} has left the world, at ({:.4g}, {:.4g}, {:.4g}) m with {:.3g} m/s; the world reaches from "
        "({:.4g}, {:.4g}, {:.4g}) to ({:.4g}, {:.4g}, {:.4g}) m",
        state.id[i], x.x(), x.y(), x.z(), norm(state.velocity[i]), world.low.x(), world.low.y(),
        world.low.z(), world.high.x(), world.high.y(), world.high.z());
  }
  return {};
}

std::string GrainBed::energy_fault() const {
  const double kinetic = next_.kinetic_energy();
  if (!std::isfinite(kinetic)) return "the motion of the grains is not finite";
  const grains::Books& books = next_.books();
  const double created = -books.lost(kinetic);
  const double turnover = books.initial + std::abs(books.gravity) + std::abs(books.walls);
  if (!(turnover > 0) || created < model_.max_energy_growth * turnover) return {};
  return fmt::format(
      "the step of the grains, {:.3g} s, has created {:.3g} J, where {:.3g} J went round: a smaller one is "
      "needed",
      next_.state().step, created, turnover);
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

void GrainBed::commit() {
  std::swap(grains_, next_);
  std::swap(forces_, next_forces_);
  pushes_.clear();
  for (const grains::WallTouch& touch : touches_) pushes_.push_back({touch.grain, touch.normal, touch.force});
}

void GrainBed::save(Archive& archive) const {
  grains_.save(archive);
  std::vector<double> forces;
  for (const Vec3& force : forces_) forces.insert(forces.end(), force.begin(), force.end());
  archive.put("grains/force_on_body", forces, {forces_.size(), 3}, "N");
}

void GrainBed::restore(const Archive& archive) {
  grains_.restore(archive);
  pushes_.clear();
  std::vector<double> forces(3 * forces_.size());
  archive.get("grains/force_on_body", std::span(forces));
  for (std::size_t i = 0; i < forces_.size(); ++i) forces_[i] = Eigen::Map<const Vec3>(&forces[3 * i]);
}

}  // namespace hardpan::couple
