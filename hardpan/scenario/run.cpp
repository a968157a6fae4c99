#include "hardpan/scenario/run.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <optional>

#include <fmt/core.h>

#include "hardpan/core/log.h"
#include "hardpan/core/text.h"
#include "hardpan/record/run_folder.h"
#include "hardpan/scenario/initial.h"
#include "hardpan/scenario/recorder.h"
#include "hardpan/scenario/summary.h"

namespace hardpan::scenario {
namespace {

using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

bool stop_requested(const RunOptions& options) { return options.stop_requested && options.stop_requested(); }

// Tells about ten times a second how far a simulation has come.
class Teller {
 public:
  Teller(const RunOptions& options, std::string stage, const Simulation& simulation)
      : options_(options), stage_(std::move(stage)), first_step_(simulation.stepper.steps()) {}

  void tell(const Simulation& simulation, const solve::SolveReport& solve) {
    const auto now = Clock::now();
    const bool last = simulation.stepper.steps() == simulation.step_count;
    if (!options_.on_progress || (!last && now - told_ < std::chrono::milliseconds(100))) return;
    told_ = now;
    Progress p;
    p.stage = stage_;
    p.step = simulation.stepper.steps();
    p.steps = simulation.step_count;
    p.time = simulation.stepper.time();
    p.end = static_cast<double>(p.steps) * simulation.stepper.step_size();
    p.wall = seconds_since(start_);
    const double done = static_cast<double>(p.step - first_step_);
    p.real_time_factor = p.wall > 0 ? done * simulation.stepper.step_size() / p.wall : 0;
    p.remaining = done > 0 ? p.wall * static_cast<double>(p.steps - p.step) / done : 0;
    p.iterations = solve.iterations;
    options_.on_progress(p);
  }

 private:
  const RunOptions& options_;
  std::string stage_;
  std::int64_t first_step_;
  Clock::time_point start_ = Clock::now(), told_{};
};

// Looks now and then whether the step is too long for the tension in the machine (geometric_limit.cpp), says
// so once, and names it when the run fails.
class TensionWatch {
 public:
  explicit TensionWatch(const Simulation& simulation) : simulation_(simulation) {}

  void look() {
    if (!fault_.empty() || simulation_.stepper.steps() < next_) return;
    while (next_ <= simulation_.stepper.steps()) next_ *= next_ < 64 ? 2 : 16;  // forces build up at first
    fault_ = find(12);
    if (!fault_.empty()) log::note("{}", fault_);
  }
  std::string explain() {
    if (fault_.empty()) fault_ = find(40);
    return fault_.empty() ? "" : "; " + fault_;
  }

 private:
  std::string find(int iterations) const {
    const double h = simulation_.stepper.step_size();
    const multibody::GeometricLimit limit = simulation_.bodies.geometric_limit(h, iterations);
    if (h <= limit.step) return {};
    return fmt::format(
        "the step of {} s is beyond the geometric limit of {:.2g} s: under the forces in the machine, body "
        "'{}' "
        "swings across them faster than the step can follow",
        shortest(h), limit.step, limit.body);
  }

