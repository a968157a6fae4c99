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

// The impulse share of a window [from, until) within the step [t, t + h).
double overlap(double t, double h, double from, double until) {
  return std::clamp(std::min(t + h, until) - std::max(t, from), 0.0, h);
}

template <JointKind Joint>
Quat axes_of(const Joint& joint) {
  if constexpr (requires { joint.axis_A; }) return Quat::FromTwoVectors(Vec3::UnitZ(), joint.axis_A);
  return Quat::Identity();
}

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
                         axes_of(joint), row_count_, joint.rows(), memory_size_});
      row_count_ += joint.rows();
      memory_size_ += joint.memory_size;
    }
  };
  std::apply([&](const auto&... pools) { (add_pool(pools), ...); }, model_.joints);
}

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
  group_.clear();
  for (const JointInfo& joint : joints_) {
    std::vector<std::size_t> blocks;
    for (const BodyId id : {joint.a, joint.b})
      if (moves(id)) blocks.push_back(steps_[id.index()].block);
    for (std::size_t i = 0; i < joint.rows; ++i) group_.add_row(problem, blocks);
  }
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
  parallel_for(joints_.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t j = begin; j < end; ++j) {
      const JointInfo& joint = joints_[j];
      for (std::size_t i = joint.first_row; i < joint.first_row + joint.rows; ++i) {
        const Row& row = rows_[i];
        const solve::RowTerms terms =
            row.damper_only() ? solve::damper_row(h, row.damping)
                              : solve::compliant_row(h, row.compliance, row.relaxation_time, row.violation,
                                                     rate(joint, row, &BodyStep::before));
        group_.set(i, {.sigma = terms.sigma, .rhs = terms.rhs, .start = state_.impulse[i]});
        std::size_t k = 0;
        if (moves(joint.a)) Eigen::Map<Vec6>(group_.jacobian(i, k++).data()) = row.jacobian_a;
        if (moves(joint.b)) Eigen::Map<Vec6>(group_.jacobian(i, k++).data()) = row.jacobian_b;
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
  std::size_t first = 0;
  const auto evaluate_pool = [&](const auto& pool) {
    parallel_for(pool.size(), [&](std::size_t begin, std::size_t end) {
      for (std::size_t j = begin; j < end; ++j) {
        const auto& joint = pool[j];
        const JointInfo& info = joints_[first + j];
        joint.evaluate(state.pose_of(joint.ends.a), state.pose_of(joint.ends.b),
                       std::span(state.memory).subspan(info.memory, joint.memory_size),
                       std::span(rows).subspan(info.first_row, info.rows));
      }
    });
    first += pool.size();
  };
  std::apply([&](const auto&... pools) { (evaluate_pool(pools), ...); }, model_.joints);
}

void System::remember(State& state) const {
  std::size_t j = 0;
  const auto remember_pool = [&](const auto& pool) {
    for (const auto& joint : pool)
      joint.remember(state.pose_of(joint.ends.a), state.pose_of(joint.ends.b),
                     std::span(state.memory).subspan(joints_[j++].memory, joint.memory_size));
  };
  std::apply([&](const auto&... pools) { (remember_pool(pools), ...); }, model_.joints);
}

}  // namespace hardpan::multibody
