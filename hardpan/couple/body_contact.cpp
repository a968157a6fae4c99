#include "hardpan/couple/body_contact.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "hardpan/core/error.h"
#include "hardpan/core/parallel.h"
#include "hardpan/geometry/aabb.h"
#include "hardpan/math/rotation.h"
#include "hardpan/solve/block_cholesky.h"
#include "hardpan/solve/spook.h"

namespace hardpan::couple {
namespace {

constexpr double slowest = 1e-9;  // what rounding may do to a rate, m/s
constexpr std::size_t pairs_per_chunk = 64;

// A vector of a tangent plane, after the plane has turned to a new normal: as long as before.
Vec3 laid_flat(const Vec3& v, const Vec3& normal) {
  const Vec3 flat = v - v.dot(normal) * normal;
  const double length = flat.norm();
  return length > 0 ? Vec3(flat * (v.norm() / length)) : Vec3(Vec3::Zero());
}

// An arm of moments; any will do where there are none.
double square_arm(double length) { return length > 0 ? length * length : 1.0; }

bool resists_turning(const ContactModel& model) {
  return std::ranges::any_of(
      model.laws, [](const material::ContactLaw& law) { return law.rolling > 0 || law.twisting > 0; });
}

}  // namespace

BodyContact::BodyContact(ContactModel model, multibody::System& bodies, solve::Friction law)
    : model_(std::move(model)),
      bodies_(bodies),
      convex_(law == solve::Friction::convex),
      rows_(resists_turning(model_) ? 6 : 3) {}

// ---- detection

void BodyContact::detect() {
  const std::size_t count = model_.surfaces.size();
  poses_.resize(count);
  boxes_.resize(count);
  parallel_for(count, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const Surface& surface = model_.surfaces[i];
      poses_[i] = bodies_.pose(surface.body) * surface.placed.pose;
      boxes_[i] = geometry::bounds(surface.placed.shape, poses_[i]).expanded(margin_ + reach(surface.body));
    }
  });
  const auto& pairs = broad_phase_.pairs(boxes_);
  finds_.resize((pairs.size() + pairs_per_chunk - 1) / pairs_per_chunk);
  parallel_for(
      pairs.size(),
      [&](std::size_t begin, std::size_t end) {
        Finds& finds = finds_[begin / pairs_per_chunk];
        finds.contacts.clear();
        finds.struck = false;
        finds.known =
            std::ranges::lower_bound(touches_, key(pairs[begin][0], pairs[begin][1]), {}, &Touch::pair);
        for (std::size_t k = begin; k < end; ++k)
          if (model_.may_touch(bodies_.model(), pairs[k][0], pairs[k][1]))
            find(pairs[k][0], pairs[k][1], finds);
      },
      pairs_per_chunk);
  contacts_.clear();
  for (Finds& finds : finds_)
    for (Contact& contact : finds.contacts) contacts_.push_back(&contact);
}

std::uint64_t BodyContact::key(std::size_t surface_a, std::size_t surface_b) const {
  return surface_a * model_.surfaces.size() + surface_b;
}

// The points of one pair, without those that will strike, but not yet. Pairs come in order.
void BodyContact::find(std::size_t surface_a, std::size_t surface_b, Finds& finds) const {
  const Surface &a = model_.surfaces[surface_a], &b = model_.surfaces[surface_b];
  const material::ContactLaw& law = model_.law(a.material, b.material);
  const bool dull = law.restitution == 0 && (model_.is_grain(surface_a) || model_.is_grain(surface_b));
  const double ahead = dull ? reach(a.body) + reach(b.body) : 0;
  finds.points.clear();
  geometry::collide(a.placed.shape, poses_[surface_a], b.placed.shape, poses_[surface_b], margin_ + ahead,
                    finds.points);
  if (finds.points.empty()) return;
  const std::uint64_t pair = key(surface_a, surface_b);
  auto& last = finds.known;
  while (last != touches_.end() && last->pair < pair) ++last;
  const auto first = last;
  while (last != touches_.end() && last->pair == pair) ++last;
  finds.matched.resize(finds.points.size());
  match_touches(finds.points, std::span(first, last), finds.matched);
  for (std::size_t i = 0; i < finds.points.size(); ++i) {
    const geometry::ContactPoint& at = finds.points[i];
    Contact& contact = finds.contacts.emplace_back();
    contact.pair = pair;
    contact.a = a.body;
    contact.b = b.body;
    contact.law = &law;
    contact.dull = dull;
    contact.gap = at.gap;
    contact.feature = at.feature;
    contact.point = 0.5 * (at.on_a + at.on_b);
    contact.axes[0] = at.normal;
    tangents(at.normal, contact.axes[1], contact.axes[2]);
    set_rates(contact);
    if (dull ? at.gap > margin_ && at.gap + step_ * contact.rate[0] > margin_
             : at.gap > 0 && contact.rate[0] < -strike_speed_) {
      finds.contacts.pop_back();
      continue;
    }
    contact.known = finds.matched[i] != nullptr;
    if (contact.known) contact.touch = *finds.matched[i];
    const double depth = std::max(0.0, -at.gap);
    contact.touch.rest = contact.known ? std::min(contact.touch.rest, depth) : depth;
    contact.bend = bend(contact);
    contact.touch.deflection = deflection(contact);
    contact.struck =
        at.gap <= 0 && (dull || !contact.pressed()) && contact.rate[0] < -strike_speed_ - slowest;
    if (contact.struck && !contact.pressed()) contact.touch.rest = depth;
    finds.struck = finds.struck || (contact.struck && !dull);
    contact.bend += cross(drift_angle(contact), contact.bend);  // it goes round with them
  }
}

