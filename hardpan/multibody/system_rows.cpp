// Rows of joints, coordinates and laws of couplings at a given state.
#include "hardpan/core/parallel.h"
#include "hardpan/multibody/system.h"

namespace hardpan::multibody {

void System::evaluate_joints(const State& state, std::vector<Row>& rows,
                             std::vector<Relation>& relations) const {
  rows.resize(joint_rows_);
  relations.resize(coordinate_count_);
  std::size_t first = 0;
  const auto evaluate_pool = [&]<class Joint>(const std::vector<Joint>& pool) {
    parallel_for(pool.size(), [&](std::size_t begin, std::size_t end) {
      for (std::size_t j = begin; j < end; ++j) {
        const Joint& joint = pool[j];
        const JointInfo& info = joints_[first + j];
        const Pose &A = state.pose_of(joint.ends.a), &B = state.pose_of(joint.ends.b);
        const auto memory = std::span(state.memory).subspan(info.memory, Joint::memory_size);
        joint.evaluate(A, B, memory, std::span(rows).subspan(info.first_row, info.rows));
        joint.measure(A, B, memory,
                      std::span(relations).subspan(info.first_coordinate, Joint::coordinates.size()));
      }
    });
    first += pool.size();
  };
  std::apply([&](const auto&... pools) { (evaluate_pool(pools), ...); }, model_.joints);
}

void System::remember_joints(State& state) const {
  std::size_t j = 0;
  const auto remember_pool = [&]<class Joint>(const std::vector<Joint>& pool) {
    for (const Joint& joint : pool)
      joint.remember(state.pose_of(joint.ends.a), state.pose_of(joint.ends.b),
                     std::span(state.memory).subspan(joints_[j++].memory, Joint::memory_size));
  };
  std::apply([&](const auto&... pools) { (remember_pool(pools), ...); }, model_.joints);
}

double System::rate_of(const AxisPlan& plan, const AxisTerm& term, const Relation& relation,
                       std::span<const double> v) {
  double rate = 0;
  if (term.slot_a != AxisTerm::none)
    rate += relation.jacobian_a.dot(Eigen::Map<const Vec6>(&v[plan.columns[term.slot_a]]));
  if (term.slot_b != AxisTerm::none)
    rate += relation.jacobian_b.dot(Eigen::Map<const Vec6>(&v[plan.columns[term.slot_b]]));
  return rate;
}

// `v` holds the velocities of the blocks, or is empty where only values are asked for.
void System::evaluate_axes(const State& state, const std::vector<Relation>& relations,
                           std::span<const double> v, std::vector<AxisState>& axes) const {
  axes.resize(plans_.size());
  for (std::size_t i = 0; i < plans_.size(); ++i) {
    axes[i] = {};
    for (const AxisTerm& term : plans_[i].terms) {
      if (term.relation == AxisTerm::none) {
        axes[i].value += term.factor * state.shaft_angle[term.shaft];
        if (!v.empty()) axes[i].rate += term.factor * v[shaft_steps_[term.shaft].column];
        continue;
      }
      const Relation& relation = relations[term.relation];
      axes[i].value += term.factor * relation.value;
      if (v.empty()) continue;
      axes[i].rate += term.factor * rate_of(plans_[i], term, relation, v);
    }
  }
}

// The force that a joint carried across its free ways, N.
double System::load_through(std::size_t joint, double h) const {
  Vec3 force = Vec3::Zero();
  const JointInfo& info = joints_[joint];
  for (std::size_t i = info.first_row; i < info.first_row + info.rows; ++i)
    force += state_.impulse[i] / h * rows_[i].jacobian_b.head<3>();
  return force.norm();
}

// Soil moves along with what it pushes: only the force counts, not its moment.
void System::feel_soil(std::size_t axis, CouplingInput& input) const {
  const AxisPlan& plan = plans_[axis];
  if (plan.joint == AxisTerm::none || !moves(joints_[plan.joint].b)) return;
  const BodyStep& body = steps_[joints_[plan.joint].b.index()];
  const Relation& relation = relations_[plan.terms[0].relation];
  input.pushed = relation.jacobian_b.head<3>().dot(body.given.head<3>()) / input.h;
  input.stiffness = body.stiffness;
}

CouplingInput System::input_of(std::size_t coupling, std::span<const AxisState> axes, double end,
                               double h) const {
  const CouplingInfo& info = couplings_[coupling];
  return {end, h, axes.subspan(info.first_axis, info.axes), 0.0};
}

void System::evaluate_laws(const State& state, std::span<const AxisState> axes, double end, double h,
                           std::vector<Law>& laws) const {
  laws.assign(row_count_ - joint_rows_, Law{});
  std::size_t c = 0;
  const auto evaluate_pool = [&]<class Coupling>(const std::vector<Coupling>& pool) {
    for (const Coupling& coupling : pool) {
      const CouplingInfo& info = couplings_[c];
      CouplingInput input = input_of(c++, axes, end, h);
      if constexpr (requires { coupling.coefficient; })
        if (const std::size_t joint = plans_[info.first_axis].joint;
            coupling.coefficient > 0 && joint != AxisTerm::none && h > 0)
          input.load = load_through(joint, h);
      coupling.evaluate(input, std::span(state.memory).subspan(info.memory, Coupling::memory_size),
                        std::span(laws).subspan(info.first_row - joint_rows_, info.rows));
    }
  };
  std::apply([&](const auto&... pools) { (evaluate_pool(pools), ...); }, model_.couplings);
}

void System::begin_couplings(State& state) const {
  std::vector<AxisState> axes;
  evaluate_axes(state, relations_, {}, axes);
  std::size_t c = 0;
  const auto begin_pool = [&]<class Coupling>(const std::vector<Coupling>& pool) {
    for (const Coupling& coupling : pool) {
      const std::size_t memory = couplings_[c].memory;
      coupling.begin(input_of(c++, axes, 0, 0),
                     std::span(state.memory).subspan(memory, Coupling::memory_size));
    }
  };
  std::apply([&](const auto&... pools) { (begin_pool(pools), ...); }, model_.couplings);
}

void System::remember_couplings(State& state, std::span<const AxisState> axes, double h,
                                std::span<const double> lambda) {
  forces_.resize(row_count_ - joint_rows_);
  for (std::size_t i = joint_rows_; i < row_count_; ++i) forces_[i - joint_rows_] = lambda[i] / h;
  std::size_t c = 0;
  const auto remember_pool = [&]<class Coupling>(const std::vector<Coupling>& pool) {
    for (const Coupling& coupling : pool) {
      const CouplingInfo& info = couplings_[c];
      const std::size_t first = info.first_row - joint_rows_;
      CouplingInput input = input_of(c, axes, end_time_, h);
      if constexpr (std::same_as<Coupling, Servo>) feel_soil(info.first_axis, input);
      coupling.remember(input, std::span<const Law>(laws_).subspan(first, info.rows),
                        std::span<const double>(forces_).subspan(first, info.rows),
                        std::span(state.memory).subspan(info.memory, Coupling::memory_size));
      ++c;
    }
  };
  std::apply([&](const auto&... pools) { (remember_pool(pools), ...); }, model_.couplings);
}

// The slopes of every row at the present poses.
void System::write_jacobians(solve::BlockRows& group) const {
  parallel_for(joints_.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t j = begin; j < end; ++j) {
      const JointInfo& joint = joints_[j];
      for (std::size_t i = joint.first_row; i < joint.first_row + joint.rows; ++i) {
        std::size_t k = 0;
        if (moves(joint.a)) Eigen::Map<Vec6>(group.jacobian(i, k++).data()) = rows_[i].jacobian_a;
        if (moves(joint.b)) Eigen::Map<Vec6>(group.jacobian(i, k++).data()) = rows_[i].jacobian_b;
      }
    }
  });
  for (std::size_t i = 0; i < row_axis_.size(); ++i) {
    const std::size_t row = joint_rows_ + i;
    const AxisPlan& plan = plans_[row_axis_[i]];
    for (std::size_t k = 0; k < plan.blocks.size(); ++k)
      for (double& x : group.jacobian(row, k)) x = 0;
    for (const AxisTerm& term : plan.terms) {
      if (term.relation == AxisTerm::none) {
        group.jacobian(row, term.slot_a)[0] += term.factor;
        continue;
      }
      const Relation& relation = relations_[term.relation];
      if (term.slot_a != AxisTerm::none)
        Eigen::Map<Vec6>(group.jacobian(row, term.slot_a).data()) += term.factor * relation.jacobian_a;
      if (term.slot_b != AxisTerm::none)
        Eigen::Map<Vec6>(group.jacobian(row, term.slot_b).data()) += term.factor * relation.jacobian_b;
    }
  }
}

}  // namespace hardpan::multibody
