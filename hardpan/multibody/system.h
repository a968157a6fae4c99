// Rigid bodies, shafts, joints, couplings and loads as one subsystem of the step.
//
// Kick and drift. At the present poses, impulses of gravity, loads and rows change momentum:
//     m v+ = m v- + J,   L+ = L- + T          (L: world angular momentum about the centre of mass)
// then poses drift with x' = x + h v+ and the free rotation of free_rotation.h, which changes no momentum and
// no kinetic energy. Rows see the velocity with which the drift would move the body, so the solved block is
//     A = diag(m, R I R^T),   p = (m v* , R I R^T omega*),
// where * is the state after gravity and loads and omega* its step-mean angular velocity. A shaft is a block
// of one: A = J, p = J w-.
//
// When a stop has been reached at speed, the step begins with an impact (system_impact.cpp).
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
  std::size_t memory;            // offset of its memory
  std::size_t first_coordinate;  // in the coordinates of the system
  std::span<const CoordinateName> coordinates;
};

// A coupling of any kind.
struct CouplingInfo {
  std::string name;
  std::string_view kind;
  std::size_t first_row;
  std::size_t rows;
  std::size_t memory, memory_size;
  std::size_t first_axis;  // in the axes of the system
  std::size_t axes;
};

// The largest stable step by the forces of the last step, and the body with most of the energy of that
// motion.
struct GeometricLimit {
  double step = infinite;  // s
  std::string body;
};

class System final : public solve::Subsystem {
 public:
  explicit System(Model model);

  const Model& model() const { return model_; }
  const State& state() const { return state_; }
  const Ledger& ledger() const { return state_.ledger; }
  std::span<const JointInfo> joints() const { return joints_; }
  std::span<const CouplingInfo> couplings() const { return couplings_; }
  std::span<const Row> rows() const { return rows_; }  // of the joints
  std::span<const Law> laws() const { return laws_; }  // of the couplings

  const Pose& pose(BodyId id) const { return state_.pose_of(id); }
  Vec3 angular_velocity(BodyId id) const;
  double kinetic_energy(BodyId id) const;
  // Value and rate of a coordinate of a joint.
  AxisState coordinate(const JointInfo& joint, std::size_t component) const;
  AxisState axis(const CouplingInfo& coupling, std::size_t axis) const;
  // Force along an axis of a coupling in the last step, N or N m: the sum of its rows there.
  double force(const CouplingInfo& coupling, std::size_t axis, double h) const;
  // Force and torque (about the joint's point) on body b of the joint, in the last step, world frame, with
  // what acts along the joint's coordinates.
  Vec6 reaction(const JointInfo& joint, double h) const;

  // What gravity gives in ten steps from rest, J: less energy than that tells nothing.
  double smallest_runaway(double h) const;
  // geometric_limit.cpp; each iteration costs as much as a step. The estimate comes from below: with few
  // iterations the step found is somewhat too large.
  GeometricLimit geometric_limit(double h, int iterations = 40) const;

  // Within a step, for those whose rows act on bodies: whether and where in the problem a body moves, and all
  // velocities at the start of the step (after an impact) and after the kick.
  bool moves(BodyId id) const { return id.valid() && moves(id.index()); }
  std::size_t block_of(BodyId id) const { return steps_[id.index()].block; }
  std::size_t column_of(BodyId id) const { return steps_[id.index()].column; }
  std::span<const double> velocities_before() const { return before_; }
  std::span<const double> velocities_after() const { return after_; }
  // In prepare(), after that of the bodies: an impulse (N s, N m s about the centre of mass) from something
  // that is not in the problem. The books take it for grains.
  void give(BodyId id, const Vec6& impulse) { steps_[id.index()].given += impulse; }
  // Likewise, how stiff that is, N/m.
  void stiffen(BodyId id, double stiffness) { steps_[id.index()].stiffness = stiffness; }

  void declare(solve::Problem& problem) override;
  bool prepare(double time, double h) override;
  void collide(double share, solve::Problem& problem) override;
  double driven(std::span<const double> v, std::span<const double> lambda) const override;
  solve::StepReport rebound(std::span<const double> impulse, std::span<const double> lambda) override;
  solve::StepReport predict(double time, double h, solve::Problem& problem) override;
  void assemble(double h, solve::Problem& problem) override;
  void guess(std::span<double> v) const override;
  double correct(double h, const solve::Problem& problem, std::span<const double> impulse) override;
  solve::StepReport advance(double h, std::span<const double> impulse,
                            std::span<const double> lambda) override;
  void commit() override;
  void begin() override;
  void save(Archive& archive) const override { state_.save(archive); }
  void restore(const Archive& archive) override;

 private:
  static constexpr std::size_t body_chunk = 64;  // bodies per piece of a parallel loop

  struct BodyStep {  // scratch of one body within a step
    std::size_t block = 0, column = 0;
    Vec3 velocity = Vec3::Zero();          // at the start of the step, after an impact
    Vec3 angular_momentum = Vec3::Zero();  // likewise
    Vec6 given = Vec6::Zero();             // impulses from outside the problem
    double stiffness = 0;                  // of what gives them, N/m
    Vec6 load = Vec6::Zero();              // those and that of the loads
    bool rotation_failed = false;
  };
  struct ShaftStep {
    std::size_t block = 0, column = 0;
    double speed = 0;  // at the start of the step, after an impact
  };