// Half of what the last drift changed in the sliding. Points that were found elsewhere on their bodies than
// turning explains tell nothing.
Vec3 BodyContact::bend(const Contact& contact) const {
  if (!contact.pressed()) return Vec3::Zero();
  const Vec3 change = contact.rate[1] * contact.axes[1] + contact.rate[2] * contact.axes[2] -
                      laid_flat(contact.touch.slide, contact.axes[0]);
  double most = 0;
  for (const multibody::BodyId body : {contact.a, contact.b})
    most += motion(body).spin.squaredNorm() * (contact.point - motion(body).centre).norm();
  return change.norm() <= 4 * step_ * most ? Vec3(0.5 * change) : Vec3(Vec3::Zero());
}

// Of the stick, at the end of the drift that led here.
Vec3 BodyContact::deflection(const Contact& contact) const {
  const Touch& touch = contact.touch;
  const Vec3& normal = contact.axes[0];
  if (!touch.sticks) return laid_flat(touch.deflection, normal);
  const material::ContactLaw& law = *contact.law;
  Vec3 d = touch.deflection + step_ * touch.slide;
  d = laid_flat(d, normal) + step_ * contact.bend;
  const double reach = law.compliance * law.friction * touch.impulse.dot(normal) / step_, length = d.norm();
  return length > reach ? Vec3(d * (reach / length)) : d;
}

// How far a body may come towards a grain in a step, m.
double BodyContact::reach(multibody::BodyId body) const {
  return model_.grains > 0 ? step_ * motion(body).velocity.norm() : 0.0;
}

void BodyContact::set_motions(std::span<const double> velocities) {
  motions_.resize(bodies_.model().bodies.size());
  for (std::size_t i = 0; i < motions_.size(); ++i) {
    const multibody::BodyId body(i);
    Motion& motion = motions_[i];
    motion = {bodies_.pose(body).x, Vec3::Zero(), Vec3::Zero(), bodies_.moves(body)};
    if (!motion.moves) continue;
    const Eigen::Map<const Vec6> v(&velocities[bodies_.column_of(body)]);
    motion.velocity = v.head<3>();
    motion.spin = v.tail<3>();
  }
}

Vec3 BodyContact::spin(multibody::BodyId body, std::span<const double> velocities) const {
  if (!bodies_.moves(body)) return Vec3::Zero();
  return Eigen::Map<const Vec6>(&velocities[bodies_.column_of(body)]).tail<3>();
}

// By which both bodies together turn over a drift, rad.
Vec3 BodyContact::drift_angle(const Contact& contact) const {
  return 0.5 * step_ * (motion(contact.a).spin + motion(contact.b).spin);
}

Vec3 BodyContact::along(const Contact& contact, const Vec3& parts) {
  return parts[0] * contact.axes[0] + parts[1] * contact.axes[1] + parts[2] * contact.axes[2];
}

// Along the normal and the two tangents.
Vec3 BodyContact::impulses(std::span<const double> lambda, std::size_t row_contact) const {
  return Eigen::Map<const Vec3>(&lambda[rows_.rows_per_contact() * row_contact]);
}
Vec3 BodyContact::moments(std::span<const double> lambda, std::size_t row_contact) const {
  if (rows_.rows_per_contact() == 3) return Vec3::Zero();
  const double* first = &lambda[6 * row_contact];
  return {first[solve::ContactRows::twisting], first[solve::ContactRows::rolling],
          first[solve::ContactRows::rolling + 1]};
}

