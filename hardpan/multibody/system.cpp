#include "hardpan/multibody/system.h"

#include <algorithm>
#include <cmath>

#include <Eigen/LU>
#include <fmt/core.h>

#include "hardpan/core/parallel.h"
#include "hardpan/math/rotation.h"
#include "hardpan/multibody/free_rotation.h"
#include "hardpan/solve/spook.h"

namespace hardpan::multibody {
namespace {

constexpr std::size_t body_chunk = 64;

const Pose world_pose{};

// The impulse share of a window [from, until) within the step [t, t + h).
double overlap(double t, double h, double from, double until) {
  return std::clamp(std::min(t + h, until) - std::max(t, from), 0.0, h);
}

double sum(double a, double b) { return a + b; }

}  // namespace

System::System(Model model) : model_(std::move(model)) {
  const std::size_t n = model_.bodies.size();
  index_joints();
  state_.impulse.assign(row_count_, 0.0);
  state_.memory.assign(memory_size_, 0.0);
  for (const Body& body : model_.bodies) {
    inertia_inverse_.push_back(body.inertia.inverse());
    const Mat3 R = body.pose.q.toRotationMatrix();
    state_.pose.push_back(body.pose);
    state_.velocity.push_back(body.fixed ? Vec3::Zero() : body.velocity);
    state_.angular_momentum.push_back(
        body.fixed ? Vec3::Zero() : Vec3(R * body.inertia * R.transpose() * body.angular_velocity));
  }
  steps_.resize(n);
  max_violation_ = model_.max_violation.value_or(0.1 * extent_of_joints());
  remember(state_);
  evaluate_rows(state_, rows_);

  Ledger& books = state_.ledger;
  books.kinetic = kinetic_energy(state_);
  books.gravity.stored = gravity_potential(state_);
  for (const Row& row : rows_)
    if (row.account == Account::spring && !row.damper_only())
      books.springs.stored += row.violation * row.violation / (2 * row.compliance);
  books.turnover = books.kinetic + books.springs.stored;
  book_momentum(state_, books);
  books.impulse = books.momentum;
  books.angular_impulse = books.angular_momentum;
  next_ = state_;
  next_rows_ = rows_;
}

void System::index_joints() {
  const auto add_pool = [&](const auto& pool) {
    for (const auto& joint : pool) {
      joints_.push_back({joint.ends.name, joint.kind, joint.ends.a, joint.ends.b, joint.s_A, joint.s_B,
                         row_count_, joint.rows(), memory_size_});
      row_count_ += joint.rows();
      memory_size_ += joint.memory_size;
    }
  };
  std::apply([&](const auto&... pools) { (add_pool(pools), ...); }, model_.joints);
}

const Pose& System::pose(BodyId id) const { return id.valid() ? state_.pose[id.index()] : world_pose; }

Vec3 System::angular_velocity(std::size_t body, const Quat& q, const Vec3& L) const {
  return q * (inertia_inverse_[body] * (q.conjugate() * L));
}

Vec3 System::angular_velocity(BodyId id) const {
  return moves(id)
             ? angular_velocity(id.index(), state_.pose[id.index()].q, state_.angular_momentum[id.index()])
             : Vec3::Zero();
}

double System::kinetic_energy(BodyId id) const {
  if (!moves(id)) return 0;
  const std::size_t i = id.index();
  return 0.5 * model_.bodies[i].mass * state_.velocity[i].squaredNorm() +
         0.5 * state_.angular_momentum[i].dot(angular_velocity(id));
}

Vec6 System::reaction(const JointInfo& joint, double h) const {
  // Rows are kept at the present poses, impulses belong to the step that led here: a lag of order h.
  Vec6 wrench = Vec6::Zero();
  for (std::size_t i = joint.first_row; i < joint.first_row + joint.rows; ++i)
    wrench += state_.impulse[i] / h * rows_[i].jacobian_b;
  const Vec3 lever = pose(joint.b).turned(joint.point_on_b);
  wrench.tail<3>() -= lever.cross(Vec3(wrench.head<3>()));
  return wrench;
}

// ---- phases

void System::declare(solve::Problem& problem) {
  for (std::size_t i = 0; i < model_.bodies.size(); ++i) {
    if (!moves(i)) continue;
    steps_[i].block = problem.add_block(6);
    steps_[i].column = problem.blocks()[steps_[i].block].offset;
  }
  impulse_.resize(problem.velocities());
}

void System::apply_loads(double time, double h) {
  for (BodyStep& s : steps_) s.load.setZero();
  for (const Load& load : model_.loads) {
    if (!moves(load.body)) continue;
    const double duration = overlap(time, h, load.from, load.until);
    if (duration == 0) continue;  // zero times infinity is not a number
    const Vec3 lever = pose(load.body).turned(load.point);
    Vec6& impulse = steps_[load.body.index()].load;
    impulse.head<3>() += duration * load.force;
    impulse.tail<3>() += duration * (load.torque + lever.cross(load.force));
  }
}

solve::StepReport System::predict(double time, double h, solve::Problem& problem) {
  apply_loads(time, h);
  parallel_for(
      model_.bodies.size(),
      [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
          if (!moves(i)) continue;
          const Body& body = model_.bodies[i];
          BodyStep& s = steps_[i];
          const Quat& q = state_.pose[i].q;
          const Vec3& L = state_.angular_momentum[i];
          s.before << state_.velocity[i], angular_velocity(i, q, L);
          const FreeRotation turn = free_rotation(inertia_inverse_[i], q, L + s.load.tail<3>(), h);
          s.rotation_failed = !turn.converged;

          const Mat3 R = q.toRotationMatrix(), inertia = R * body.inertia * R.transpose();
          Eigen::Map<Eigen::Matrix<double, 6, 6, Eigen::RowMajor>> A(problem.matrix(s.block).data());
          A.setZero();
          A.topLeftCorner<3, 3>().diagonal().setConstant(body.mass);
          A.bottomRightCorner<3, 3>() = 0.5 * (inertia + inertia.transpose());
          Eigen::Map<Vec6> p(problem.momentum(s.block).data());
          p << body.mass * (state_.velocity[i] + h * model_.gravity) + s.load.head<3>(),
              A.bottomRightCorner<3, 3>() * turn.omega_W;
        }
      },
      body_chunk);
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    if (!steps_[i].load.allFinite())
      return solve::StepReport::failure(
          fmt::format("the load on body '{}' is not finite", model_.bodies[i].name));
    if (steps_[i].rotation_failed) {
      const Vec3 kicked = state_.angular_momentum[i] + steps_[i].load.tail<3>();
      return too_fast(i, h * angular_velocity(i, state_.pose[i].q, kicked).norm());
    }
  }
  return {};
}

