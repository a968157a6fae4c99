// Siconos beside our iterations on problems of contacts: time and error of each at several tolerances.
//
//   hardpan_bench_siconos [--seconds S] [--guess] [STEP FILE...]
//
// FILE is what `hardpan run --dump` wrote of a run of step STEP, in s; without one, three piles of spheres
// fall first. --seconds: what one solve may take, about (10). --guess: from the impulses of the last step,
// not from nothing.
//
// Times are of one thread, processor time, the best of three where they are short. Those of ours are of all
// that a solve does, from the problem as it stands; those of Siconos begin with W, whose assembly is told
// apart. Errors are ours (contact_form.h), from the impulses that come back.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <sstream>

#include "bench/piles/pile.h"
#include "bench/siconos/contact_form.h"
#include "bench/siconos/processor_time.h"
#include "bench/siconos/siconos.h"
#include <fmt/core.h>

#include "hardpan/core/error.h"
#include "hardpan/core/parallel.h"
#include "hardpan/solve/solver.h"

namespace {

using namespace hardpan;
using namespace hardpan::bench;
using solve::Problem;

constexpr int pile_edges[] = {3, 5, 8};  // spheres along each side
constexpr double pile_rests = 3;         // s
constexpr int most_iterations = 1'000'000;
constexpr int tightest = 10;   // the tolerances are 1e-1 to 1e-10, until time is up
constexpr double brief = 0.3;  // s: solves no longer than that are repeated
constexpr double levels[] = {1e-1, 1e-2, 1e-3, 1e-4, 1e-6, 1e-8};  // of the table at the end

struct Settings {
  double seconds = 10;
  bool guessed = false;
  double step = 0;
  std::vector<std::string> files;
};

struct Attempt {
  bool converged = false;
  int iterations = 0;
  double seconds = 0;
};

// lambda: a guess, then the result.
using Method = std::function<Attempt(double tolerance, int limit, std::span<double> lambda)>;

struct Entry {
  std::string name;
  int first_limit;  // of iterations, while nothing is known of what one takes
  Method method;
};

struct Point {
  double seconds, miss;  // N s
};

// A problem and all that is known of it.
struct Subject {
  const Problem& problem;
  double step;
  solve::RowTable rows;
  ContactForm form;
  double assembly = 0;  // s