Vec3 BodyContact::rate(const Contact& contact) const {
  const Vec3 u = motion(contact.b).at(contact.point) - motion(contact.a).at(contact.point);
  return {contact.axes[0].dot(u), contact.axes[1].dot(u), contact.axes[2].dot(u)};
}

void BodyContact::set_rates(Contact& contact) const {
  contact.rate = rate(contact);
  contact.turn = motion(contact.b).spin - motion(contact.a).spin;
}

void BodyContact::write_jacobians(std::size_t row_contact, const Contact& contact,
                                  const solve::Problem& problem) {
  const auto block = [&](multibody::BodyId body) {
    return motion(body).moves ? bodies_.block_of(body) : solve::ContactRows::ground;
  };
  rows_.begin(row_contact, problem, block(contact.a), block(contact.b));
  const Vec3 arm_a = contact.point - motion(contact.a).centre;
  const Vec3 arm_b = contact.point - motion(contact.b).centre;
  for (std::size_t i = 0; i < 3; ++i) {
    const Vec3& axis = contact.axes[i];
    Eigen::Map<Vec6>(rows_.on_a(row_contact, i).data()) << -axis, -cross(arm_a, axis);
    Eigen::Map<Vec6>(rows_.on_b(row_contact, i).data()) << axis, cross(arm_b, axis);
  }
  if (rows_.rows_per_contact() == 3) return;
  const std::size_t turning[] = {solve::ContactRows::twisting, solve::ContactRows::rolling,
                                 solve::ContactRows::rolling + 1};
  for (std::size_t i = 0; i < 3; ++i) {
    Eigen::Map<Vec6>(rows_.on_a(row_contact, turning[i]).data()) << Vec3::Zero(), -contact.axes[i];
    Eigen::Map<Vec6>(rows_.on_b(row_contact, turning[i]).data()) << Vec3::Zero(), contact.axes[i];
  }
}

// ---- impact

bool BodyContact::prepare(double, double h) {
  step_ = h;
  strike_speed_ = bodies_.model().gravity.norm() * h;
  margin_ = 4 * strike_speed_ * h;
  next_books_ = books_;
  set_motions(bodies_.velocities_before());
  detect();
  attract();
  return std::ranges::any_of(finds_, &Finds::struck);
}

void BodyContact::attract() {
  if (std::ranges::none_of(model_.laws, [](const material::ContactLaw& law) { return law.adhesion > 0; }))
    return;
  const auto give = [&](multibody::BodyId body, const Vec3& point, const Vec3& impulse) {
    if (!motion(body).moves) return;
    Vec6 both;
    both << impulse, cross(point - motion(body).centre, impulse);
    bodies_.give(body, both);
  };
  for (const Contact* contact : contacts_) {
    const double attraction = contact->attraction();
    if (attraction == 0) continue;
    const Vec3 towards_a = -step_ * attraction * contact->axes[0];
    give(contact->b, contact->point, towards_a);
    give(contact->a, contact->point, -towards_a);
  }
}

void BodyContact::factor_masses(const solve::Problem& problem) {
  factors_.resize(problem.blocks().size());
  for (const Surface& surface : model_.surfaces) {
    if (!bodies_.moves(surface.body)) continue;
    const std::size_t block = bodies_.block_of(surface.body);
    std::ranges::copy(problem.matrix(block), factors_[block].begin());
    solve::cholesky(factors_[block], 6);
  }
}

// G A^-1 G^T along the normal: how readily the contact opens.
double BodyContact::mobility(std::size_t row_contact, const Contact& contact) {
  double sum = 0;
  for (const auto& [body, jacobian] :
       {std::pair{contact.a, rows_.on_a(row_contact, 0)}, std::pair{contact.b, rows_.on_b(row_contact, 0)}}) {
    if (!bodies_.moves(body)) continue;
    Vec6 j = Eigen::Map<const Vec6>(jacobian.data());
    solve::cholesky_forward(factors_[bodies_.block_of(body)], std::span(j.data(), 6));
    sum += j.squaredNorm();
  }
  return sum;
}

// Gives rows to some of the contacts.
template <class Which, class Write>
void BodyContact::write_rows(const Which& which, const Write& write, solve::Problem& problem) {
  rowed_.clear();
  std::ranges::copy_if(contacts_, std::back_inserter(rowed_), [&](const Contact* c) { return which(*c); });
  rows_.resize(rowed_.size());
  parallel_for(rowed_.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) {
      fetch(k + 3);
      const Contact& contact = *rowed_[k];
      write_jacobians(k, contact, problem);
      write(k, contact);
      rows_.set_friction(k, contact.law->friction, contact.law->rolling, contact.law->twisting);
    }
  });
  problem.add_group(rows_);
}