  // How an axis is made: which coordinates, and where in a row their slopes belong.
  struct AxisTerm {
    static constexpr std::size_t none = static_cast<std::size_t>(-1);
    std::size_t relation = none;  // of a joint; none for a shaft
    std::size_t shaft = none;
    double factor = 1;
    std::size_t slot_a = none, slot_b = none;  // which block of the row; none for what does not move
  };
  struct AxisPlan {
    std::vector<AxisTerm> terms;
    std::vector<std::size_t> blocks;
    std::vector<std::size_t> columns;    // of the blocks
    std::vector<std::size_t> bodies;     // of the blocks; none for a shaft
    std::size_t joint = AxisTerm::none;  // of its first coordinate, where that is one
  };
  struct JointForce {  // of a coupling on a joint
    std::size_t row, relation;
    double factor;
  };

  bool moves(std::size_t body) const { return !model_.bodies[body].fixed; }
  Vec3 angular_velocity(std::size_t body, const Quat& q, const Vec3& L) const;

  // system_index.cpp: from the model to flat lists.
  void index_joints();
  void index_couplings();
  void plan_axes();
  AxisTerm find_coordinate(const CoordinateRef& ref) const;
  void plan_rows(const solve::Problem& problem);
  std::size_t slot_of(AxisPlan& plan, BodyId id) const;
  std::size_t joint_of(std::size_t coordinate) const;

  // system_rows.cpp: rows and laws of a state.
  void evaluate_joints(const State& state, std::vector<Row>& rows, std::vector<Relation>& relations) const;
  void evaluate_axes(const State& state, const std::vector<Relation>& relations, std::span<const double> v,
                     std::vector<AxisState>& axes) const;
  static double rate_of(const AxisPlan& plan, const AxisTerm& term, const Relation& relation,
                        std::span<const double> v);
  void evaluate_laws(const State& state, std::span<const AxisState> axes, double end, double h,
                     std::vector<Law>& laws) const;
  void remember_joints(State& state) const;
  void begin_couplings(State& state) const;
  void remember_couplings(State& state, std::span<const AxisState> axes, double h,
                          std::span<const double> lambda);
  CouplingInput input_of(std::size_t coupling, std::span<const AxisState> axes, double end, double h) const;
  double load_through(std::size_t joint, double h) const;
  void feel_soil(std::size_t axis, CouplingInput& input) const;
  void write_jacobians(solve::BlockRows& group) const;
  const Law& law(std::size_t row) const {
    return row < joint_rows_ ? static_cast<const Law&>(rows_[row]) : laws_[row - joint_rows_];
  }
  const Law& next_law(std::size_t row) const {
    return row < joint_rows_ ? static_cast<const Law&>(next_rows_[row]) : next_laws_[row - joint_rows_];
  }

  void generalised_force(const State& state, double h, std::span<double> out) const;
  std::vector<double> geometric_stiffness_times(std::span<const double> x, double h) const;

  void apply_loads(double time, double h);
  void velocities_of_state();
  void write_mass(std::size_t body, solve::Problem& problem, const Vec3& velocity, const Vec3& omega) const;
  void set_rows(double h);
  void move_axes(double h);
  void kick_and_drift(double h, std::span<const double> row_impulse);

  // system_impact.cpp
  double mobility(std::size_t row) const;
  void book_impact(std::span<const double> lambda);

  // system_books.cpp
  double kinetic_energy(const State& state) const;
  double shaft_energy(const State& state) const;
  double gravity_potential(const State& state) const;
  void open_books();
  void keep_books(double h, std::span<const double> lambda);
  void book_rows(double h, std::span<const double> lambda, Ledger& ledger) const;
  void book_outside(std::span<const double> lambda, Ledger& ledger) const;
  void book_momentum(const State& state, Ledger& ledger) const;
  double extent_of_joints() const;
  solve::StepReport judge(double h) const;
  solve::StepReport judge_joints(double h) const;
  solve::StepReport judge_stops() const;
  solve::StepReport judge_row(const std::string& name, std::size_t row, bool turns, double h) const;
  solve::StepReport too_fast(std::size_t body, double turn) const;  // rad per step

  Model model_;
  std::vector<Mat3> inertia_inverse_;
  std::vector<JointInfo> joints_;
  std::vector<CouplingInfo> couplings_;
  std::vector<std::size_t> pool_start_;  // first joint of each pool
  std::vector<AxisPlan> plans_;          // per axis
  std::vector<std::size_t> row_axis_;    // axis of each coupling row
  std::vector<std::size_t> row_joint_;   // joint of each joint row
  std::vector<std::vector<JointForce>> joint_forces_;
  std::size_t joint_rows_ = 0, row_count_ = 0, memory_size_ = 0, coordinate_count_ = 0;
  double max_violation_ = 0;  // m
  State state_, next_;

  // Workspace, a function of the state.
  std::vector<Row> rows_, next_rows_;
  std::vector<Relation> relations_, next_relations_;
  std::vector<AxisState> axes_, next_axes_;
  std::vector<Law> laws_, next_laws_;
  std::vector<double> before_, after_;  // velocities at the start of the step (after an impact), and kicked
  std::vector<double> kicked_;          // by impulses at hand, as the problem sees it
  std::vector<double> bend_;            // of the rows over the drift (law.h), m/s or rad/s
  solve::BlockRows group_;
  std::vector<std::size_t> block_sizes_;  // of the whole problem
  std::vector<BodyStep> steps_;
  std::vector<ShaftStep> shaft_steps_;
  std::vector<double> forces_;
  bool drifted_ = false;        // into the present pose, with the velocities of the present
  double end_time_ = 0;         // of the step
  double step_ = 0;             // s
  double impact_loss_ = 0;      // J
  double impact_work_ = 0;      // of motors in the impact, J
  std::vector<bool> struck_;    // laws of stops that were struck in this step
  std::vector<double> impact_;  // impulses of the impact; empty without one
};

}  // namespace hardpan::multibody
