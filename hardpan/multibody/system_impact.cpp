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
  impact_.clear();
  impact_loss_ = 0;
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    steps_[i].velocity = state_.velocity[i];
    steps_[i].angular_momentum = state_.angular_momentum[i];
  }
  for (std::size_t i = 0; i < shaft_steps_.size(); ++i) shaft_steps_[i].speed = state_.shaft_speed[i];
  velocities_of_state();
  write_jacobians(group_);
  evaluate_axes(state_, relations_, before_, axes_);
  evaluate_laws(state_, axes_, end_time_, h, laws_);
  for (std::size_t i = 0; i < laws_.size(); ++i)
    if (strikes(laws_[i], axes_[row_axis_[i]].rate, state_.impulse[joint_rows_ + i])) return true;
  return false;
}

void System::collide(double h, solve::Problem& problem) {
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
    group_.set(i, impact_values(law(i), h, group_.rate(i, before_)));
  problem.add_group(group_);
}

solve::StepReport System::rebound(std::span<const double> lambda) {
  impact_.assign(lambda.begin(), lambda.end());
  std::fill(impulse_.begin(), impulse_.end(), 0.0);
  group_.apply_transpose(lambda, impulse_);
  double work = 0;
  for (std::size_t i = 0; i < row_count_; ++i) work += 0.5 * lambda[i] * group_.rate(i, before_);
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    if (!moves(i)) continue;
    const Eigen::Map<const Vec6> impulse(&impulse_[steps_[i].column]);
    steps_[i].velocity += impulse.head<3>() / model_.bodies[i].mass;
    steps_[i].angular_momentum += impulse.tail<3>();
  }
  for (std::size_t i = 0; i < shaft_steps_.size(); ++i)
    shaft_steps_[i].speed += impulse_[shaft_steps_[i].column] / model_.shafts[i].inertia;
  velocities_of_state();
  for (std::size_t i = 0; i < row_count_; ++i) work += 0.5 * lambda[i] * group_.rate(i, before_);
  impact_loss_ = -work;

  std::vector<Law>& struck = laws_;
  for (std::size_t i = 0; i < struck.size(); ++i) {
    if (!strikes(struck[i], axes_[row_axis_[i]].rate, state_.impulse[joint_rows_ + i])) continue;
    struck[i].violation = 0;
    struck[i].dead_stop = true;
  }
  evaluate_axes(state_, relations_, before_, axes_);
  return {};
}

}  // namespace hardpan::multibody
