// The books of a System, and its judgement of a step by them.
#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "hardpan/core/parallel.h"
#include "hardpan/multibody/system.h"

namespace hardpan::multibody {
namespace {

constexpr double max_tilt = 0.1;  // rad, of the axis of a hinge

double sum(double a, double b) { return a + b; }

}  // namespace

double System::kinetic_energy(const State& state) const {
  return parallel_reduce(
             model_.bodies.size(), 0.0,
             [&](std::size_t begin, std::size_t end) {
               double energy = 0;
               for (std::size_t i = begin; i < end; ++i) {
                 if (!moves(i)) continue;
                 const Vec3& L = state.angular_momentum[i];
                 energy += 0.5 * model_.bodies[i].mass * state.velocity[i].squaredNorm() +
                           0.5 * L.dot(angular_velocity(i, state.pose[i].q, L));
               }
               return energy;
             },
             sum, body_chunk) +
         shaft_energy(state);
}

double System::shaft_energy(const State& state) const {
  double energy = 0;
  for (std::size_t i = 0; i < model_.shafts.size(); ++i)
    energy += 0.5 * model_.shafts[i].inertia * state.shaft_speed[i] * state.shaft_speed[i];
  return energy;
}

double System::gravity_potential(const State& state) const {
  return parallel_reduce(
      model_.bodies.size(), 0.0,
      [&](std::size_t begin, std::size_t end) {
        double energy = 0;
        for (std::size_t i = begin; i < end; ++i)
          if (moves(i)) energy -= model_.bodies[i].mass * model_.gravity.dot(state.pose[i].x);
        return energy;
      },
      sum, body_chunk);
}

void System::book_momentum(const State& state, Ledger& ledger) const {
  const Vec6 total = parallel_reduce(
      model_.bodies.size(), Vec6(Vec6::Zero()),
      [&](std::size_t begin, std::size_t end) {
        Vec6 momentum = Vec6::Zero();
        for (std::size_t i = begin; i < end; ++i) {
          if (!moves(i)) continue;
          const Vec3 p = model_.bodies[i].mass * state.velocity[i];
          momentum.head<3>() += p;
          momentum.tail<3>() += state.pose[i].x.cross(p) + state.angular_momentum[i];
        }
        return momentum;
      },
      [](const Vec6& a, const Vec6& b) { return Vec6(a + b); }, body_chunk);
  ledger.momentum = total.head<3>();
  ledger.angular_momentum = total.tail<3>();
}

void System::open_books() {
  Ledger& books = state_.ledger;
  books = {};
  books.kinetic = kinetic_energy(state_);
  books.gravity.stored = gravity_potential(state_);
  for (std::size_t i = 0; i < row_count_; ++i)
    if (law(i).account == Account::spring) books.springs.stored += law(i).stored;
  books.turnover = books.kinetic + std::abs(books.springs.stored);
  book_momentum(state_, books);
  books.impulse = books.momentum;
  books.angular_impulse = books.angular_momentum;
}

void System::keep_books(double h, std::span<const double> lambda) {
  Ledger books = state_.ledger;
  books.kinetic = kinetic_energy(next_);
  books.impacts.work -= impact_loss_;
  books.impacts.dissipated += std::max(0.0, impact_loss_);
  books.impacts.lost += std::min(0.0, impact_loss_);
  books.motors.work += impact_work_;
  books.turnover += std::abs(impact_work_);

  const double potential = gravity_potential(next_);
  double gravity_work = 0, load_work = 0, given_work = 0;
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    if (!moves(i)) continue;
    const BodyStep& s = steps_[i];
    const double mass = model_.bodies[i].mass;
    const Vec6 mean =
        0.5 * (Eigen::Map<const Vec6>(&before_[s.column]) + Eigen::Map<const Vec6>(&after_[s.column]));
    const Vec3& x = state_.pose[i].x;
    gravity_work += h * mass * model_.gravity.dot(mean.head<3>());
    load_work += (s.load - s.given).dot(mean);
    given_work += s.given.dot(mean);
    const Vec3 push = h * mass * model_.gravity + s.load.head<3>();
    books.impulse += push;
    books.angular_impulse += x.cross(push) + s.load.tail<3>();
  }
  books.gravity.work += gravity_work;
  books.gravity.lost -= gravity_work + potential - books.gravity.stored;
  books.gravity.stored = potential;
  books.loads.work += load_work;
  books.grains.work += given_work;
  books.turnover += std::abs(gravity_work) + std::abs(load_work) + std::abs(given_work);