solve::StepReport System::too_fast(std::size_t body, double turn) const {
  return solve::StepReport::failure(
      fmt::format("body '{}' turns too fast for the step: {:.3g} rad per step, allowed is about 1",
                  model_.bodies[body].name, turn));
}

void System::assemble(double h, solve::Problem& problem) {
  group_.resize(row_count_);
  parallel_for(joints_.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t j = begin; j < end; ++j) {
      const JointInfo& joint = joints_[j];
      const BodyStep* a = moves(joint.a) ? &steps_[joint.a.index()] : nullptr;
      const BodyStep* b = moves(joint.b) ? &steps_[joint.b.index()] : nullptr;
      for (std::size_t i = joint.first_row; i < joint.first_row + joint.rows; ++i) {
        const Row& row = rows_[i];
        double rate = 0;
        if (a) rate += row.jacobian_a.dot(a->before);
        if (b) rate += row.jacobian_b.dot(b->before);
        const solve::RowTerms terms =
            row.damper_only()
                ? solve::damper_row(h, row.damping)
                : solve::compliant_row(h, row.compliance, row.relaxation_time, row.violation, rate);
        group_.set(i,
                   {a ? a->column : solve::PairRows::no_block, b ? b->column : solve::PairRows::no_block,
                    row.jacobian_a, row.jacobian_b},
                   terms.sigma, terms.rhs);
      }
    }
  });
  problem.add_group(group_);
}

solve::StepReport System::advance(double h, std::span<const double>, std::span<const double> lambda) {
  // Momentum is changed by the impulses themselves, not by the solved velocities: action and reaction then
  // cancel to rounding, whatever residual the solver left.
  std::fill(impulse_.begin(), impulse_.end(), 0.0);
  group_.apply_transpose(lambda, impulse_);
  std::copy(lambda.begin(), lambda.end(), next_.impulse.begin());
  next_.memory = state_.memory;
  kick_and_drift(h, impulse_);
  for (std::size_t i = 0; i < steps_.size(); ++i)
    if (steps_[i].rotation_failed) return too_fast(i, h * steps_[i].after.tail<3>().norm());
  remember(next_);
  evaluate_rows(next_, next_rows_);
  keep_books(h, lambda);
  return judge(h);
}

