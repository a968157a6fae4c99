// A solid of particles in time: a subsystem with a velocity block of 3 for each particle, six rows for its
// strain (strain_rows.h), three against ripples (ripple_rows.h), three for the balance of forces where asked
// for (residual_rows.h), and one for each hold.
//
// Stress follows the strain that the step leads to,
//
//     S = law(e + tau e'_+ + (h/4)(e'_+ - e'_-)),     e' = Q sym(F^T L)
//
// e, F and Q (strain.h) at its beginning, the rates with the velocities before and after it: for an elastic
// law these are the compliant rows of SPOOK (solve/spook.h), whose mean over three steps keeps the energy of
// waves, with a viscous stress of the relaxation time tau. By default tau = h: the law then sees the strain
// at the end of the step. What is longer makes soil viscous, within what it can bear: at a steady rate, its
// plastic strain runs ahead of its strain by tau - h. The law is linear around the velocities at hand,
//
//     S = S_k + C_k (e(v) - e(v_k)),     C_k = sum_a c_a T_a (x) T_a
//
// and row a of a particle is
//
//     T_a : e'(v) + Sigma lambda = q,    Sigma = 1/(h V c_a t),   q = -(S_k/c_a + e(0) - e(v_k)) : T_a/t
//
// with t = tau + h/4 and lambda = -h V T_a : S. Elastic rows are exact at once. Plastic ones are solved again
// with the consistent tangent at the new velocities (Newton's method) until stress and law agree; only then,
// in commit, plastic strain changes. Directions that yield freely have c_a = 0: a small one in its place
// changes the way to the solution, and not the solution.
//
// Ripples r (ripple_rows.h) are elastic and yield as the soil does, at a share chi of its shear strength,
//
//     s = kappa (r - r_p),     r_p+ = r_p + (1 - rho)(r - r_p),     rho = min(1, chi sqrt2 (k - m I1)/|kappa
//     (r - r_p)|)
//
// with r ahead as the strain is, and rho where the last velocities lead: rows stay linear within a step. s .
// dr_p >= 0 for every rho: nothing is gained by it.
#pragma once

#include <algorithm>

#include "hardpan/meshfree/gradient.h"
#include "hardpan/meshfree/model.h"
#include "hardpan/meshfree/residual_rows.h"
#include "hardpan/meshfree/ripple_rows.h"
#include "hardpan/meshfree/strain_rows.h"
#include "hardpan/solve/block_rows.h"
#include "hardpan/solve/stepper.h"

namespace hardpan::meshfree {

// Energies, J. Work is what was done on the particles so far.
struct SolidBooks {
  double gravity = 0;                   // work of gravity
  double outside = 0;                   // work of holds and tractions
  double stress = 0;                    // work of stresses
  double balance = 0;                   // work of rows of balance and against ripples
  double plastic = 0;                   // dissipated by yielding so far, >= 0
  double viscous = 0;                   // dissipated by viscous stress so far
  double stored = 0;                    // elastic, in rows of balance and in ripples, now
  double first_stored = 0;              // likewise, at the start
  Vec3 impulse = Vec3::Zero();          // momentum at the start, and all impulses from outside so far, N s
  Vec3 angular_impulse = Vec3::Zero();  // likewise, about the world's origin, N m s

  double dissipated() const { return plastic + viscous; }
  // What stresses took and neither stored nor dissipated: the error of the steps.
  double lost() const { return -(stress + balance) - (stored - first_stored) - dissipated(); }
};

class Solid final : public solve::Subsystem {
 public:
  // Throws InputError on a model that cannot be.
  explicit Solid(SolidModel model);

  std::size_t size() const { return model_.cloud.size(); }
  const SolidModel& model() const { return model_; }
  const Gradient& gradient() const { return gradient_; }
  const Vec3& position(std::size_t i) const { return state_.position[i]; }
  const Vec3& velocity(std::size_t i) const { return state_.velocity[i]; }
  double mass(std::size_t i) const { return mass_[i]; }
  double young(std::size_t i) const;
  bool yields() const { return plastic_; }  // some of it may
  void set_velocity(std::size_t i, const Vec3& v) { state_.velocity[i] = v; }
  void set_position(std::size_t i, const Vec3& x) {
    state_.position[i] = x;
    shaped_ = false;
  }

  Mat3 deformation(std::size_t i) const;  // F, now
  Vec6 strain(std::size_t i) const;       // by the model's measure, Mandel
  const Vec6& plastic_strain(std::size_t i) const { return state_.plastic[i]; }
  // That which does work on this strain, of the last step, Mandel, Pa.
  const Vec6& stress(std::size_t i) const { return state_.stress[i]; }
  Mat3 cauchy(std::size_t i) const;
  // Of the last step, along its direction, on the particles, N.
  double force_of_hold(std::size_t hold) const { return state_.hold_force[hold]; }
  double kinetic_energy() const;
  Vec3 momentum() const;
  Vec3 angular_momentum() const;  // about the world's origin
  const SolidBooks& books() const { return state_.books; }
  // How often the last step was solved, and by how much stresses then missed the law, over its own.
  int solves() const { return solves_; }
  double miss() const { return miss_; }

