#include "hardpan/couple/solid_contact.h"

#include <algorithm>
#include <cmath>

#include "hardpan/core/error.h"
#include "hardpan/geometry/aabb.h"
#include "hardpan/geometry/collide.h"
#include "hardpan/solve/spook.h"

namespace hardpan::couple {
namespace {

constexpr double size_of_ball = 0.5;   // of the way between points
constexpr double slowest_blow = 1e-9;  // m/s
constexpr double near = 0.02;          // of the spacing: what is looked at though nothing moves it yet
constexpr double flattest = 0.5;       // cosine of the angle between a ball's normal and what it meets

Vec3 along(const Vec3 (&axes)[3], const Vec3& parts) {
  return parts[0] * axes[0] + parts[1] * axes[1] + parts[2] * axes[2];
}

}  // namespace

SolidContact::SolidContact(SolidContactModel model, const BodyContact& contacts, multibody::System& bodies,
                           meshfree::Solid& solid, solve::Friction law)
    : model_(std::move(model)),
      surfaces_(contacts.model()),
      bodies_(bodies),
      solid_(solid),
      convex_(law == solve::Friction::convex),
      boundary_(solid.model().cloud, model_.parts) {
  places_.resize(points().size());
}

Vec3 SolidContact::position(const meshfree::BoundaryPoint& point) const {
  return point.of([&](std::size_t i) -> const Vec3& { return solid_.position(i); });
}

const material::ContactLaw& SolidContact::law(std::size_t surface,
                                              const meshfree::BoundaryPoint& point) const {
  const std::size_t material = model_.materials[solid_.model().material[point.particle[0]]];
  return surfaces_.law(surfaces_.surfaces[surface].material, material);
}

// ---- detection

bool SolidContact::prepare(double, double h) {
  step_ = h;
  margin_ = std::max(4 * bodies_.model().gravity.norm() * h * h, near * solid_.model().cloud.spacing);
  next_books_ = books_;
  contacts_.clear();
  slopes_.clear();
  geometry::Aabb around;
  double fastest = 0;
  for (std::size_t p = 0; p < points().size(); ++p) {
    places_[p] = position(points()[p]);
    around = around.merged(places_[p]);
  }
  boundary_.normals([&](std::size_t i) -> const Vec3& { return solid_.position(i); },
                    [&](std::size_t i) { return solid_.deformation(i); }, normals_);
  for (std::size_t i = 0; i < solid_.size(); ++i)
    fastest = std::max(fastest, solid_.velocity(i).squaredNorm());
  for (std::size_t s = 0; s < surfaces_.surfaces.size(); ++s) {
    const Surface& surface = surfaces_.surfaces[s];
    const Pose pose = bodies_.pose(surface.body) * surface.placed.pose;
    double ahead = h * std::sqrt(fastest);
    if (bodies_.moves(surface.body))
      ahead +=
          h * Eigen::Map<const Vec3>(&bodies_.velocities_before()[bodies_.column_of(surface.body)]).norm();
    const geometry::Aabb box = geometry::bounds(surface.placed.shape, pose).expanded(margin_ + ahead);
    if (box.overlaps(around.expanded(bulge()))) look(s, pose, box, margin_ + ahead);
  }
  return false;
}

// By which balls around particles stick out.
double SolidContact::bulge() const { return model_.parts == 0 ? size_of_ball * boundary_.spacing() : 0; }

void SolidContact::look(std::size_t s, const Pose& pose, const geometry::Aabb& box, double margin) {
  const Surface& surface = surfaces_.surfaces[s];
  const double radius = size_of_ball * boundary_.spacing();
  const geometry::Shape ball = geometry::Sphere{radius};
  const double below = radius - bulge();
  auto known = std::ranges::lower_bound(touches_, s, {}, &Touch::pair);
  for (std::size_t p = 0; p < points().size(); ++p) {
    const Vec3& x = places_[p];
    if (!(x.array() >= box.low.array() - bulge() && x.array() <= box.high.array() + bulge()).all()) continue;
    found_.clear();
    geometry::collide(surface.placed.shape, pose, ball, Pose{x - below * normals_[p]}, margin, found_);
    if (found_.empty()) continue;
    const geometry::ContactPoint& at = *std::ranges::min_element(found_, {}, &geometry::ContactPoint::gap);
    if (model_.parts > 0 && -at.normal.dot(normals_[p]) < flattest) continue;
    Contact contact;
    contact.surface = s;
    contact.point = p;
    contact.body = surface.body;
    contact.law = &law(s, points()[p]);
    contact.compliance = model_.softness * solid_.model().cloud.spacing /
                         (solid_.young(points()[p].particle[0]) * points()[p].area);
    contact.gap = at.gap;
    contact.place = x;
    contact.lever = -below * normals_[p];
    contact.axes[0] = at.normal;
    tangents(at.normal, contact.axes[1], contact.axes[2]);
    find_slopes(contact);
    contact.rate = rate(contact, false);
    if (contact.gap > margin_ && contact.gap + step_ * contact.rate[0] > margin_) {
      slopes_.resize(contact.first);
      continue;
    }
    while (known != touches_.end() && known->pair == s && known->feature < p) ++known;
    contact.arrived = contact.gap - step_ * contact.rate[0] > 0;
    const bool remembered = known != touches_.end() && known->pair == s && known->feature == p;
    const double depth = std::max(0.0, -contact.gap);
    if (remembered) contact.touch = *known;
    contact.touch.rest = remembered ? std::min(contact.touch.rest, depth) : depth;
    contact.touch.deflection = deflection(contact);
    contacts_.push_back(contact);
  }
}

Vec3 SolidContact::velocity_of_body(multibody::BodyId body, const Vec3& at,
                                    std::span<const double> velocities) const {
  if (!bodies_.moves(body)) return Vec3::Zero();
  const Eigen::Map<const Vec6> v(&velocities[bodies_.column_of(body)]);
  return v.head<3>() + v.tail<3>().cross(at - bodies_.pose(body).x);
}

// Of the gap, with the places of particles: those that carry the point, and those around it that turn the
// ball.
void SolidContact::find_slopes(Contact& contact) {
  const meshfree::BoundaryPoint& point = points()[contact.point];
  const Vec3& normal = contact.axes[0];
  found_slopes_.clear();
  for (std::size_t k = 0; k < point.count; ++k)
    found_slopes_.push_back({point.particle[k], point.weight[k] * normal});
  const double below = contact.lever.norm();
  if (below > 0)
    boundary_.add_slopes_of_normal(
        contact.point, -below * normal, [&](std::size_t i) -> const Vec3& { return solid_.position(i); },
        solid_.gradient(), found_slopes_);
  contact.first = slopes_.size();
  contact.count = found_slopes_.size();
  slopes_.insert(slopes_.end(), found_slopes_.begin(), found_slopes_.end());
}

// Of the gap, and of the solid's point over the body.
Vec3 SolidContact::rate(const Contact& contact, bool after) const {
  const auto velocity = [&](std::size_t i) -> const Vec3& {
    return after ? solid_.velocity_after(i) : solid_.velocity(i);
  };
  const std::span<const double> of_bodies = after ? bodies_.velocities_after() : bodies_.velocities_before();
  const Vec3 u =
      points()[contact.point].of(velocity) - velocity_of_body(contact.body, contact.place, of_bodies);
  double opens =
      -contact.axes[0].dot(velocity_of_body(contact.body, contact.place + contact.lever, of_bodies));
  for (const meshfree::Slope& slope : slopes(contact)) opens += slope.of.dot(velocity(slope.particle));
  return {opens, contact.axes[1].dot(u), contact.axes[2].dot(u)};
}

// Of the stick, at the end of the drift that led here.
Vec3 SolidContact::deflection(const Contact& contact) const {
  const Touch& touch = contact.touch;
  const Vec3& normal = contact.axes[0];
  Vec3 d = touch.deflection;
  if (touch.sticks) d += step_ * touch.slide;
  d -= d.dot(normal) * normal;
  const double reach = contact.compliance * contact.law->friction * touch.impulse.dot(normal) / step_,
               length = d.norm();
  return length > reach && reach >= 0 ? Vec3(d * (reach / length)) : d;
}

// ---- step

void SolidContact::assemble(double h, solve::Problem& problem) {
  rows_.clear();
  for (Contact& contact : contacts_) {
    const double before = contact.rate[0];
    contact.rate = rate(contact, false);  // an impact of bodies may have changed it
    contact.struck = contact.rate[0] < before - slowest_blow;
    const material::ContactLaw& law = *contact.law;
    const meshfree::BoundaryPoint& point = points()[contact.point];
    const bool moves = bodies_.moves(contact.body);
    blocks_.clear();
    if (moves) blocks_.push_back(bodies_.block_of(contact.body));
    for (const meshfree::Slope& slope : slopes(contact)) blocks_.push_back(solid_.block_of(slope.particle));
    const solve::CompliantRows compliant(h, contact.compliance, relaxation_time(law, h));
    const std::size_t first = rows_.rows();
    for (std::size_t i = 0; i < 3; ++i) {
      const std::size_t row = rows_.add_row(problem, blocks_);
      const Vec3& axis = contact.axes[i];
      const Vec3 at = i == 0 ? Vec3(contact.place + contact.lever) : contact.place;
      if (moves)
        Eigen::Map<Vec6>(rows_.jacobian(row, 0).data()) << -axis,
            -(at - bodies_.pose(contact.body).x).cross(axis);
      for (std::size_t k = 0; k < contact.count; ++k) {
        Eigen::Map<Vec3> on_particle(rows_.jacobian(row, k + (moves ? 1 : 0)).data());
        if (i == 0)
          on_particle = slopes(contact)[k].of;
        else if (k < point.count)
          on_particle = point.weight[k] * axis;
        else
          on_particle.setZero();
      }
      solve::RowTerms terms = i == 0 ? compliant.row(contact.gap + contact.touch.rest, contact.rate[0])
                                     : compliant.row(axis.dot(contact.touch.deflection), 0.0);
      if (i == 0 && !contact.presses()) terms.rhs = -std::max(contact.gap, 0.0) / h;
      if (i == 0 && convex_ && !contact.touch.sticks)
        terms.rhs -= law.friction * contact.rate.tail<2>().norm();
      rows_.set(row, {.sigma = terms.sigma,
                      .rhs = terms.rhs,
                      .lower = i == 0 ? 0.0 : -solve::unbounded,
                      .start = axis.dot(contact.touch.impulse)});
    }
    rows_.add_cone({first, first + 1, 2, law.friction});
  }
  problem.add_group(rows_);
}

solve::StepReport SolidContact::advance(double h, std::span<const double>, std::span<const double> lambda) {
  next_touches_.clear();
  const double stored = next_books_.normal.stored;
  ContactBooks step;
  for (std::size_t k = 0; k < contacts_.size(); ++k) {
    const Vec3 L = Eigen::Map<const Vec3>(&lambda[3 * k]), after = rate(contacts_[k], true);
    if (L[0] > 0) book(contacts_[k], L, after, h, step);
    next_touches_.push_back(remember(contacts_[k], L, after, h));
  }
  next_books_.normal.stored = 0;
  next_books_.add(step);
  next_books_.normal.lost -= step.normal.work + step.normal.dissipated + step.normal.stored - stored;
  return {};
}

void SolidContact::book(const Contact& contact, const Vec3& L, const Vec3& after, double h,
                        ContactBooks& books) const {
  const double pressed = 0.5 * L[0] * (contact.rate[0] + after[0]);
  if (contact.presses() && !contact.arrived) {
    books.normal.work += pressed;
    // All that is not the spring's: the damper, and what the convex law of friction adds.
    const double spring = -h / contact.compliance * (contact.gap + contact.touch.rest);
    books.normal.dissipated -= 0.5 * (L[0] - spring) * (contact.rate[0] + after[0]);
    books.normal.stored += 0.5 * contact.compliance * (L[0] / h) * (L[0] / h);
  } else {  // it meets, or what is left of the blow ends
    books.impacts.work += pressed;
    books.impacts.dissipated -= pressed;
  }
  const double rubbed = 0.5 * L.tail<2>().dot(contact.rate.tail<2>() + after.tail<2>());
  books.friction.work += rubbed;
  books.friction.dissipated -= rubbed;
  if (bodies_.moves(contact.body)) return;
  const Vec3 impulse = along(contact.axes, L);
  books.impulse += impulse;
  books.angular_impulse += contact.place.cross(impulse) + contact.lever.cross(L[0] * contact.axes[0]);
}

Touch SolidContact::remember(const Contact& contact, const Vec3& lambda, const Vec3& after, double h) const {
  const material::ContactLaw& law = *contact.law;
  Touch touch;
  touch.pair = contact.surface;
  touch.feature = contact.point;
  touch.point = contact.place;
  touch.impulse = along(contact.axes, lambda);
  touch.couple = contact.lever.cross(lambda[0] * contact.axes[0]);
  touch.rest = contact.touch.rest * std::max(0.0, 1 - h / release_time);
  const Vec3 friction = lambda[1] * contact.axes[1] + lambda[2] * contact.axes[2];
  touch.slide = after[1] * contact.axes[1] + after[2] * contact.axes[2];
  touch.sticks = friction.norm() < nearly_all * law.friction * lambda[0];
  touch.deflection = touch.sticks ? contact.touch.deflection : Vec3(-contact.compliance / h * friction);
  return touch;
}

void SolidContact::commit() {
  std::swap(touches_, next_touches_);
  books_ = next_books_;
}

// ---- results

Vec3 SolidContact::force(multibody::BodyId body, double h) const {
  Vec3 sum = Vec3::Zero();
  for (const Touch& touch : touches_)
    if (surfaces_.surfaces[touch.pair].body == body) sum -= touch.impulse / h;
  return sum;
}

Vec3 SolidContact::moment(multibody::BodyId body, const Vec3& about, double h) const {
  Vec3 sum = Vec3::Zero();
  for (const Touch& touch : touches_)
    if (surfaces_.surfaces[touch.pair].body == body)
      sum -= ((touch.point - about).cross(touch.impulse) + touch.couple) / h;
  return sum;
}

void SolidContact::save(Archive& archive) const {
  save_touches(touches_, "solid-contacts", archive);
  books_.save("solid-contacts", archive);
}

void SolidContact::restore(const Archive& archive) {
  touches_ = restore_touches("solid-contacts", archive);
  for (const Touch& touch : touches_)
    if (touch.pair >= surfaces_.surfaces.size() || touch.feature >= points().size())
      throw IoError("saved state has contacts of another solid");
  books_.restore("solid-contacts", archive);
}

}  // namespace hardpan::couple
