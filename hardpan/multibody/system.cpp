#include "hardpan/multibody/system.h"

#include <algorithm>
#include <cmath>

#include <Eigen/LU>
#include <fmt/core.h>

#include "hardpan/core/parallel.h"
#include "hardpan/math/rotation.h"
#include "hardpan/multibody/free_rotation.h"
#include "hardpan/multibody/law.h"

namespace hardpan::multibody {
namespace {

// The impulse share of a window [from, until) within the step [t, t + h).
double overlap(double t, double h, double from, double until) {
  return std::clamp(std::min(t + h, until) - std::max(t, from), 0.0, h);
}

}  // namespace

System::System(Model model) : model_(std::move(model)) {
  index_joints();
  index_couplings();
  state_.impulse.assign(row_count_, 0.0);
  state_.rate.assign(row_count_, 0.0);
  state_.memory.assign(memory_size_, 0.0);
  for (const Body& body : model_.bodies) {
    inertia_inverse_.push_back(body.inertia.inverse());
    const Mat3 R = body.pose.q.toRotationMatrix();
    state_.pose.push_back(body.pose);
    state_.velocity.push_back(body.fixed ? Vec3::Zero() : body.velocity);
    state_.angular_momentum.push_back(
        body.fixed ? Vec3::Zero() : Vec3(R * body.inertia * R.transpose() * body.angular_velocity));
  }
  for (const Shaft& shaft : model_.shafts) {
    state_.shaft_angle.push_back(shaft.angle);
    state_.shaft_speed.push_back(shaft.speed);
  }
  steps_.resize(model_.bodies.size());
  shaft_steps_.resize(model_.shafts.size());
  max_violation_ = model_.max_violation.value_or(0.1 * extent_of_joints());
  remember_joints(state_);
  evaluate_joints(state_, rows_, relations_);
  begin_couplings(state_);
  evaluate_axes(state_, relations_, {}, axes_);
  evaluate_laws(state_, axes_, 0, 0, laws_);
  open_books();
  next_ = state_;
  next_rows_ = rows_;
  next_laws_ = laws_;
}

Vec3 System::angular_velocity(std::size_t body, const Quat& q, const Vec3& L) const {
  return rotate(q, inertia_inverse_[body] * rotate(q.conjugate(), L));
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

AxisState System::coordinate(const JointInfo& joint, std::size_t component) const {
  const Relation& relation = relations_[joint.first_coordinate + component];
  AxisState state{relation.value, 0};
  for (const auto& [id, jacobian] :
       {std::pair{joint.a, &relation.jacobian_a}, std::pair{joint.b, &relation.jacobian_b}})
    if (moves(id)) {
      Vec6 velocity;
      velocity << state_.velocity[id.index()], angular_velocity(id);
      state.rate += jacobian->dot(velocity);
    }
  return state;
}

AxisState System::axis(const CouplingInfo& coupling, std::size_t axis) const {
  AxisState sum;
  for (const AxisTerm& term : plans_[coupling.first_axis + axis].terms) {
    if (term.relation == AxisTerm::none) {
      sum.value += term.factor * state_.shaft_angle[term.shaft];
      sum.rate += term.factor * state_.shaft_speed[term.shaft];
      continue;
    }
    const JointInfo& joint = joints_[joint_of(term.relation)];
    const AxisState part = coordinate(joint, term.relation - joint.first_coordinate);
    sum.value += term.factor * part.value;
    sum.rate += term.factor * part.rate;
  }
  return sum;
}

double System::force(const CouplingInfo& coupling, std::size_t axis, double h) const {
  double sum = 0;
  for (std::size_t i = coupling.first_row; i < coupling.first_row + coupling.rows; ++i)
    if (row_axis_[i - joint_rows_] == coupling.first_axis + axis) sum += state_.impulse[i] / h;
  return sum;
}

Vec6 System::reaction(const JointInfo& joint, double h) const {
  // Rows are kept at the present poses, impulses belong to the step that led here: a lag of order h.
  Vec6 wrench = Vec6::Zero();
  for (std::size_t i = joint.first_row; i < joint.first_row + joint.rows; ++i)
    wrench += state_.impulse[i] / h * rows_[i].jacobian_b;
  for (const JointForce& f : joint_forces_[static_cast<std::size_t>(&joint - joints_.data())])
    wrench += f.factor * state_.impulse[f.row] / h * relations_[f.relation].jacobian_b;
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
  for (ShaftStep& shaft : shaft_steps_) {
    shaft.block = problem.add_block(1);
    shaft.column = problem.blocks()[shaft.block].offset;
  }
  block_sizes_.clear();
  for (const solve::Problem::Block& block : problem.blocks()) block_sizes_.push_back(block.size);
  plan_axes();
  plan_rows(problem);
  for (auto* velocities : {&before_, &after_, &kicked_}) velocities->assign(problem.velocities(), 0.0);
  bend_.assign(row_count_, 0.0);
}

void System::apply_loads(double time, double h) {
  for (BodyStep& s : steps_) s.load = s.given;
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

// What moves at the start of the step, as the rows see it.
void System::velocities_of_state() {
  for (std::size_t i = 0; i < steps_.size(); ++i)
    if (moves(i))
      Eigen::Map<Vec6>(&before_[steps_[i].column]) << steps_[i].velocity,
          angular_velocity(i, state_.pose[i].q, steps_[i].angular_momentum);
  for (const ShaftStep& shaft : shaft_steps_) before_[shaft.column] = shaft.speed;
}

void System::guess(std::span<double> v) const {
  for (std::size_t i = 0; i < steps_.size(); ++i)
    if (moves(i)) std::copy_n(&before_[steps_[i].column], 6, &v[steps_[i].column]);
  for (const ShaftStep& shaft : shaft_steps_) v[shaft.column] = before_[shaft.column];
}

void System::write_mass(std::size_t body, solve::Problem& problem, const Vec3& velocity,
                        const Vec3& omega) const {
  const double mass = model_.bodies[body].mass;
  const Mat3 R = state_.pose[body].q.toRotationMatrix();
  const Mat3 inertia = R * model_.bodies[body].inertia * R.transpose();
  const std::size_t block = steps_[body].block;
  Eigen::Map<Eigen::Matrix<double, 6, 6, Eigen::RowMajor>> A(problem.matrix(block).data());
  A.setZero();
  A.topLeftCorner<3, 3>().diagonal().setConstant(mass);
  A.bottomRightCorner<3, 3>() = 0.5 * (inertia + inertia.transpose());
  Eigen::Map<Vec6> p(problem.momentum(block).data());
  p << mass * velocity, A.bottomRightCorner<3, 3>() * omega;
}

solve::StepReport System::predict(double time, double h, solve::Problem& problem) {
  apply_loads(time, h);
  parallel_for(
      model_.bodies.size(),
      [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
          if (!moves(i)) continue;
          BodyStep& s = steps_[i];
          const FreeRotation turn =
              free_rotation(inertia_inverse_[i], state_.pose[i].q, s.angular_momentum + s.load.tail<3>(), h);
          s.rotation_failed = !turn.converged;
          const Vec3 velocity = s.velocity + h * model_.gravity + s.load.head<3>() / model_.bodies[i].mass;
          write_mass(i, problem, velocity, turn.omega_W);
        }
      },
      body_chunk);
  for (std::size_t i = 0; i < shaft_steps_.size(); ++i) {
    const ShaftStep& s = shaft_steps_[i];
    problem.matrix(s.block)[0] = model_.shafts[i].inertia;
    problem.momentum(s.block)[0] = model_.shafts[i].inertia * s.speed;
  }
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    if (!steps_[i].load.allFinite())
      return solve::StepReport::failure(
          fmt::format("the load on body '{}' is not finite", model_.bodies[i].name));
    if (steps_[i].rotation_failed) {
      const Vec3 kicked = steps_[i].angular_momentum + steps_[i].load.tail<3>();
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

void System::set_rows(double h) {
  parallel_for(row_count_, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const double rate = drifted_ ? state_.rate[i] : group_.rate(i, before_);
      solve::RowValues values = row_values(law(i), h, rate, bend_[i]);
      values.start = state_.impulse[i];
      group_.set(i, values);
    }
  });
}

void System::assemble(double h, solve::Problem& problem) {
  bend_.assign(row_count_, 0.0);
  set_rows(h);
  problem.add_group(group_);
}

// Drifts with these impulses, compares where the rows get with where the problem, linear in the impulses,
// takes them to be, and tells the rows the difference. next_ serves as scratch.
double System::correct(double h, const solve::Problem& problem, std::span<const double> impulse) {
  if (row_count_ == 0) return 0;
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    if (!moves(i)) continue;
    const std::size_t column = steps_[i].column;
    const Vec6 p =
        Eigen::Map<const Vec6>(&problem.momentum()[column]) + Eigen::Map<const Vec6>(&impulse[column]);
    Eigen::Map<Vec6>(&kicked_[column]) << p.head<3>() / model_.bodies[i].mass,
        angular_velocity(i, state_.pose[i].q, p.tail<3>());
  }
  next_.memory = state_.memory;
  kick_and_drift(h, impulse);
  remember_joints(next_);
  evaluate_joints(next_, next_rows_, next_relations_);
  double change = 0;
  const auto bend = [&](std::size_t row, double value) {
    change = std::max(change, std::abs(value - bend_[row]));
    bend_[row] = value;
  };
  for (std::size_t i = 0; i < joint_rows_; ++i)
    if (rows_[i].elastic())  // rows of rates alone have no place
      bend(i, (next_rows_[i].value - rows_[i].value) / h - group_.rate(i, kicked_));
  for (std::size_t i = joint_rows_; i < row_count_; ++i) {
    const AxisPlan& plan = plans_[row_axis_[i - joint_rows_]];
    double sum = 0;  // of shafts
    for (const AxisTerm& term : plan.terms)
      if (term.relation != AxisTerm::none)
        sum += term.factor * ((next_relations_[term.relation].value - relations_[term.relation].value) / h -
                              rate_of(plan, term, relations_[term.relation], kicked_));
    bend(i, sum);
  }
  set_rows(h);
  return change;
}

solve::StepReport System::advance(double h, std::span<const double> impulse, std::span<const double> lambda) {
  std::copy(lambda.begin(), lambda.end(), next_.impulse.begin());
  next_.memory = state_.memory;
  kick_and_drift(h, impulse);
  for (std::size_t i = 0; i < steps_.size(); ++i)
    if (steps_[i].rotation_failed)
      return too_fast(i, h * Eigen::Map<const Vec3>(&after_[steps_[i].column + 3]).norm());
  remember_joints(next_);
  evaluate_joints(next_, next_rows_, next_relations_);
  evaluate_axes(next_, next_relations_, after_, next_axes_);
  move_axes(h);
  for (std::size_t i = 0; i < joint_rows_; ++i) next_.rate[i] = (next_rows_[i].value - rows_[i].value) / h;
  for (std::size_t i = joint_rows_; i < row_count_; ++i)
    next_.rate[i] = next_axes_[row_axis_[i - joint_rows_]].moved / h;
  remember_couplings(next_, next_axes_, h, lambda);
  evaluate_laws(next_, next_axes_, end_time_ + h, h, next_laws_);
  keep_books(h, lambda);
  return judge(h);
}

// How far the axes have come in this step. Shafts alone go exactly by their speed.
void System::move_axes(double h) {
  for (std::size_t i = 0; i < plans_.size(); ++i) {
    const auto turns = [](const AxisTerm& term) { return term.relation == AxisTerm::none; };
    next_axes_[i].moved = std::ranges::all_of(plans_[i].terms, turns) ? h * next_axes_[i].rate
                                                                      : next_axes_[i].value - axes_[i].value;
  }
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
          next_.velocity[i] = s.velocity + h * model_.gravity + impulse.head<3>() / model_.bodies[i].mass;
          next_.angular_momentum[i] = s.angular_momentum + impulse.tail<3>();
          Eigen::Map<Vec6>(&after_[s.column]) << next_.velocity[i],
              angular_velocity(i, pose.q, next_.angular_momentum[i]);
          const FreeRotation turn = free_rotation(inertia_inverse_[i], pose.q, next_.angular_momentum[i], h);
          s.rotation_failed = !turn.converged;
          next_.pose[i].x = pose.x + h * next_.velocity[i];
          next_.pose[i].q = (cayley(h * turn.omega_W) * pose.q).normalized();
        }
      },
      body_chunk);
  for (std::size_t i = 0; i < shaft_steps_.size(); ++i) {
    const ShaftStep& s = shaft_steps_[i];
    next_.shaft_speed[i] = after_[s.column] = s.speed + row_impulse[s.column] / model_.shafts[i].inertia;
    next_.shaft_angle[i] = state_.shaft_angle[i] + h * next_.shaft_speed[i];
  }
}

void System::commit() {
  std::swap(state_, next_);
  std::swap(rows_, next_rows_);
  std::swap(relations_, next_relations_);
  std::swap(axes_, next_axes_);
  std::swap(laws_, next_laws_);
}

void System::begin() {
  evaluate_axes(state_, relations_, {}, axes_);
  evaluate_laws(state_, axes_, 0, 0, laws_);
  open_books();
  next_ = state_;
}

void System::restore(const Archive& archive) {
  state_.restore(archive);
  next_ = state_;
  evaluate_joints(state_, rows_, relations_);
}

}  // namespace hardpan::multibody