void BodyContact::collide(double share, solve::Problem& problem) {
  constexpr double trace = 1e-8;  // of the mobility: keeps redundant contacts apart, as in multibody/law.h
  factor_masses(problem);
  const auto write = [&](std::size_t k, const Contact& contact) {
    const double sigma = trace * mobility(k, contact);
    rows_.set(k, 0, sigma, contact.struck ? -share * contact.law->restitution * contact.rate[0] : 0.0, 0.0);
    for (std::size_t row = 1; row < rows_.rows_per_contact(); ++row) rows_.set(k, row, sigma, 0.0, 0.0);
  };
  write_rows([](const Contact& contact) { return contact.holds(); }, write, problem);
}

solve::StepReport BodyContact::rebound(std::span<const double>, std::span<const double> lambda) {
  set_motions(bodies_.velocities_before());
  next_books_.add(sum_books([&](std::size_t k, Contact& contact, ContactBooks& books) {
    const Vec3 before = contact.rate, turned = contact.turn, L = impulses(lambda, k), M = moments(lambda, k);
    set_rates(contact);
    books.impacts.work +=
        0.5 * L.dot(before + contact.rate) + 0.5 * along(contact, M).dot(turned + contact.turn);
    book_outside(contact, L, M, books);
  }));
  multibody::EnergyAccount& impacts = next_books_.impacts;
  const double work = impacts.work - books_.impacts.work;
  (work < 0 ? impacts.dissipated : impacts.lost) -= work;
  for (Contact* contact : contacts_) {
    if (contact->holds()) continue;
    set_rates(*contact);
    contact->waits = contact->rate[0] < -strike_speed_ && !contact->dull;
  }
  return {};
}

// Contacts are larger than what processors fetch ahead.
void BodyContact::fetch(std::size_t row_contact) const {
  if (row_contact >= rowed_.size()) return;
  const char* const from = reinterpret_cast<const char*>(rowed_[row_contact]);
  for (std::size_t line = 0; line < sizeof(Contact); line += 64) __builtin_prefetch(from + line);
}

// What one contact after the other books: the same sum for any number of threads.
template <class Book>
ContactBooks BodyContact::sum_books(const Book& book) {
  return parallel_reduce(
      rowed_.size(), ContactBooks{},
      [&](std::size_t begin, std::size_t end) {
        ContactBooks books;
        for (std::size_t k = begin; k < end; ++k) {
          fetch(k + 3);
          book(k, *rowed_[k], books);
        }
        return books;
      },
      [](ContactBooks a, const ContactBooks& b) {
        a.add(b);
        return a;
      });
}

// At which the convex law would open the contact in this step. One that is new slides if its weight cannot
// stop it.
double BodyContact::opening(const Contact& contact) const {
  if (!convex_ || (contact.pressed() && contact.touch.sticks)) return 0;
  const double mu = contact.law->friction, kick = contact.pressed() ? 0.0 : mu * strike_speed_;
  return mu * std::max(0.0, contact.rate.tail<2>().norm() - kick);
}

// Over where the spring of the normal force would hold it.
double BodyContact::lift(const Contact& contact) const {
  const double force = contact.touch.impulse.dot(contact.axes[0]) / step_;
  return contact.gap + contact.touch.rest + contact.law->compliance * force;
}

// ---- step

void BodyContact::assemble(double h, solve::Problem& problem) {
  const auto write = [&](std::size_t k, const Contact& contact) {
    const material::ContactLaw& law = *contact.law;
    const solve::CompliantRows compliant(h, law.compliance, relaxation_time(law, h));
    for (std::size_t i = 0; i < 3; ++i) {
      const bool normal = i == 0;
      const double violation =
          normal ? contact.gap + contact.touch.rest : contact.axes[i].dot(contact.touch.deflection);
      const double before = normal && !contact.struck ? contact.rate[0] : 0.0;
      solve::RowTerms terms = compliant.row(violation, before);
      if (normal && contact.gap > 0) terms.rhs = -contact.gap / h;
      terms.rhs -= normal ? opening(contact) : contact.axes[i].dot(contact.bend);
      const double start = contact.axes[i].dot(contact.touch.impulse);
      rows_.set(k, i, terms.sigma, terms.rhs, start);
      // Turning is resisted at an arm as long as the moment's.
      if (rows_.rows_per_contact() == 6)
        rows_.set(k, i + 3, terms.sigma / square_arm(i == 2 ? law.twisting : law.rolling), 0.0, 0.0);
    }
  };
  write_rows([](const Contact& contact) { return !contact.waits; }, write, problem);
}