void System::kick_and_drift(double h, std::span<const double> row_impulse) {
  parallel_for(
      model_.bodies.size(),
      [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
          if (!moves(i)) continue;
          BodyStep& s = steps_[i];
          const Pose& pose = state_.pose[i];
          const Vec6 impulse = s.load + Eigen::Map<const Vec6>(&row_impulse[s.column]);
          next_.velocity[i] =
              state_.velocity[i] + h * model_.gravity + impulse.head<3>() / model_.bodies[i].mass;
          next_.angular_momentum[i] = state_.angular_momentum[i] + impulse.tail<3>();
          s.after << next_.velocity[i], angular_velocity(i, pose.q, next_.angular_momentum[i]);
          const FreeRotation turn = free_rotation(inertia_inverse_[i], pose.q, next_.angular_momentum[i], h);
          s.rotation_failed = !turn.converged;
          next_.pose[i].x = pose.x + h * next_.velocity[i];
          next_.pose[i].q = (cayley(h * turn.omega_W) * pose.q).normalized();
        }
      },
      body_chunk);
}

void System::commit() {
  std::swap(state_, next_);
  std::swap(rows_, next_rows_);
}

void System::restore(const Archive& archive) {
  state_.restore(archive);
  next_ = state_;
  evaluate_rows(state_, rows_);
}

// ---- joints

void System::evaluate_rows(const State& state, std::vector<Row>& rows) const {
  rows.resize(row_count_);
  const auto pose_of = [&](BodyId id) -> const Pose& {
    return id.valid() ? state.pose[id.index()] : world_pose;
  };
  std::size_t first = 0;
  const auto evaluate_pool = [&](const auto& pool) {
    parallel_for(pool.size(), [&](std::size_t begin, std::size_t end) {
      for (std::size_t j = begin; j < end; ++j) {
        const auto& joint = pool[j];
        const JointInfo& info = joints_[first + j];
        joint.evaluate(pose_of(joint.ends.a), pose_of(joint.ends.b),
                       std::span(state.memory).subspan(info.memory, joint.memory_size),
                       std::span(rows).subspan(info.first_row, info.rows));
      }
    });
    first += pool.size();
  };
  std::apply([&](const auto&... pools) { (evaluate_pool(pools), ...); }, model_.joints);
}

void System::remember(State& state) const {
  const auto pose_of = [&](BodyId id) -> const Pose& {
    return id.valid() ? state.pose[id.index()] : world_pose;
  };
  std::size_t j = 0;
  const auto remember_pool = [&](const auto& pool) {
    for (const auto& joint : pool)
      joint.remember(pose_of(joint.ends.a), pose_of(joint.ends.b),
                     std::span(state.memory).subspan(joints_[j++].memory, joint.memory_size));
  };
  std::apply([&](const auto&... pools) { (remember_pool(pools), ...); }, model_.joints);
}

// ---- books

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
      sum, body_chunk);
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

void System::keep_books(double h, std::span<const double> lambda) {
  Ledger books = state_.ledger;
  books.kinetic = kinetic_energy(next_);

  const double potential = gravity_potential(next_);
  double gravity_work = 0, load_work = 0;
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    if (!moves(i)) continue;
    const BodyStep& s = steps_[i];
    const double mass = model_.bodies[i].mass;
    const Vec6 mean = 0.5 * (s.before + s.after);
    const Vec3& x = state_.pose[i].x;
    gravity_work += h * mass * model_.gravity.dot(mean.head<3>());
    load_work += s.load.dot(mean);
    const Vec3 push = h * mass * model_.gravity + s.load.head<3>();
    books.impulse += push;
    books.angular_impulse += x.cross(push) + s.load.tail<3>();
  }
  books.gravity.work += gravity_work;
  books.gravity.lost -= gravity_work + potential - books.gravity.stored;
  books.gravity.stored = potential;
  books.loads.work += load_work;
  books.turnover += std::abs(gravity_work) + std::abs(load_work);

  book_rows(h, lambda, books);
  book_momentum(next_, books);
  next_.ledger = books;
}

