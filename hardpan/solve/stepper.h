// The one time step of the engine, in named phases:
//
//     prepare   each subsystem looks at the state; does anything strike?
//     collide   if so: an impact, solved as a problem of its own, changes the velocities the step starts with
//     predict   each subsystem writes A and p of its velocities
//     assemble  each subsystem adds its rows
//     correct   each subsystem tells its rows where the solution at hand leads
//     solve     the one problem; up to three times, until correcting changes nothing
//     advance   each subsystem computes its next state beside the present one, and judges it
//     commit    only now does state change, and only if every part agreed
//     take back what a subsystem has changed before, if one did not
//
// So a step that fails leaves the last good state as it was.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hardpan/core/archive.h"
#include "hardpan/core/profiler.h"
#include "hardpan/solve/problem.h"
#include "hardpan/solve/solver.h"

namespace hardpan::solve {

struct [[nodiscard]] StepReport {
  bool ok = true;
  std::string reason;  // what went wrong, for people
  SolveReport solve;

  static StepReport failure(std::string why) { return {false, std::move(why), {}}; }
};

class Subsystem {
 public:
  virtual ~Subsystem() = default;
  virtual void declare(Problem& problem) = 0;  // once: its velocity blocks
  // True when something strikes: collide() and rebound() follow before predict().
  virtual bool prepare(double /*time*/, double /*h*/) { return false; }
  // Its A, p and rows of the impact, with this share of every restitution.
  virtual void collide(double /*share*/, Problem& /*problem*/) {}
  // The work that motors bring in the impact, with the velocities after it and the lambda of its own rows, J.
  virtual double driven(std::span<const double> /*v*/, std::span<const double> /*lambda*/) const { return 0; }
  virtual StepReport rebound(std::span<const double> /*impulse*/, std::span<const double> /*lambda*/) {
    return {};
  }
  virtual StepReport predict(double time, double h, Problem& problem) = 0;
  virtual void assemble(double h, Problem& problem) = 0;
  // After that: its velocities at the start of the step, for solvers that begin with velocities.
  virtual void guess(std::span<double> /*v*/) const {}
  // Where do these impulses (G^T lambda of all rows) lead? Corrects the right-hand sides of rows that are not
  // linear, and returns the largest change, m/s or rad/s.
  virtual double correct(double /*h*/, const Problem& /*problem*/, std::span<const double> /*impulse*/) {
    return 0;
  }
  // How often it may ask for another solve by correcting; 3: rows that bend a little. More: rows that are far
  // from linear, and the last solution stands, whatever it misses.
  virtual int most_solves() const { return 3; }
  // What all rows of all subsystems give to the velocities (G^T lambda), and the lambda of its own rows.
  virtual StepReport advance(double h, std::span<const double> impulse, std::span<const double> lambda) = 0;
  virtual void commit() = 0;
  // The step has failed: whatever it changed already is to be as before prepare().
  virtual void take_back() {}
  // The present state becomes that of time 0: books are opened anew.
  virtual void begin() {}
  // Everything that influences the future or the results; restore throws IoError on a state of another shape.
  virtual void save(Archive& archive) const = 0;
  virtual void restore(const Archive& archive) = 0;
};

class Stepper {
 public:
  // The subsystems must outlive the stepper.
  Stepper(double h, std::vector<Subsystem*> subsystems, const SolverOptions& solver = {});

  StepReport step();

  double step_size() const { return h_; }
  std::int64_t steps() const { return steps_; }
  double time() const { return static_cast<double>(steps_) * h_; }  // a product: no sum of roundings

  Archive save() const;
  void restore(const Archive& archive);
  // Takes a saved state, of whatever time and step, for the one at time 0.
  void begin_from(const Archive& archive);

  // The last problem that was solved.
  const Problem& problem() const { return problem_; }
  Profiler& profiler() { return profiler_; }

 private:
  double h_;
  std::int64_t steps_ = 0;
  std::vector<Subsystem*> subsystems_;
  double tolerance_;  // of corrections, m/s or rad/s
  std::unique_ptr<Solver> solver_;
  std::unique_ptr<Solver> impact_solver_;  // nothing takes the opening of the convex law from an impact
  Problem problem_;
  Profiler profiler_;
  std::vector<double> v_, lambda_, impulse_;
  std::vector<double> first_;  // solution, before corrections
  std::vector<std::size_t> first_row_;

  StepReport try_step();
  StepReport impact();
  template <class Add>
  void gather(const Add& add);
  bool creates_energy() const;
  double correct_rows();
  StepReport solve_rows();
  void sum_impulses();
  std::span<const double> rows_of(std::size_t subsystem) const {
    return std::span<const double>(lambda_).subspan(first_row_[subsystem],
                                                    first_row_[subsystem + 1] - first_row_[subsystem]);
  }
};

}  // namespace hardpan::solve