  Subject(const Problem& its_problem, double its_step) : problem(its_problem), step(its_step) {
    const std::string fault = rows.gather(problem);
    if (!fault.empty()) throw InputError(fault);
    const double begin = processor_time();
    form = contact_form(problem, rows);
    assembly = processor_time() - begin;
  }
};

Method ours(const Problem& problem, solve::SolverOptions options) {
  return [&problem, options](double tolerance, int limit, std::span<double> lambda) mutable {
    options.tolerance = tolerance;
    options.max_iterations = limit;
    const auto solver = make_solver(options);
    std::vector<double> v(problem.velocities());
    const double begin = processor_time();
    const solve::SolveReport report = solver->solve(problem, v, lambda);
    return Attempt{report.converged, report.iterations, processor_time() - begin};
  };
}

Method theirs(const ContactForm& form, Siconos& siconos, const SiconosMethod& method) {
  return [&, method](double tolerance, int limit, std::span<double> lambda) {
    std::vector<double> reaction;
    for (const std::size_t row : form.rows) reaction.push_back(lambda[row]);
    const SiconosResult result = siconos.solve(method, tolerance, limit, reaction);
    for (std::size_t i = 0; i < reaction.size(); ++i) lambda[form.rows[i]] = reaction[i];
    return Attempt{result.converged, result.iterations, result.seconds};
  };
}

std::vector<Entry> entries(const Subject& subject, Siconos& siconos) {
  std::vector<Entry> all = {
      {"pgs", 100, ours(subject.problem, {.kind = solve::SolverKind::pgs})},
      {"apgd", 100, ours(subject.problem, {.kind = solve::SolverKind::apgd})},
  };
  for (const SiconosMethod& method : siconos_methods())
    if (subject.form.contacts() <= method.most_contacts)
      all.push_back({method.name, method.first_limit, theirs(subject.form, siconos, method)});
  return all;
}

Attempt best_of_three(const Entry& entry, double tolerance, int limit, std::span<const double> guess,
                      std::vector<double>& lambda) {
  Attempt best;
  for (int repeat = 0; repeat < 3; ++repeat) {
    lambda.assign(guess.begin(), guess.end());
    const Attempt attempt = entry.method(tolerance, limit, lambda);
    if (repeat == 0 || attempt.seconds < best.seconds) best = attempt;
    if (attempt.seconds > brief) break;
  }
  return best;
}

// Tolerances get tighter until one is not met in time.
std::vector<Point> course(const Subject& subject, const Entry& entry, const Settings& settings) {
  std::vector<double> guess(subject.problem.rows(), 0.0), lambda;
  if (settings.guessed) subject.problem.start(guess);
  std::vector<Point> points;
  int limit = entry.first_limit;
  for (int digits = 1; digits <= tightest; ++digits) {
    const double tolerance = std::pow(10.0, -digits);
    Attempt attempt;
    for (bool more = true; more;) {
      attempt = best_of_three(entry, tolerance, limit, guess, lambda);
      more = !attempt.converged && attempt.iterations >= limit && limit < most_iterations &&
             attempt.seconds < settings.seconds / 2;
      const double each = attempt.seconds / std::max(1, attempt.iterations);
      limit = std::max(limit, static_cast<int>(std::min<double>(most_iterations, settings.seconds / each)));
    }
    const Miss error = miss(subject.problem, subject.rows, subject.form, lambda);
    fmt::print("{:<26} {:>9.0e} {:>10} {:>10.3g} {:>10.1e} {:>10.1e}{}\n", entry.name, tolerance,
               attempt.iterations, 1000 * attempt.seconds, error.impulse / subject.step, error.velocity,
               attempt.converged ? "" : "  not converged");
    std::fflush(stdout);
    points.push_back({attempt.seconds, error.impulse});
    if (!attempt.converged) break;
  }
  return points;
}

// Over the contacts that push.
double mean_normal(const ContactForm& form, std::span<const double> lambda) {
  double sum = 0;
  std::size_t count = 0;
  for (std::size_t c = 0; c < form.contacts(); ++c) {
    const double normal = lambda[form.rows[3 * c]];
    if (!(normal > 0)) continue;
    sum += normal;
    ++count;
  }
  return count > 0 ? sum / static_cast<double>(count) : 0;
}

void print_times_to(const std::vector<Entry>& all, const std::vector<std::vector<Point>>& courses,
                    double force, double step) {
  fmt::print("\ntime in ms to an error below that part of the mean normal force of {:.3g} N\n{:<26}",
             force / step, "");
  for (const double level : levels) fmt::print(" {:>10.0e}", level);
  fmt::print("\n");
  for (std::size_t m = 0; m < all.size(); ++m) {
    fmt::print("{:<26}", all[m].name);
    for (const double level : levels) {
      double least = INFINITY;
      for (const Point& point : courses[m])
        if (point.miss <= level * force) least = std::min(least, point.seconds);
      fmt::print(" {:>10}", std::isfinite(least) ? fmt::format("{:.3g}", 1000 * least) : "-");
    }
    fmt::print("\n");
  }
}

void compare(const std::string& name, const Problem& problem, double step, const Settings& settings) {
  const Subject subject(problem, step);
  Siconos siconos(subject.form);
  fmt::print("\n{}: {} bodies, {} contacts, from {}; W: {} blocks, assembled in {:.3g} ms\n\n", name,
             problem.blocks().size(), subject.form.contacts(), settings.guessed ? "the last step" : "nothing",
             subject.form.column.size(), 1000 * subject.assembly);
  fmt::print("{:<26} {:>9} {:>10} {:>10} {:>10} {:>10}\n", "solver", "tolerance", "iterations", "time, ms",
             "error, N", "rows, m/s");
  const std::vector<Entry> all = entries(subject, siconos);
  std::vector<std::vector<Point>> courses;
  for (const Entry& entry : all) courses.push_back(course(subject, entry, settings));
  std::vector<double> lambda(problem.rows());
  problem.start(lambda);
  print_times_to(all, courses, mean_normal(subject.form, lambda), step);
}

void compare_file(const std::string& file, const Settings& settings) {
  std::ifstream in(file);
  if (!in) throw IoError(fmt::format("{}: cannot be opened", file));
  try {
    const solve::StoredProblem stored = solve::read_problem(in);
    compare(file, stored.problem, settings.step, settings);
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", file, error.what()));
  } catch (const IoError& error) {
    throw IoError(fmt::format("{}: {}", file, error.what()));
  }
}

void compare_pile(int edge, const Settings& settings) {
  const Pile pile = sphere_pile(edge);
  const auto engine = hardpan_engine(pile);
  for (int i = 0; i < pile_rests / pile.step; ++i) engine->step();
  std::stringstream text;
  engine->problem()->write(text);
  const solve::StoredProblem stored = solve::read_problem(text);
  compare(fmt::format("pile of {} spheres", pile.start.size()), stored.problem, pile.step, settings);
}

double number(const char* text) {
  char* end = nullptr;
  const double value = text ? std::strtod(text, &end) : 0;
  if (!(value > 0) || *end != '\0')
    throw InputError("usage: hardpan_bench_siconos [--seconds S] [--guess] [STEP FILE...]");
  return value;
}

Settings read_arguments(char** arguments) {
  Settings settings;
  for (; *arguments; ++arguments) {
    if (std::strcmp(*arguments, "--guess") == 0)
      settings.guessed = true;
    else if (std::strcmp(*arguments, "--seconds") == 0)
      settings.seconds = number(*++arguments);
    else if (settings.step == 0)
      settings.step = number(*arguments);
    else
      settings.files.push_back(*arguments);
  }
  return settings;
}

}  // namespace

int main(int, char** arguments) {
  set_thread_count(1);
  try {
    const Settings settings = read_arguments(arguments + 1);
    for (const std::string& file : settings.files) compare_file(file, settings);
    if (settings.files.empty())
      for (const int edge : pile_edges) compare_pile(edge, settings);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 2;
  }
}