  book_rows(h, lambda, books);
  book_outside(lambda, books);
  if (!impact_.empty()) book_outside(impact_, books);
  book_momentum(next_, books);
  next_.ledger = books;
}

void System::book_rows(double h, std::span<const double> lambda, Ledger& books) const {
  const Ledger before = books;
  books.joints.stored = books.springs.stored = 0;
  const auto book = [&](std::size_t first, std::size_t rows) {
    // A rigid joint takes its force at once and gives way over tau, and a turning one stands off by h^3
    // whatever its compliance: neither force nor violation alone tells what it could give back.
    double by_force = 0, by_violation = 0;
    for (std::size_t i = first; i < first + rows; ++i) {
      const Law &now = law(i), &next = next_law(i);
      const double rate_before = group_.rate(i, before_), rate_after = group_.rate(i, after_);
      const double work = 0.5 * lambda[i] * (rate_before + rate_after), f = lambda[i] / h;
      switch (now.account) {
        case Account::spring:
          books.springs.work += work;
          books.springs.dissipated += now.resists ? -lambda[i] * (rate_after + bend_[i])
                                                  : h * now.damping * std::pow(rate_after + bend_[i], 2);
          books.springs.stored += next.stored;
          break;
        case Account::motor:
          books.motors.work += work;
          books.turnover += std::abs(work);
          break;
        case Account::friction:
          books.friction.work += work;
          books.friction.dissipated -= work;
          break;
        case Account::joint:
          books.joints.work += work;
          if (!now.elastic() || now.given()) break;
          by_force += 0.5 * now.compliance * f * f;
          by_violation += 0.5 * next.violation * next.violation / now.compliance;
      }
    }
    books.joints.stored += std::min(by_force, by_violation);
  };
  for (const JointInfo& joint : joints_) book(joint.first_row, joint.rows);
  for (const CouplingInfo& coupling : couplings_) book(coupling.first_row, coupling.rows);
  for (const auto account : {&Ledger::joints, &Ledger::springs}) {
    EnergyAccount& now = books.*account;
    const EnergyAccount& then = before.*account;
    now.lost -= (now.work - then.work) + (now.stored - then.stored) + (now.dissipated - then.dissipated);
  }
}

// Rows with an end in the world bring momentum from outside. What acts along coordinates of joints between
// moving bodies cancels to rounding.
void System::book_outside(std::span<const double> lambda, Ledger& books) const {
  const auto push = [&](std::size_t body, const Vec6& impulse) {
    books.impulse += impulse.head<3>();
    books.angular_impulse += state_.pose[body].x.cross(Vec3(impulse.head<3>())) + impulse.tail<3>();
  };
  for (const JointInfo& joint : joints_) {
    if (moves(joint.a) == moves(joint.b)) continue;
    const bool on_a = moves(joint.a);
    for (std::size_t i = joint.first_row; i < joint.first_row + joint.rows; ++i)
      push((on_a ? joint.a : joint.b).index(),
           lambda[i] * (on_a ? rows_[i].jacobian_a : rows_[i].jacobian_b));
  }
  for (std::size_t i = 0; i < row_axis_.size(); ++i)
    for (const AxisTerm& term : plans_[row_axis_[i]].terms) {
      if (term.relation == AxisTerm::none) continue;
      const JointInfo& joint = joints_[joint_of(term.relation)];
      if (moves(joint.a) == moves(joint.b)) continue;
      const Relation& relation = relations_[term.relation];
      const bool on_a = moves(joint.a);
      push((on_a ? joint.a : joint.b).index(),
           lambda[joint_rows_ + i] * term.factor * (on_a ? relation.jacobian_a : relation.jacobian_b));
    }
}

// What gravity gives in ten steps from rest, and the rounding of books that hold nothing, J.
double System::smallest_runaway(double h) const {
  double mass = 0;
  for (std::size_t i = 0; i < model_.bodies.size(); ++i)
    if (moves(i)) mass += model_.bodies[i].mass;
  return 50 * mass * model_.gravity.squaredNorm() * h * h + 1e-9;
}

