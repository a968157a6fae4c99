#include <chrono>
#include <csignal>
#include <filesystem>

#include <fmt/core.h>

#include "hardpan/app/commands.h"
#include "hardpan/app/library.h"
#include "hardpan/core/log.h"
#include "hardpan/core/text.h"
#include "hardpan/record/run_folder.h"
#include "hardpan/scenario/run.h"

namespace hardpan::app {
namespace {

namespace fs = std::filesystem;

volatile std::sig_atomic_t stop_signal = 0;

extern "C" void note_signal(int signal) {
  if (stop_signal) {  // a second Ctrl-C means it
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
  stop_signal = signal;
}

// runs/NAME-1, runs/NAME-2 ...: the first free one, or the newest one there is.
fs::path default_folder(const std::string& name, bool existing) {
  for (int k = 1;; ++k) {
    const fs::path folder = fs::path("runs") / fmt::format("{}-{}", name, k);
    if (fs::exists(folder)) continue;
    if (!existing) return folder;
    if (k == 1)
      throw InputError(
          fmt::format("there is no run of '{}' below runs/ to go on from: name it by --out", name));
    return fs::path("runs") / fmt::format("{}-{}", name, k - 1);
  }
}

std::string allowed(const scenario::Expectation& e) {
  if (e.target) return fmt::format("{} +- {:.3g}", shortest(*e.target), e.high - *e.target);
  return fmt::format("{} to {}", shortest(e.low), shortest(e.high));
}

void print_expectations(const scenario::RunResult& result) {
  for (std::size_t i = 0; i < result.outcomes.size(); ++i) {
    const scenario::Expectation& e = result.expectations[i];
    const scenario::Outcome& o = result.outcomes[i];
    fmt::print("  {}  {} = {:.9g}, expected {}", o.passed ? "ok    " : "FAILED", e.name, o.value, allowed(e));
    if (e.order) fmt::print(", order {:.3f} (at least {:g})", o.order.value_or(0.0), *e.order);
    fmt::print("  [{}]\n", e.source);
  }
}

void print_result(const scenario::RunResult& result, const fs::path& folder) {
  fmt::print("{} after {} steps, {:g} s simulated in {} ({:.3g} x real time)\n",
             scenario::name_of(result.status), result.steps, result.simulated, duration(result.wall),
             result.real_time_factor);
  if (!result.reason.empty()) fmt::print("  {}\n", result.reason);
  for (const scenario::Metric& metric : result.metrics)
    fmt::print("  {:<44} {:>16.9g}\n", metric.name, metric.value);
  if (!result.outcomes.empty()) fmt::print("expectations\n");
  print_expectations(result);
  fmt::print("results in {}\n", folder.string());
  if (fs::exists(folder / record::curves_name))
    fmt::print("curves  in {}\n", (folder / record::curves_name).string());
  fmt::print("report  in {}\n", (folder / record::report_name).string());
}

ExitCode code_of(const scenario::RunResult& result) {
  switch (result.status) {
    case scenario::Status::diverged:
      return ExitCode::diverged;
    case scenario::Status::interrupted:
      return ExitCode::interrupted;
    case scenario::Status::done:
      break;
  }
  return result.expectations_met() ? ExitCode::done : ExitCode::expectation_failed;
}

// --resume takes up the same scenario only, so the hint repeats what changed it.
std::string same_assignments(const RunArguments& arguments) {
  std::string text;
  for (const std::string& assignment : arguments.assignments) text += " --set " + for_shell(assignment);
  return text;
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

}  // namespace

void install_signal_handlers() {
  std::signal(SIGINT, note_signal);
  std::signal(SIGTERM, note_signal);
  std::signal(SIGXFSZ, SIG_IGN);  // a file size limit is then an error of write(), reported like a full disk
  std::signal(SIGPIPE, SIG_IGN);
}

bool stop_requested() { return stop_signal != 0; }

ExitCode run_command(const RunArguments& arguments) {
  const fs::path file = find_scenario(arguments.scenario);
  const scenario::Scenario scenario = scenario::load(file, arguments.assignments);
  scenario::RunOptions options;
  options.out =
      arguments.out.empty() ? default_folder(scenario.name, arguments.resume) : fs::path(arguments.out);
  options.force = arguments.force;
  options.resume = arguments.resume;
  options.dump = arguments.dump;
  options.command = "hardpan run " + for_shell(arguments.scenario) + same_assignments(arguments);
  options.stop_requested = stop_requested;
  ProgressLine line(arguments.verbosity);
  options.on_progress = [&](const scenario::Progress& progress) { line.show(progress); };

  const std::string& title = scenario.resolved.at("title").text();
  log::info("{}: {}", file.string(), title);
  if (arguments.verbosity != Verbosity::quiet) fmt::print("{}: {}\n", scenario.name, title);
  std::fflush(stdout);
  const scenario::RunResult result = scenario::run(scenario, options);
  line.clear();
  if (arguments.verbosity != Verbosity::quiet && result.begun) print_result(result, options.out);
  if (!result.begun) {
    if (result.status == scenario::Status::diverged)
      log::error("the simulation diverged {}; nothing is written", result.reason);
    else
      print_to_stderr("interrupted while it was prepared; the same command goes on from there\n");
    return code_of(result);
  }
  if (result.status == scenario::Status::diverged)
    log::error("the simulation diverged {}; the last good state is saved in {}", result.reason,
               options.out.string());
  if (result.status == scenario::Status::interrupted)
    print_to_stderr(fmt::format(
        "interrupted at t = {:g} s; the state is saved, go on with: hardpan run {} --out {} --resume{}\n",
        result.simulated, for_shell(arguments.scenario), for_shell(options.out.string()),
        same_assignments(arguments)));
  return code_of(result);
}

ExitCode check_command(const CheckArguments& arguments) {
  int passed = 0, failed = 0, skipped = 0;
  bool bad_input = false;
  for (const fs::path& file : find_all(arguments.paths)) {
    const auto start = std::chrono::steady_clock::now();
    ProgressLine line(arguments.verbosity);
    scenario::RunOptions options;
    options.stop_requested = stop_requested;
    options.on_progress = [&](const scenario::Progress& progress) { line.show(progress); };
    try {
      const scenario::Scenario scenario = scenario::load(file, arguments.assignments);
      if (scenario.resolved.at("expect").items().empty()) {
        fmt::print("skipped {}: expects nothing\n", file.string());
        ++skipped;
        continue;
      }
      const scenario::RunResult result = scenario::run(scenario, options);
      line.clear();
      if (result.status == scenario::Status::interrupted) return ExitCode::interrupted;
      const bool ok = code_of(result) == ExitCode::done;
      ++(ok ? passed : failed);
      fmt::print("{} {}  ({} expectations, {})\n", ok ? "passed" : "FAILED", file.string(),
                 result.expectations.size(),
                 duration(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count()));
      if (result.status == scenario::Status::diverged) fmt::print("  diverged {}\n", result.reason);
      if (!ok || arguments.verbosity == Verbosity::verbose) print_expectations(result);
    } catch (const InputError& error) {
      line.clear();
      ++failed;
      bad_input = true;
      fmt::print("FAILED {}\n  {}\n", file.string(), first_line(error.what()));
    }
    std::fflush(stdout);
  }
  fmt::print("{} passed, {} failed, {} skipped\n", passed, failed, skipped);
  return bad_input ? ExitCode::bad_input : failed > 0 ? ExitCode::expectation_failed : ExitCode::done;
}

}  // namespace hardpan::app
