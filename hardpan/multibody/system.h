// Rigid bodies, joints and loads as one subsystem of the step.
//
// Kick and drift. At the present poses, impulses of gravity, loads and rows change momentum:
//     m v+ = m v- + J,   L+ = L- + T          (L: world angular momentum about the centre of mass)
// then poses drift with x' = x + h v+ and the free rotation of free_rotation.h, which changes no momentum and
// no kinetic energy. Rows see the velocity with which the drift would move the body, so the solved block is
//     A = diag(m, R I R^T),   p = (m v* , R I R^T omega*),
// where * is the state after gravity and loads and omega* its step-mean angular velocity.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "hardpan/multibody/model.h"
#include "hardpan/multibody/state.h"
#include "hardpan/solve/block_rows.h"
#include "hardpan/solve/stepper.h"

namespace hardpan::multibody {

// A joint of any kind, as the outside sees it.
struct JointInfo {
  std::string name;
  std::string_view kind;
  BodyId a, b;
  Vec3 point_on_a, point_on_b;  // the points it holds, in body coordinates
  Quat axes_on_a;               // its axes in coordinates of body a; z is the axis of a joint that has one
  std::size_t first_row;        // in the rows of the system
  std::size_t rows;
  std::size_t memory;  // offset of its memory
};

class System final : public solve::Subsystem {
 public:
  explicit System(Model model);

  const Model& model() const { return model_; }
  const State& state() const { return state_; }
  const Ledger& ledger() const { return state_.ledger; }
  std::span<const JointInfo> joints() const { return joints_; }
  std::span<const Row> rows() const { return rows_; }

  const Pose& pose(BodyId id) const { return state_.pose_of(id); }
  Vec3 angular_velocity(BodyId id) const;
  double kinetic_energy(BodyId id) const;
  // Force and torque (about the joint's point) on body b of the joint, in the last step, world frame.
  Vec6 reaction(const JointInfo& joint, double h) const;

  void declare(solve::Problem& problem) override;
  solve::StepReport predict(double time, double h, solve::Problem& problem) override;
  void assemble(double h, solve::Problem& problem) override;
  solve::StepReport advance(double h, std::span<const double> v, std::span<const double> lambda) override;
  void commit() override;
  void save(Archive& archive) const override { state_.save(archive); }
  void restore(const Archive& archive) override;

 private:
  static constexpr std::size_t body_chunk = 64;  // bodies per piece of a parallel loop

  struct BodyStep {  // scratch of one body within a step
    std::size_t block = 0, column = 0;
    Vec6 before = Vec6::Zero();  // (v, omega) at the start of the step
    Vec6 after = Vec6::Zero();   // after the kick, at the same pose
    Vec6 load = Vec6::Zero();    // impulse of the loads
    bool rotation_failed = false;
  };

  bool moves(std::size_t body) const { return !model_.bodies[body].fixed; }
  bool moves(BodyId id) const { return id.valid() && moves(id.index()); }
  Vec3 angular_velocity(std::size_t body, const Quat& q, const Vec3& L) const;
  void index_joints();
  void evaluate_rows(const State& state, std::vector<Row>& rows) const;
  void remember(State& state) const;
  void apply_loads(double time, double h);
  void kick_and_drift(double h, std::span<const double> row_impulse);
  void keep_books(double h, std::span<const double> lambda);
  void book_rows(double h, std::span<const double> lambda, Ledger& ledger) const;
  void book_reactions(std::span<const double> lambda, Ledger& ledger) const;
  // dg/dt of a row for one of the velocities of a step.
  double rate(const JointInfo& joint, const Row& row, Vec6 BodyStep::*velocity) const {
    return (moves(joint.a) ? row.jacobian_a.dot(steps_[joint.a.index()].*velocity) : 0.0) +
           (moves(joint.b) ? row.jacobian_b.dot(steps_[joint.b.index()].*velocity) : 0.0);
  }
  double kinetic_energy(const State& state) const;
  double gravity_potential(const State& state) const;
  void book_momentum(const State& state, Ledger& ledger) const;
  double smallest_runaway(double h) const;
  double extent_of_joints() const;
  solve::StepReport judge(double h) const;
  solve::StepReport judge_joints(double h) const;
  solve::StepReport too_fast(std::size_t body, double turn) const;  // rad per step

  Model model_;
  std::vector<Mat3> inertia_inverse_;
  std::vector<JointInfo> joints_;
  std::size_t row_count_ = 0, memory_size_ = 0;
  double max_violation_ = 0;  // m
  State state_, next_;
  // Workspace, a function of the state.
  std::vector<Row> rows_, next_rows_;
  solve::BlockRows group_;
  std::vector<BodyStep> steps_;
  std::vector<double> impulse_;
};

}  // namespace hardpan::multibody