solve::StepReport BodyContact::advance(double h, std::span<const double>, std::span<const double> lambda) {
  next_touches_.resize(rowed_.size());
  set_motions(bodies_.velocities_after());
  const ContactBooks step = sum_books([&](std::size_t k, const Contact& contact, ContactBooks& books) {
    const Vec3 L = impulses(lambda, k), after = rate(contact);
    if (L[0] > 0 || contact.attraction() > 0) book_step(contact, L, moments(lambda, k), after, h, books);
    next_touches_[k] = remember(contact, L, after, h);
  });
  const double stored = next_books_.normal.stored;
  next_books_.normal.stored = 0;
  next_books_.add(step);
  next_books_.normal.lost -= step.normal.work + step.normal.dissipated + step.normal.stored - stored;
  return {};
}

void BodyContact::book_step(const Contact& contact, const Vec3& L, const Vec3& M, const Vec3& after, double h,
                            ContactBooks& books) const {
  const material::ContactLaw& law = *contact.law;
  if (contact.pressed() && !contact.touch.sticks) books.lift = std::max(books.lift, std::abs(lift(contact)));
  const double closing = 0.5 * (contact.rate[0] + after[0]), pressed = L[0] * closing;
  const double pull = h * contact.attraction();
  books.normal.work -= pull * closing;
  books.adhesion -= pull * closing;
  if (contact.blow(strike_speed_)) {
    books.impacts.work += pressed;
    books.impacts.dissipated -= pressed;
  } else {
    books.normal.work += pressed;
    if (contact.gap <= 0) {  // else it is no spring
      books.normal.dissipated += h * law.relaxation_time / law.compliance * after[0] * after[0];
      books.normal.stored += law.compliance * L[0] / h * (0.5 * L[0] - pull) / h;
    }
  }
  const double rubbed =
      0.5 * L.tail<2>().dot(contact.rate.tail<2>() + after.tail<2>()) + work_of_moments(contact, M);
  books.friction.work += rubbed;
  books.friction.dissipated -= rubbed;
  book_outside(contact, L, M, books);
}

// Half of the work of moments at the velocities before and after the kick.
double BodyContact::work_of_moments(const Contact& contact, const Vec3& M) const {
  if (M.isZero(0)) return 0;
  const Vec3 moment = along(contact, M);
  double work = 0;
  for (const std::span<const double> v : {bodies_.velocities_before(), bodies_.velocities_after()})
    work += 0.5 * moment.dot(spin(contact.b, v) - spin(contact.a, v));
  return work;
}

Touch BodyContact::remember(const Contact& contact, const Vec3& lambda, const Vec3& after, double h) const {
  const material::ContactLaw& law = *contact.law;
  Touch touch;
  touch.pair = contact.pair;
  touch.feature = contact.feature;
  touch.point = contact.point;
  touch.impulse = along(contact, lambda);
  touch.pull = -h * contact.attraction() * contact.axes[0];
  touch.rest = contact.touch.rest * std::max(0.0, 1 - h / release_time);

  const Vec3 friction = lambda[1] * contact.axes[1] + lambda[2] * contact.axes[2];
  const double most = law.friction * lambda[0];
  touch.slide = after[1] * contact.axes[1] + after[2] * contact.axes[2];
  if (friction.norm() >= nearly_all * most) {
    touch.deflection = -law.compliance / h * friction;
    return touch;
  }
  const Vec3& d = contact.touch.deflection;
  touch.deflection = d + cross(drift_angle(contact), d);
  touch.sticks = true;
  return touch;
}

// Contacts with what does not move bring momentum from outside.
void BodyContact::book_outside(const Contact& contact, const Vec3& L, const Vec3& M,
                               ContactBooks& books) const {
  if (motion(contact.a).moves == motion(contact.b).moves) return;
  const double side = motion(contact.b).moves ? 1 : -1;
  const Vec3 impulse = side * along(contact, L);
  books.impulse += impulse;
  books.angular_impulse += cross(contact.point, impulse) + side * along(contact, M);
}

void BodyContact::commit() {
  std::swap(touches_, next_touches_);
  books_ = next_books_;
}

}  // namespace hardpan::couple