// The diagonal of the box around the joints and the centres of the bodies they hold.
double System::extent_of_joints() const {
  Eigen::AlignedBox3d box;
  for (const JointInfo& joint : joints_)
    for (const auto& [id, point] :
         {std::pair{joint.a, &joint.point_on_a}, std::pair{joint.b, &joint.point_on_b}}) {
      box.extend(pose(id).point(*point));
      if (id.valid()) box.extend(pose(id).x);
    }
  const double extent = box.isEmpty() ? 0.0 : box.diagonal().norm();
  return extent > 0 ? extent : std::numeric_limits<double>::infinity();
}

// A joint has come apart when it stands open by more than all the energy that went round could have stretched
// it.
solve::StepReport System::judge_joints(double h) const {
  for (const JointInfo& joint : joints_)
    for (std::size_t i = joint.first_row; i < joint.first_row + joint.rows; ++i) {
      const bool turns = next_rows_[i].jacobian_b.head<3>().isZero(0);
      if (auto verdict = judge_row(joint.name, i, turns, h); !verdict.ok) return verdict;
    }
  return {};
}

// A stop that gives way like that is overpowered, by a motor without bound for one.
solve::StepReport System::judge_stops() const {
  for (const CouplingInfo& coupling : couplings_)
    for (std::size_t i = coupling.first_row; i < coupling.first_row + coupling.rows; ++i) {
      const Law& law = next_law(i);
      if (law.restitution < 0) continue;
      const AxisPlan& plan = plans_[row_axis_[i - joint_rows_]];
      const bool turns = plan.joint == AxisTerm::none ||
                         joints_[plan.joint]
                                 .coordinates[plan.terms[0].relation - joints_[plan.joint].first_coordinate]
                                 .measure == Measure::angle;
      const double without_motors = next_.ledger.turnover - std::abs(next_.ledger.motors.work);
      const double stretch = std::sqrt(2 * law.compliance * std::max(0.0, without_motors));
      const double passed = std::abs(law.violation), limit = (turns ? max_tilt : max_violation_) + stretch;
      if (passed > limit)
        return solve::StepReport::failure(
            fmt::format("the stop of '{}' has been passed by {:.3g} {}, allowed is {:.3g}: does a motor push "
                        "against it?",
                        coupling.name, passed, turns ? "rad" : "m", limit));
    }
  return {};
}

solve::StepReport System::judge_row(const std::string& name, std::size_t row, bool turns, double h) const {
  const Law& law = next_law(row);
  if (!law.holds()) return {};
  const double stretch = std::sqrt(2 * law.compliance * next_.ledger.turnover);
  const double apart = std::abs(law.violation), limit = (turns ? max_tilt : max_violation_) + stretch;
  if (apart <= limit) return {};
  return solve::StepReport::failure(
      fmt::format("joint '{}' has come apart by {:.3g} {}, allowed is {:.3g} (step {:g} s is too large?)",
                  name, apart, turns ? "rad" : "m", limit, h));
}

solve::StepReport System::judge(double h) const {
  for (std::size_t i = 0; i < model_.bodies.size(); ++i)
    if (!next_.pose[i].x.allFinite() || !next_.pose[i].q.coeffs().allFinite() ||
        !next_.velocity[i].allFinite())
      return solve::StepReport::failure(
          fmt::format("the motion of body '{}' is not finite", model_.bodies[i].name));
  for (std::size_t i = 0; i < model_.shafts.size(); ++i)
    if (!std::isfinite(next_.shaft_speed[i]) || !std::isfinite(next_.shaft_angle[i]))
      return solve::StepReport::failure(
          fmt::format("the motion of shaft '{}' is not finite", model_.shafts[i].name));
  const Ledger& books = next_.ledger;
  if (!std::isfinite(books.total()))
    return solve::StepReport::failure("the energy of the system is not a finite number");
  if (-books.lost() > model_.max_energy_growth * books.turnover + smallest_runaway(h))
    return solve::StepReport::failure(
        fmt::format("energy runs away: numerical errors have created {:.3g} J where {:.3g} J went round "
                    "(step {:g} s is too large?)",
                    -books.lost(), books.turnover, h));
  if (auto verdict = judge_stops(); !verdict.ok) return verdict;
  return judge_joints(h);
}

}  // namespace hardpan::multibody