  // Within a step, for those whose rows act on particles: the block of one, and its velocity after the kick.
  std::size_t block_of(std::size_t i) const { return first_block_ + i; }
  const Vec3& velocity_after(std::size_t i) const { return next_.velocity[i]; }

  void declare(solve::Problem& problem) override;
  void collide(double share, solve::Problem& problem) override;
  solve::StepReport predict(double time, double h, solve::Problem& problem) override;
  void assemble(double h, solve::Problem& problem) override;
  void guess(std::span<double> v) const override;
  int most_solves() const override { return plastic_ && model_.iterate ? 30 : 3; }
  double correct(double h, const solve::Problem& problem, std::span<const double> impulse) override;
  solve::StepReport advance(double h, std::span<const double> impulse,
                            std::span<const double> lambda) override;
  void commit() override;
  void begin() override;
  void save(Archive& archive) const override;
  void restore(const Archive& archive) override;

 private:
  struct State {
    std::vector<Vec3> position, velocity;
    std::vector<Vec6> plastic, stress;
    std::vector<Vec3> ripple;         // r_p
    std::vector<double> impulse;      // lambda of all rows: where the next solution begins
    std::vector<double> hold_origin;  // of each row of a hold: where the particle was at the start, m
    std::vector<double> hold_force;
    SolidBooks books;
  };
  // How the solid around a particle is deformed.
  struct Shape {
    Mat3 F;
    Vec3 g;
    Vec6 strain;
    Mat6 Q;  // of the strain (strain.h)
  };
  // What a particle has in a step: its shape at the beginning, and more.
  struct Point : Shape {
    Vec6 rate_before, rate_after;
    Vec6 at;  // e(v_k)
    material::SoilResponse response;
    Mat6 tangent;  // of the law, symmetric, where it yields
    Mat6 axes;
    Vec6 stiffness;            // c_a
    Vec3 ripple, ripple_rate;  // r - r_p and its rate, at the beginning
    Vec3 ripple_rate_after;
    double kept;  // rho
    // Rows and answers of what stays elastic are the same throughout a step.
    bool elastic_rows, elastic_answer;
  };

  double relaxation(double h) const { return model_.relaxation_time < 0 ? h : model_.relaxation_time; }
  // body(i) for each particle, on all threads.
  template <class Body>
  void for_each(const Body& body) const;
  template <class Body>
  void with_gradients(std::span<const Vec3> field, const Body& body);
  Vec6 rate(std::size_t i, const Mat3& L) const;
  void set_holds(double h);
  std::vector<double> starts_of_strains(double h) const;
  void add_tractions(double time);
  void look_at(std::size_t i, const Vec6& strain);
  void set_axes(std::size_t i);
  void set_elastic_axes(std::size_t i);
  void look_ahead(double h, std::span<const Vec3> velocity);
  void write_strains(double h);
  void write_answers(double h);
  void bend(double h, std::span<const double> v, solve::Problem::Bent bent);
  void write_balance(double h);
  void write_ripples(double h);
  Vec3 ripple_of_weight(std::size_t i) const;
  double ripple_stiffness(std::size_t i) const;  // kappa, Pa
  double ripple_strength(std::size_t i) const;   // Pa
  Vec3 ripple_ahead(std::size_t i, double h) const;
  struct Miss {
    double most = 0;            // of the law's stress, by the stress of rows
    double fall = 0, rise = 0;  // of a slope, see correct()
    Miss operator+(const Miss& other) const {
      return {std::max(most, other.most), fall + other.fall, rise + other.rise};
    }
  };
  Miss miss_of(std::size_t i, const Vec6& strain, double impulse) const;
  std::string fault_of_next();
  void book(double h, std::span<const double> lambda);
  void book_ripples(double h);
  double viscous_loss(double h);
  double stored_energy(const State& state, const std::vector<Shape>& shape);
  void find_shapes(const State& state, std::vector<Shape>& shape);
  std::size_t balances() const { return model_.stabilisation > 0 ? residual_rows_.rows() : 0; }
  std::size_t ripples() const { return model_.ripple_stiffness > 0 ? ripple_rows_.rows() : 0; }

  SolidModel model_;
  Gradient gradient_;
  bool plastic_;
  std::vector<double> mass_;
  State state_, next_;
  std::vector<Shape> shape_, next_shape_;  // of these
  bool shaped_ = false;                    // shape_ is that of state_

  std::size_t first_block_ = 0, first_column_ = 0;
  double time_ = 0;
  RippleRows ripple_rows_;
  NeighbourSums sums_;
  StrainRows strain_rows_;
  ResidualRows residual_rows_;
  solve::BlockRows hold_rows_;
  std::vector<Point> points_;
  std::vector<Vec3> force_;   // of gravity and tractions in this step, N
  std::vector<Vec3> weight_;  // of gravity alone
  std::vector<Vec3> trial_;   // velocities at hand
  std::vector<Vec3> around_;  // around which the law is linear
  std::vector<double> column_, product_;
  int solves_ = 0;
  double miss_ = 0;
  bool bent_ = false;      // by the solver, in this step
  bool answered_ = false;  // rows' answers are those around `around_`
};

}  // namespace hardpan::meshfree
