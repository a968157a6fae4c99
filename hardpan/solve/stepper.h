// The one time step of the engine, in named phases:
//
//     predict   each subsystem writes A and p of its velocities
//     assemble  each subsystem adds its rows
//     solve     the one problem
//     advance   each subsystem computes its next state beside the present one, and judges it
//     commit    only now does state change, and only if every part agreed
//
// So a step that fails leaves the last good state untouched.
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
  virtual StepReport predict(double time, double h, Problem& problem) = 0;
  virtual void assemble(double h, Problem& problem) = 0;
  // All velocities, and the impulses of the rows that it assembled.
  virtual StepReport advance(double h, std::span<const double> v, std::span<const double> lambda) = 0;
  virtual void commit() = 0;
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

  const Problem& problem() const { return problem_; }
  Profiler& profiler() { return profiler_; }

 private:
  double h_;
  std::int64_t steps_ = 0;
  std::vector<Subsystem*> subsystems_;
  std::unique_ptr<Solver> solver_;
  Problem problem_;
  Profiler profiler_;
  std::vector<double> v_, lambda_;
  std::vector<std::size_t> first_row_;
};

}  // namespace hardpan::solve