  const Simulation& simulation_;
  std::int64_t next_ = 4;
  std::string fault_;
};

void sample(std::vector<Watch>& watches, const Simulation& simulation) {
  for (Watch& watch : watches) watch.sample(simulation.stepper.time(), simulation);
}

struct StopReason {
  Status status = Status::done;
  std::string why;
  bool solver_failed = false;
};

// Steps to the end, or until somebody asks to stop or a step fails.
StopReason step_to_end(Simulation& simulation, std::vector<Watch>& watches, Recorder* recorder,
                       const RunOptions& options, const std::string& stage, SolverStatistics& solver) {
  Teller teller(options, stage, simulation);
  TensionWatch tension(simulation);
  solve::Stepper& stepper = simulation.stepper;
  while (stepper.steps() < simulation.step_count) {
    if (stop_requested(options)) return {Status::interrupted, "", false};
    const solve::StepReport report = stepper.step();
    if (!report.ok)
      return {Status::diverged,
              fmt::format("at t = {:g} s (step {}): {}{}", stepper.time(), stepper.steps() + 1, report.reason,
                          tension.explain()),
              !report.solve.ok};
    solver.add(report.solve);
    if (recorder && stage.empty() && std::ranges::count(options.dump, stepper.steps()) > 0)
      recorder->write_problem(record::problem_name(stepper.steps()), stepper.problem());
    const auto timer = stepper.profiler().measure("record");
    if (simulation.measure) simulation.measure->sample(simulation.world());
    sample(watches, simulation);
    if (recorder) recorder->after_step(simulation, watches);
    if (stage.empty()) tension.look();
    teller.tell(simulation, report.solve);
  }
  return {};
}

StopReason begin(const Scenario& scenario, Simulation& simulation, const RunOptions& options);

// Runs a preparation, from where an earlier one was interrupted, and keeps its end.
StopReason prepare(const Scenario& preparation, const RunOptions& options, std::optional<Archive>& state) {
  const std::unique_ptr<Simulation> simulation = build(preparation.resolved);
  StopReason stop;
  if (const auto before = cached_state(preparation, Stage::on_the_way))
    simulation->stepper.restore(*before);
  else
    stop = begin(preparation, *simulation, options);
  std::vector<Watch> none;
  SolverStatistics unused;
  if (stop.status == Status::done) stop = step_to_end(*simulation, none, nullptr, options, "prepare", unused);
  state = simulation->stepper.save();
  if (stop.status == Status::diverged) stop.why = "while it was prepared, " + stop.why;
  if (stop.status == Status::interrupted && simulation->stepper.steps() > 0)
    cache_state(preparation, Stage::on_the_way, *state);
  if (stop.status == Status::done) cache_state(preparation, Stage::end, *state);
  return stop;
}

// Brings a simulation to where its scenario's `initial` says that it begins.
StopReason begin(const Scenario& scenario, Simulation& simulation, const RunOptions& options) {
  std::optional<Archive> state = state_of_other_run(scenario);
  if (const std::optional<Scenario> preparation = preparation_of(scenario)) {
    state = cached_state(*preparation, Stage::end);
    StopReason stop;
    if (!state) stop = prepare(*preparation, options, state);
    if (stop.status != Status::done) return stop;
  }
  try {
    if (state) simulation.stepper.begin_from(*state);
  } catch (const IoError& error) {
    throw InputError(
        scenario.resolved.at("initial").mark(),
        fmt::format("initial: the state is of other bodies, joints or grains: {}", error.what()));
  }
  if (simulation.measure) simulation.measure->begin(simulation.world());
  return {};
}

// The watched values of the same scenario with its step divided by 2^level; nothing when stopped.
std::optional<std::vector<double>> refined(const Scenario& scenario, int level, const RunOptions& options,
                                           const std::vector<Expectation>& expectations) {
  Value finer = scenario.resolved;
  const double divisor = std::exp2(level);
  Value& step = *finer.find("time")->find("step");
  step = Value(step.number() / divisor);
  const Scenario fine = finished(finer, scenario.name);
  const std::unique_ptr<Simulation> simulation = build(fine.resolved);
  const StopReason begun = begin(fine, *simulation, options);
  std::vector<Watch> watching = watches(expectations, *simulation);
  sample(watching, *simulation);
  SolverStatistics unused;
  const StopReason stop =
      begun.status != Status::done
          ? begun
          : step_to_end(*simulation, watching, nullptr, options, fmt::format("step/{:g}", divisor), unused);
  if (stop.status == Status::interrupted) return std::nullopt;
  std::vector<double> values;
  for (const Watch& watch : watching)
    values.push_back(stop.status == Status::done ? watch.value() : std::numeric_limits<double>::quiet_NaN());
  return values;
}

// False when stopped on the way.
bool evaluate(const Scenario& scenario, const RunOptions& options, const std::vector<Watch>& watching,
              RunResult& result) {
  const auto& expected = result.expectations;
  std::vector<std::vector<double>> values;
  int levels = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    values.push_back({watching[i].value()});
    levels = std::max(levels, expected[i].halvings);
  }
  for (int level = 1; level <= levels; ++level) {
    const auto finer = refined(scenario, level, options, expected);
    if (!finer) return false;
    for (std::size_t i = 0; i < expected.size(); ++i)
      if (level <= expected[i].halvings) values[i].push_back((*finer)[i]);
  }
  for (std::size_t i = 0; i < expected.size(); ++i) {
    result.outcomes.push_back(judge(expected[i], values[i]));
    if (expected[i].name != expected[i].metric)  // those are there already
      result.metrics.push_back({expected[i].name, result.outcomes.back().value});
  }
  return true;
}

void warn_of_odd_end(const Scenario& scenario, const Simulation& simulation) {
  const double end = scenario.resolved.at("time").at("end").number(), step = simulation.stepper.step_size();
  const double last = static_cast<double>(simulation.step_count) * step;
  if (std::abs(last - end) > 1e-3 * step)
    log::note("time.end, {} s, is no whole number of steps of {} s: the run ends at {} s", shortest(end),
              shortest(step), shortest(last));
}

// Of what moved, not of what rests: a load that settles by its compliance loses all of next to nothing.
void warn_of_loss(const multibody::Ledger& books, double smallest) {
  const double lost = std::abs(books.lost());
  if (lost > smallest && books.turnover > 0 && lost > 0.05 * books.turnover &&
      lost > 1e-3 * std::abs(books.total()))
    log::note("the time step has {} {:.0f} % of the energy that went round: a smaller one is more accurate",
              books.lost() > 0 ? "lost" : "created", 100 * lost / books.turnover);
}

void warn_of_solver(const SolverStatistics& solver, double step) {
  if (solver.unconverged == 0) return;
  const double impulse = solver.largest.impulse;
  log::note("{} of {} solves stopped at their limit of iterations; the largest residual {}",
            solver.unconverged, solver.solves,
            impulse > 0 ? fmt::format("of a force was {:.2g} N", impulse / step)
                        : fmt::format("of a row was {:.2g} m/s or rad/s", solver.largest.velocity));
}

std::vector<Metric> ledger_metrics(const Simulation& simulation) {
  const multibody::Ledger books = simulation.ledger();
  return {{"energy_total_J", books.total()},
          {"energy_kinetic_J", books.kinetic},
          {"energy_work_J", books.work()},
          {"energy_dissipated_J", books.dissipated()},
          {"energy_lost_J", books.lost()},
          {"momentum_imbalance_Ns", (books.momentum - books.impulse).norm()},
          {"angular_momentum_imbalance_Nms", (books.angular_momentum - books.angular_impulse).norm()}};
}

}  // namespace

