#include "hardpan/solve/stepper.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/core.h>

#include "hardpan/core/error.h"
#include "hardpan/solve/block_cholesky.h"
#include "hardpan/solve/block_product.h"

namespace hardpan::solve {

Stepper::Stepper(double h, std::vector<Subsystem*> subsystems, const SolverOptions& solver)
    : h_(h), subsystems_(std::move(subsystems)), tolerance_(solver.tolerance), solver_(make_solver(solver)) {
  SolverOptions of_impacts = solver;
  if (solver.friction == Friction::convex) of_impacts.friction = Friction::cone;
  // With a fixed number of sweeps: what few of them leave of an impact, the step takes up.
  if (solver.tolerance == 0) of_impacts.max_iterations = (solver.max_iterations + 3) / 4;
  impact_solver_ = make_solver(of_impacts);
  for (Subsystem* subsystem : subsystems_) subsystem->declare(problem_);
  v_.resize(problem_.velocities());
}

// The rows of all subsystems, and where each one's begin.
template <class Add>
void Stepper::gather(const Add& add) {
  problem_.clear_groups();
  first_row_.assign(1, 0);
  for (Subsystem* subsystem : subsystems_) {
    add(*subsystem);
    first_row_.push_back(problem_.rows());
  }
  lambda_.resize(problem_.rows());
  problem_.start(lambda_);
}

// Momentum is changed by the impulses themselves, not by the solved velocities: action and reaction then
// cancel to rounding, whatever residual the solver left.
void Stepper::sum_impulses() {
  impulse_.assign(problem_.velocities(), 0.0);
  std::size_t first = 0;
  for (const RowGroup* group : problem_.groups()) {
    group->apply_transpose(std::span<const double>(lambda_).subspan(first, group->rows()), impulse_);
    first += group->rows();
  }
}

// Does an impact, beyond what motors bring and its regularisation and rounding do? (v + v-)^T G^T lambda/2,
// with A v- = p.
bool Stepper::creates_energy() const {
  constexpr double tolerance = 1e-6;
  double gain = 0, turnover = 0;
  for (std::size_t i = 0; i < subsystems_.size(); ++i) gain -= subsystems_[i]->driven(v_, rows_of(i));
  for (std::size_t i = 0; i < problem_.blocks().size(); ++i) {
    const Problem::Block& block = problem_.blocks()[i];
    std::array<double, 36> factor;
    std::array<double, 6> push, mean;
    const auto l = std::span(factor).first(block.size * block.size);
    std::ranges::copy(problem_.matrix(i), l.begin());
    if (!cholesky(l, block.size)) return false;  // the solver has refused such masses
    for (std::size_t k = 0; k < block.size; ++k) {
      push[k] = impulse_[block.offset + k];
      mean[k] = problem_.momentum()[block.offset + k] + 0.5 * push[k];
    }
    cholesky_forward(l, std::span(push).first(block.size));
    cholesky_forward(l, std::span(mean).first(block.size));
    const double work = dot(push.data(), mean.data(), block.size);
    gain += work;
    turnover += std::abs(work);
  }
  return gain > tolerance * turnover;
}

// Newton's law together with friction, or with unlike restitutions at once, may create energy (Kane &
// Levinson, Dynamics, McGraw-Hill 1985, p. 348). Everything then rebounds less, until it does not: without
// rebound it cannot.
StepReport Stepper::impact() {
  SolveReport all;
  for (const double share : {1.0, 0.95, 0.9, 0.8, 0.65, 0.5, 0.25, 0.0}) {
    gather([&](Subsystem& subsystem) { subsystem.collide(share, problem_); });
    const SolveReport solved = impact_solver_->solve(problem_, v_, lambda_);
    if (!solved.ok) return {false, "the solver failed in an impact: " + solved.reason, solved};
    all.include(solved);
    sum_impulses();
    if (!creates_energy()) break;
  }
  for (std::size_t i = 0; i < subsystems_.size(); ++i)
    if (StepReport report = subsystems_[i]->rebound(impulse_, rows_of(i)); !report.ok) return report;
  return {true, "", all};
}

double Stepper::correct_rows() {
  const auto timer = profiler_.measure("correct");
  double change = 0;
  for (Subsystem* subsystem : subsystems_)
    change = std::max(change, subsystem->correct(h_, problem_, impulse_));
  return change;
}

// The rows are linear in the impulses only at the start of the step. First they are corrected for where the
// step leads without impulses, then for where each solution leads. Should that go astray (singular positions,
// the geometric limit), the first solution stands.
StepReport Stepper::solve_rows() {
  constexpr int usual_solves = 3;
  constexpr double least_progress = 0.2;
  int most_solves = usual_solves;
  for (const Subsystem* subsystem : subsystems_)
    most_solves = std::max(most_solves, subsystem->most_solves());
  StepReport report;
  impulse_.assign(problem_.velocities(), 0.0);
  double change = correct_rows();
  for (const Subsystem* subsystem : subsystems_) subsystem->guess(v_);
  for (int solves = 1;; ++solves) {
    {
      const auto timer = profiler_.measure("solve");
      const SolveReport solved = solver_->solve(problem_, v_, lambda_);
      if (!solved.ok) return {false, "the solver failed: " + solved.reason, solved};
      report.solve.include(solved);
    }
    if (solves == 1) first_ = lambda_;
    sum_impulses();
    const double last = change;
    change = correct_rows();
    if (change <= tolerance_) return report;
    if (most_solves == usual_solves && solves > 1 && !(change <= least_progress * last)) break;
    if (solves == most_solves) return report;
  }
  impulse_.assign(problem_.velocities(), 0.0);
  correct_rows();
  lambda_ = first_;
  sum_impulses();
  return report;
}

StepReport Stepper::step() {
  StepReport report = try_step();
  if (!report.ok)
    for (Subsystem* subsystem : subsystems_) subsystem->take_back();
  return report;
}

StepReport Stepper::try_step() {
  SolveReport struck;
  bool strikes = false;
  {
    const auto timer = profiler_.measure("prepare");
    for (Subsystem* subsystem : subsystems_) strikes = subsystem->prepare(time(), h_) || strikes;
  }
  if (strikes) {
    const auto timer = profiler_.measure("impact");
    StepReport report = impact();
    if (!report.ok) return report;
    struck = report.solve;
  }
  {
    const auto timer = profiler_.measure("predict");
    for (Subsystem* subsystem : subsystems_)
      if (StepReport report = subsystem->predict(time(), h_, problem_); !report.ok) return report;
  }
  {
    const auto timer = profiler_.measure("assemble");
    gather([&](Subsystem& subsystem) { subsystem.assemble(h_, problem_); });
  }
  StepReport report = solve_rows();
  if (!report.ok) return report;
  report.solve.include(struck);
  {
    const auto timer = profiler_.measure("advance");
    for (std::size_t i = 0; i < subsystems_.size(); ++i)
      if (StepReport verdict = subsystems_[i]->advance(h_, impulse_, rows_of(i)); !verdict.ok) return verdict;
  }
  const auto timer = profiler_.measure("commit");
  for (Subsystem* subsystem : subsystems_) subsystem->commit();
  ++steps_;
  return report;
}

Archive Stepper::save() const {
  Archive archive;
  archive.put("steps", steps_);
  archive.put("step_size", h_, "s");
  for (const Subsystem* subsystem : subsystems_) subsystem->save(archive);
  return archive;
}

void Stepper::restore(const Archive& archive) {
  if (archive.real("step_size") != h_)
    throw IoError(
        fmt::format("saved state belongs to a step of {} s, not {} s", archive.real("step_size"), h_));
  for (Subsystem* subsystem : subsystems_) subsystem->restore(archive);
  steps_ = archive.integer("steps");
}

void Stepper::begin_from(const Archive& archive) {
  for (Subsystem* subsystem : subsystems_) {
    subsystem->restore(archive);
    subsystem->begin();
  }
  steps_ = 0;
}

}  // namespace hardpan::solve
