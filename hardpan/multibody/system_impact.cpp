// The impact at the beginning of a step, when a stop has been reached at speed (MESHFREE 4.1):
//
//     M v+ = M v- + G^T J,    stops: rate+ >= -e rate-, J one-sided,    rigid rows: rate+ = 0
//
// Springs, dampers, friction and bounded motors have no time to act. In the step that follows, a stop that
// has just been hit only keeps its rate from falling below zero: its position is left alone, for a row that
// pushed the way back would add to the rebound. What goes on pressing rests there (coupling_stop.h).
#include <algorithm>
#include <cmath>

#include "hardpan/multibody/law.h"
#include "hardpan/multibody/system.h"

namespace hardpan::multibody {
namespace {

constexpr double slowest_impact = 1e-9;  // m/s or rad/s

// What pressed in the last step already rests on the stop.
bool strikes(const Law& law, double rate, double last_impulse) {
  if (law.restitution < 0 || last_impulse != 0) return false;
  return law.lower == 0 ? rate < -slowest_impact : rate > slowest_impact;
}

}  // namespace

bool System::prepare(double time, double h) {
  end_time_ = time + h;
  step_ = h;
  drifted_ = time > 0;
  impact_.clear();
  impact_loss_ = impact_work_ = 0;
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    steps_[i].velocity = state_.velocity[i];
    steps_[i].angular_momentum = state_.angular_momentum[i];
    steps_[i].given.setZero();
    steps_[i].stiffness = 0;
  }
  for (std::size_t i = 0; i < shaft_steps_.size(); ++i) shaft_steps_[i].speed = state_.shaft_speed[i];
  velocities_of_state();
  write_jacobians(group_);
  evaluate_axes(state_, relations_, before_, axes_);
  evaluate_laws(state_, axes_, end_time_, h, laws_);
  struck_.assign(laws_.size(), false);
  bool any = false;
  for (std::size_t i = 0; i < laws_.size(); ++i) {
    struck_[i] = strikes(laws_[i], axes_[row_axis_[i]].rate, state_.impulse[joint_rows_ + i]);
    any = any || struck_[i];
  }
  return any;
}

// G A^-1 G^T of a row: how readily it moves.
double System::mobility(std::size_t row) const {
  double sum = 0;
  const auto add_body = [&](std::size_t body, std::span<const double> jacobian) {
    const Eigen::Map<const Vec6> J(jacobian.data());
    const Vec3 turn = state_.pose[body].local_vector(J.tail<3>());
    sum += J.head<3>().squaredNorm() / model_.bodies[body].mass + turn.dot(inertia_inverse_[body] * turn);
  };
  if (row < joint_rows_) {
    const JointInfo& joint = joints_[row_joint_[row]];
    std::size_t k = 0;
    for (const BodyId id : {joint.a, joint.b})
      if (moves(id)) add_body(id.index(), group_.jacobian(row, k++));
    return sum;
  }
  const AxisPlan& plan = plans_[row_axis_[row - joint_rows_]];
  for (std::size_t k = 0; k < plan.blocks.size(); ++k) {
    if (plan.bodies[k] != AxisTerm::none) {
      add_body(plan.bodies[k], group_.jacobian(row, k));
    } else {
      for (std::size_t i = 0; i < shaft_steps_.size(); ++i)
        if (shaft_steps_[i].block == plan.blocks[k])
          sum += group_.jacobian(row, k)[0] * group_.jacobian(row, k)[0] / model_.shafts[i].inertia;
    }
  }
  return sum;
}

void System::collide(double share, solve::Problem& problem) {
  for (std::size_t i = 0; i < steps_.size(); ++i)
    if (moves(i)) {
      const Eigen::Map<const Vec6> v(&before_[steps_[i].column]);
      write_mass(i, problem, v.head<3>(), v.tail<3>());
    }
  for (std::size_t i = 0; i < shaft_steps_.size(); ++i) {
    const ShaftStep& s = shaft_steps_[i];
    problem.matrix(s.block)[0] = model_.shafts[i].inertia;
    problem.momentum(s.block)[0] = model_.shafts[i].inertia * s.speed;
  }
  for (std::size_t i = 0; i < row_count_; ++i)
    group_.set(i, impact_values(law(i), share, group_.rate(i, before_), mobility(i)));
  problem.add_group(group_);
}

double System::driven(std::span<const double> v, std::span<const double> lambda) const {
  double work = 0;
  for (std::size_t i = 0; i < row_count_; ++i)
    if (law(i).account == Account::motor)
      work += 0.5 * lambda[i] * (group_.rate(i, before_) + group_.rate(i, v));
  return work;
}

// Half of the work of the impulses at the velocities at hand: called before and after they act.
void System::book_impact(std::span<const double> lambda) {
  for (std::size_t i = 0; i < row_count_; ++i) {
    const double work = 0.5 * lambda[i] * group_.rate(i, before_);
    if (law(i).account == Account::motor)
      impact_work_ += work;
    else
      impact_loss_ -= work;
  }
}

solve::StepReport System::rebound(std::span<const double> impulse, std::span<const double> lambda) {
  drifted_ = false;
  impact_.assign(lambda.begin(), lambda.end());
  book_impact(lambda);
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    if (!moves(i)) continue;
    const Eigen::Map<const Vec6> kick(&impulse[steps_[i].column]);
    steps_[i].velocity += kick.head<3>() / model_.bodies[i].mass;
    steps_[i].angular_momentum += kick.tail<3>();
  }
  for (std::size_t i = 0; i < shaft_steps_.size(); ++i)
    shaft_steps_[i].speed += impulse[shaft_steps_[i].column] / model_.shafts[i].inertia;
  velocities_of_state();
  book_impact(lambda);

  evaluate_axes(state_, relations_, before_, axes_);
  evaluate_laws(state_, axes_, end_time_, step_, laws_);
  for (std::size_t i = 0; i < laws_.size(); ++i) {
    if (!struck_[i]) continue;
    laws_[i].violation = 0;
    laws_[i].dead_stop = true;
  }
  return {};
}

}  // namespace hardpan::multibody