std::string_view name_of(Status status) {
  switch (status) {
    case Status::done:
      return "done";
    case Status::interrupted:
      return "interrupted";
    case Status::diverged:
      return "diverged";
  }
  return "?";
}

void SolverStatistics::add(const solve::SolveReport& report) {
  ++solves;
  iterations += report.iterations;
  unconverged += report.converged ? 0 : 1;
  most_iterations = std::max(most_iterations, report.iterations);
  largest.include(report.residual);
}

bool RunResult::expectations_met() const {
  return std::all_of(outcomes.begin(), outcomes.end(), [](const Outcome& o) { return o.passed; });
}

// There is nothing to write yet.
RunResult not_begun(const StopReason& stop, RunResult result) {
  result.status = stop.status;
  result.reason = stop.why;
  result.begun = false;
  return result;
}

RunResult run(const Scenario& scenario, const RunOptions& options) {
  const auto start = Clock::now();
  const std::unique_ptr<Simulation> simulation = build(scenario.resolved);
  warn_of_odd_end(scenario, *simulation);
  RunResult result;
  result.expectations = expectations(scenario.resolved, *simulation);
  std::vector<Watch> watching = watches(result.expectations, *simulation);
  const StopReason begun = begin(scenario, *simulation, options);
  if (begun.status != Status::done) return not_begun(begun, std::move(result));
  sample(watching, *simulation);
  std::optional<Recorder> recorder;
  if (!options.out.empty()) recorder.emplace(scenario, options, *simulation, watching);
  result.resumed_from = recorder ? recorder->resumed_from() : 0;

  const StopReason stop =
      step_to_end(*simulation, watching, recorder ? &*recorder : nullptr, options, "", result.solver);
  result.status = stop.status;
  result.reason = stop.why;
  const solve::Stepper& stepper = simulation->stepper;
  result.steps = stepper.steps();
  result.simulated = stepper.time();
  result.wall = seconds_since(start);
  result.real_time_factor =
      result.steps > result.resumed_from
          ? static_cast<double>(result.steps - result.resumed_from) * stepper.step_size() / result.wall
          : 0;
  if (recorder) recorder->checkpoint(*simulation, watching);
  if (recorder && stop.solver_failed) recorder->write_problem(record::failed_problem_name, stepper.problem());

  warn_of_solver(result.solver, simulation->stepper.step_size());
  result.state_hash = stepper.save().hash();
  result.metrics = ledger_metrics(*simulation);
  if (scenario.resolved.at("solver").at("friction").text() == "convex") {
    const double lift = simulation->contacts.books().lift;
    result.metrics.push_back({"contact_lift_m", lift});
    if (lift > 0)
      log::note("the convex law of friction made contacts that slide stand off by up to {:.2g} m", lift);
  }
  result.ledger = simulation->ledger();
  if (simulation->measure && result.status == Status::done)
    for (const auto& [name, value] : simulation->measure->metrics()) result.metrics.push_back({name, value});
  if (result.status == Status::done && result.steps >= 100)
    warn_of_loss(result.ledger, simulation->bodies.smallest_runaway(stepper.step_size()));
  if (result.status == Status::done && !evaluate(scenario, options, watching, result))
    result.status = Status::interrupted;
  result.phases = simulation->stepper.profiler().phases();
  if (recorder)
    recorder->finish(scenario.resolved.at("title").text(), summary_json(scenario, result, options.command));
  return result;
}

}  // namespace hardpan::scenario
