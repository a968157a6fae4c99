// What each solver makes of five problems of real steps, from the guess that the step had: error against
// time.
//
//   hardpan_bench_solvers [PLOT.svg]
#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>
#include <sstream>

#include "bench/piles/pile.h"
#include <fmt/core.h>

#include "hardpan/core/error.h"
#include "hardpan/core/parallel.h"
#include "hardpan/record/svg.h"
#include "hardpan/scenario/build.h"
#include "hardpan/scenario/run.h"
#include "hardpan/solve/friction.h"

namespace {

using namespace hardpan;
using namespace hardpan::solve;

constexpr double too_long = 2;   // s: no more iterations are tried beyond a solve as long as that
constexpr double exact = 1e-11;  // m/s
constexpr int pile_edge = 5;     // bodies along each side

struct Dump {
  std::string name, text;
};

std::string text_of(const Problem& problem) {
  std::ostringstream text;
  problem.write(text);
  return text.str();
}

Dump from_scenario(const std::string& name, const std::string& file, int step) {
  const auto simulation = scenario::build(scenario::load(HARDPAN_SOURCE_DIR "/scenarios/" + file).resolved);
  while (simulation->stepper.steps() < step) {
    const StepReport report = simulation->stepper.step();
    HARDPAN_CHECK(report.ok, report.reason);
  }
  return {name, text_of(simulation->stepper.problem())};
}

Dump from_pile(const bench::Pile& pile, double time) {
  const auto engine = bench::hardpan_engine(pile);
  for (int i = 0; i < time / pile.step; ++i) engine->step();
  return {fmt::format("pile of {} {}", pile.start.size(), pile.name), text_of(*engine->problem())};
}

struct Method {
  std::string name;
  SolverOptions options;
};

std::vector<Method> methods() {
  return {{"direct", {.kind = SolverKind::direct}},
          {"newton", {.kind = SolverKind::newton}},
          {"newton, matrix-free", {.kind = SolverKind::newton, .matrix_free = true}},
          {"pgs", {.kind = SolverKind::pgs}},
          {"split", {.kind = SolverKind::split}},
          {"apgd", {.kind = SolverKind::apgd}}};
}

// The largest error of a row under Coulomb's law, or of a momentum over its mass, m/s or rad/s.
double error_of(const Problem& problem, std::span<const double> v, std::span<const double> lambda) {
  RowTable rows;
  HARDPAN_CHECK(rows.gather(problem).empty(), "a stored problem is faulty");
  std::vector<double> r(v.size()), w(lambda.size());
  problem.residual(v, lambda, r, w);
  row_errors(rows, Friction::cone, lambda, w);
  double error = largest(w);
  for (std::size_t b = 0; b < problem.blocks().size(); ++b) {
    const Problem::Block& block = problem.blocks()[b];
    for (std::size_t i = 0; i < block.size; ++i)
      error = std::max(error, std::abs(r[block.offset + i]) / problem.matrix(b)[i * (block.size + 1)]);
  }
  return error;
}

struct Point {
  int limit;  // of iterations
  double seconds, error;
};

Point attempt(const Problem& problem, SolverOptions options, int limit, bool guessed) {
  options.max_iterations = limit;
  std::vector<double> v(problem.velocities()), lambda(problem.rows());
  const auto solver = make_solver(options);
  double seconds = INFINITY;
  for (int repeat = 0; repeat < 3; ++repeat) {  // the best of three, if they are short
    std::ranges::fill(lambda, 0.0);
    if (guessed) problem.start(lambda);
    const auto start = std::chrono::steady_clock::now();
    const SolveReport report = solver->solve(problem, v, lambda);
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
    seconds = std::min(seconds, spent.count());
    if (!report.ok) return {limit, seconds, NAN};
    if (seconds > 0.1) break;
  }
  return {limit, seconds, error_of(problem, v, lambda)};
}

std::vector<Point> course(const Problem& problem, const Method& method, bool guessed) {
  std::vector<Point> points;
  for (const int limit : {1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000}) {
    const Point point = attempt(problem, method.options, limit, guessed);
    const bool ended = !points.empty() && point.error == points.back().error;  // before the last limit
    if (ended) break;
    points.push_back(point);
    if (!(point.error > exact) || point.seconds > too_long) break;
  }
  return points;
}

record::Panel compare(const Problem& problem, const std::string& name, bool guessed) {
  record::Panel panel{fmt::format("{}, {}", name, guessed ? "from the last step" : "from nothing"),
                      "log10 of time, ms",
                      "log10 of error, m/s",
                      {}};
  fmt::print("\n{}: {} velocities, {} rows\nlimit of iterations: error in m/s, time in ms\n", panel.title,
             problem.velocities(), problem.rows());
  for (const Method& method : methods()) {
    fmt::print("  {:<20}", method.name);
    record::Curve curve{method.name, {}, {}};
    for (const Point& point : course(problem, method, guessed)) {
      fmt::print(" {:>5}: {:.0e} {:<8.3g}", point.limit, point.error, 1000 * point.seconds);
      std::fflush(stdout);
      curve.x.push_back(std::log10(1000 * point.seconds));
      curve.y.push_back(std::log10(std::max(point.error, 1e-16)));
    }
    fmt::print("\n");
    panel.curves.push_back(std::move(curve));
  }
  return panel;
}

}  // namespace

int main(int count, char** arguments) {
  set_thread_count(1);
  const Dump dumps[] = {from_scenario("cart at 1 s", "demo/cart.yaml", 1000),
                        from_scenario("stack of 10 boxes", "verify/contact-stack.yaml", 500),
                        from_scenario("arch of 20 stones", "verify/contact-arch-stands.yaml", 250),
                        from_pile(bench::sphere_pile(pile_edge), 3),
                        from_pile(bench::box_pile(pile_edge), 3)};
  std::vector<record::Panel> panels;
  for (const Dump& dump : dumps) {
    std::istringstream in(dump.text);
    const StoredProblem stored = read_problem(in);
    for (const bool guessed : {true, false}) panels.push_back(compare(stored.problem, dump.name, guessed));
  }
  if (count > 1) std::ofstream(arguments[1]) << record::draw("Solvers: error over time", panels);
}
