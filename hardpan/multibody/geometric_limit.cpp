// How far the step may go before motion across forces becomes unstable.
//
// Rows turn with the bodies, and the step takes them where they are: the change of their direction is
// explicit. With the forces f of the last step, a small displacement dq changes the generalised force by -K
// dq,
//     K = -d(G^T f)/dq            (geometric stiffness)
// and the rest of the step answers a momentum p with the velocity S p, S being the inverse of A on what the
// rows leave free. So dq'' = -S K dq in steps, which is stable for h < 2/w, w^2 the largest eigenvalue of S
// K. For a chain under tension T with links of mass m and length l that is w = sqrt(12 T/(m l)).
//
// The eigenvalue is found by power iteration: K by central differences of the rows, S by the direct solver.
#include <cmath>

#include "hardpan/multibody/law.h"
#include "hardpan/multibody/system.h"

namespace hardpan::multibody {
namespace {

double dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

Pose displaced(const Pose& pose, const Eigen::Map<const Vec6>& by, double factor) {
  const Vec3 turn = factor * by.tail<3>();
  const double angle = turn.norm();
  const Quat q(Eigen::AngleAxisd(angle, angle > 0 ? Vec3(turn / angle) : Vec3::UnitX()));
  return {pose.x + factor * by.head<3>(), (q * pose.q).normalized()};
}

}  // namespace

// G^T f at the poses of `state`, with the impulses of the last step.
void System::generalised_force(const State& state, double h, std::span<double> out) const {
  std::vector<Row> rows;
  std::vector<Relation> relations;
  evaluate_joints(state, rows, relations);
  std::fill(out.begin(), out.end(), 0.0);
  const auto push = [&](BodyId id, const Vec6& force) {
    if (moves(id)) Eigen::Map<Vec6>(&out[steps_[id.index()].column]) += force;
  };
  for (const JointInfo& joint : joints_)
    for (std::size_t i = joint.first_row; i < joint.first_row + joint.rows; ++i) {
      push(joint.a, state_.impulse[i] / h * rows[i].jacobian_a);
      push(joint.b, state_.impulse[i] / h * rows[i].jacobian_b);
    }
  for (std::size_t j = 0; j < joints_.size(); ++j)
    for (const JointForce& f : joint_forces_[j]) {
      push(joints_[j].a, f.factor * state_.impulse[f.row] / h * relations[f.relation].jacobian_a);
      push(joints_[j].b, f.factor * state_.impulse[f.row] / h * relations[f.relation].jacobian_b);
    }
}

std::vector<double> System::geometric_stiffness_times(std::span<const double> x, double h) const {
  constexpr double far = 1e-6;  // rad, or of the largest lever
  std::vector<double> plus(x.size()), minus(x.size());
  double largest = 0;
  for (const double value : x) largest = std::max(largest, std::abs(value));
  const double delta = largest > 0 ? far / largest : 0.0;
  for (auto& [out, sign] : {std::pair{&plus, 1.0}, std::pair{&minus, -1.0}}) {
    State moved = state_;
    for (std::size_t i = 0; i < steps_.size(); ++i)
      if (moves(i))
        moved.pose[i] = displaced(state_.pose[i], Eigen::Map<const Vec6>(&x[steps_[i].column]), sign * delta);
    remember_joints(moved);
    generalised_force(moved, h, *out);
  }
  for (std::size_t i = 0; i < plus.size(); ++i)
    plus[i] = delta > 0 ? -(plus[i] - minus[i]) / (2 * delta) : 0.0;
  return plus;
}

GeometricLimit System::geometric_limit(double h, int iterations) const {
  // The response of the step: the same A and rows, without what is given or bounded.
  solve::Problem problem;
  for (const std::size_t size : block_sizes_) problem.add_block(size);
  for (std::size_t i = 0; i < steps_.size(); ++i)
    if (moves(i)) write_mass(i, problem, Vec3::Zero(), Vec3::Zero());
  for (std::size_t i = 0; i < shaft_steps_.size(); ++i)
    problem.matrix(shaft_steps_[i].block)[0] = model_.shafts[i].inertia;
  solve::BlockRows rows = group_;
  write_jacobians(rows);
  for (std::size_t i = 0; i < row_count_; ++i) {
    solve::RowValues values = row_values(law(i), h, 0, 0);
    const bool answers = values.lower == -solve::unbounded && values.upper == solve::unbounded;
    if (!answers) values = {.sigma = 1, .rhs = 0, .lower = 0, .upper = 0};
    values.rhs = 0;
    rows.set(i, values);
  }
  problem.add_group(rows);
  const auto solver = solve::make_solver({});

  std::vector<double> x(before_.size()), v(before_.size()), lambda(row_count_);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = std::sin(1.0 + 1.7 * static_cast<double>(i));
  double square = 0, shift = 0;
  for (int pass = 0; pass < 2; ++pass) {
    for (int k = 0; k < iterations; ++k) {
      const std::vector<double> force = geometric_stiffness_times(x, h);
      for (std::size_t b = 0; b < problem.blocks().size(); ++b)
        for (std::size_t c = 0; c < problem.blocks()[b].size; ++c)
          problem.momentum(b)[c] = force[problem.blocks()[b].offset + c];
      std::fill(lambda.begin(), lambda.end(), 0.0);
      if (!solver->solve(problem, v, lambda).ok) return {};
      for (std::size_t i = 0; i < v.size(); ++i) v[i] += shift * x[i];
      const double length = std::sqrt(dot(v, v)), along = dot(x, v) / dot(x, x);
      if (!(length > 0) || !std::isfinite(length)) return {};
      square = along - shift;
      for (std::size_t i = 0; i < v.size(); ++i) x[i] = v[i] / length;
    }
    if (square >= 0) break;
    shift = -square;  // compression dominates: look past it
  }
  if (!(square > 0)) return {};
  GeometricLimit limit;
  limit.step = 2 / std::sqrt(square);
  double most = 0;
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    if (!moves(i)) continue;
    const Eigen::Map<const Vec6> part(&x[steps_[i].column]);
    const Vec3 turn = state_.pose[i].local_vector(part.tail<3>());
    const double share =
        model_.bodies[i].mass * part.head<3>().squaredNorm() + turn.dot(model_.bodies[i].inertia * turn);
    if (share <= most) continue;
    most = share;
    limit.body = model_.bodies[i].name;
  }
  return limit;
}

}  // namespace hardpan::multibody