void System::book_rows(double h, std::span<const double> lambda, Ledger& books) const {
  EnergyAccount before[2] = {books.joints, books.springs};
  EnergyAccount now[2] = {books.joints, books.springs};
  now[0].stored = now[1].stored = 0;
  for (const JointInfo& joint : joints_) {
    const BodyStep* a = moves(joint.a) ? &steps_[joint.a.index()] : nullptr;
    const BodyStep* b = moves(joint.b) ? &steps_[joint.b.index()] : nullptr;
    // A rigid joint takes its force at once and gives way over tau, and a turning one stands off by h^2
    // whatever its compliance: neither force nor violation alone tells what it could give back.
    double by_force = 0, by_violation = 0;
    for (std::size_t i = joint.first_row; i < joint.first_row + joint.rows; ++i) {
      const Row& row = rows_[i];
      double rate_before = 0, rate_after = 0;
      for (const auto& [step, jacobian] : {std::pair{a, &row.jacobian_a}, std::pair{b, &row.jacobian_b}}) {
        if (!step) continue;
        rate_before += jacobian->dot(step->before);
        rate_after += jacobian->dot(step->after);
      }
      EnergyAccount& account = now[row.account == Account::spring];
      account.work += 0.5 * lambda[i] * (rate_before + rate_after);
      if (row.account == Account::spring) {
        account.dissipated += h * row.damping * rate_after * rate_after;
        const double g = next_rows_[i].violation;
        if (!row.damper_only()) account.stored += g * g / (2 * row.compliance);
      } else {
        const double f = lambda[i] / h, g = next_rows_[i].violation;
        by_force += 0.5 * row.compliance * f * f;
        by_violation += 0.5 * g * g / row.compliance;
      }
      // A row with one end in the world brings momentum from outside.
      if (a && b) continue;
      const Vec6 push = lambda[i] * (a ? row.jacobian_a : row.jacobian_b);
      const std::size_t body = a ? joint.a.index() : b ? joint.b.index() : 0;
      if (!a && !b) continue;
      books.impulse += push.head<3>();
      books.angular_impulse += state_.pose[body].x.cross(Vec3(push.head<3>())) + push.tail<3>();
    }
    now[0].stored += std::min(by_force, by_violation);
  }
  for (int k = 0; k < 2; ++k)
    now[k].lost -= (now[k].work - before[k].work) + (now[k].stored - before[k].stored) +
                   (now[k].dissipated - before[k].dissipated);
  books.joints = now[0];
  books.springs = now[1];
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
  constexpr double max_tilt = 0.1;  // rad, of the axis of a hinge
  for (const JointInfo& joint : joints_)
    for (std::size_t i = 0; i < joint.rows; ++i) {
      const Row& row = next_rows_[joint.first_row + i];
      const bool turns = row.jacobian_b.head<3>().isZero(0);
      const double stretch = std::sqrt(2 * row.compliance * next_.ledger.turnover);
      const double apart = std::abs(row.violation), limit = (turns ? max_tilt : max_violation_) + stretch;
      if (row.account != Account::joint || apart <= limit) continue;
      return solve::StepReport::failure(
          fmt::format("joint '{}' has come apart by {:.3g} {}, allowed is {:.3g} (step {:g} s is too large?)",
                      joint.name, apart, turns ? "rad" : "m", limit, h));
    }
  return {};
}

solve::StepReport System::judge(double h) const {
  for (std::size_t i = 0; i < model_.bodies.size(); ++i)
    if (!next_.pose[i].x.allFinite() || !next_.pose[i].q.coeffs().allFinite() ||
        !next_.velocity[i].allFinite())
      return solve::StepReport::failure(
          fmt::format("the motion of body '{}' is not finite", model_.bodies[i].name));
  const Ledger& books = next_.ledger;
  if (!std::isfinite(books.total()))
    return solve::StepReport::failure("the energy of the system is not a finite number");
  if (-books.lost() > model_.max_energy_growth * books.turnover + smallest_runaway(h))
    return solve::StepReport::failure(
        fmt::format("energy runs away: numerical errors have created {:.3g} J where {:.3g} J went round "
                    "(step {:g} s is too large?)",
                    -books.lost(), books.turnover, h));
  return judge_joints(h);
}

}  // namespace hardpan::multibody
