// sweep: a parameter study. Each run is a process of its own, so that one that fails takes no other with it;
// what is finished is not repeated.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <thread>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "hardpan/app/commands.h"
#include "hardpan/app/library.h"
#include "hardpan/app/process.h"
#include "hardpan/app/sweep_plan.h"
#include "hardpan/core/file.h"
#include "hardpan/core/text.h"
#include "hardpan/record/compare.h"
#include "hardpan/record/run_folder.h"
#include "hardpan/record/summary_view.h"
#include "hardpan/scenario/run.h"

namespace hardpan::app {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr const char* table_name = "table.csv";
constexpr const char* page_name = "sweep.html";
constexpr const char* log_folder = "logs";

double since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

struct Job {
  PlannedRun run;
  fs::path folder, log;
  enum class Kind { fresh, resume, finished } kind = Kind::fresh;
  std::unique_ptr<Child> child;
  Clock::time_point begun;
  ExitCode code = ExitCode::done;
};

bool is_done(const record::RunReader& reader) {
  return record::status_of(record::read_json(reader, record::summary_name)) ==
         scenario::name_of(scenario::Status::done);
}

// Whether its expectations were met is in its summary.
ExitCode code_of_finished(const record::RunReader& reader) {
  return record::is_good(record::read_json(reader, record::summary_name)) ? ExitCode::done
                                                                          : ExitCode::expectation_failed;
}

// Every scenario is read before the first one is run, so that a mistake costs no time.
std::vector<Job> plan(const SweepArguments& arguments, const fs::path& file, const fs::path& out,
                      const std::vector<Variation>& variations) {
  std::vector<Job> jobs;
  for (PlannedRun& run : plan_runs(variations)) {
    std::vector<std::string> assignments = arguments.assignments;
    assignments.insert(assignments.end(), run.assignments.begin(), run.assignments.end());
    const scenario::Scenario scenario = [&] {
      try {
        return scenario::load(file, assignments);
      } catch (const InputError& error) {
        throw InputError(fmt::format("{}: {}", run.name, error.what()));
      }
    }();
    Job job;
    job.folder = out / run.name;
    job.log = out / log_folder / (run.name + ".txt");
    if (!arguments.force && fs::exists(job.folder / record::index_name)) {
      const record::RunReader reader(job.folder);
      if (reader.identity().scenario_hash != scenario.hash)
        throw InputError(
            fmt::format("{}: is a run of another scenario: choose another --out, or overwrite it by --force",
                        job.folder.string()));
      job.kind = is_done(reader) ? Job::Kind::finished : Job::Kind::resume;
      if (job.kind == Job::Kind::finished) job.code = code_of_finished(reader);
    }
    run.assignments = std::move(assignments);
    job.run = std::move(run);
    jobs.push_back(std::move(job));
  }
  return jobs;
}

void begin(Job& job, const SweepArguments& arguments, const fs::path& file, int threads) {
  std::vector<std::string> words = {"/proc/self/exe",    "run",     file.string(), "--out",
                                    job.folder.string(), "--quiet", "--threads",   std::to_string(threads)};
  if (job.kind == Job::Kind::resume) words.push_back("--resume");
  if (arguments.force) words.push_back("--force");
  for (const std::string& assignment : job.run.assignments) words.insert(words.end(), {"--set", assignment});
  fs::remove(job.log);
  job.begun = Clock::now();
  job.child = std::make_unique<Child>(start(words, job.log));
}

const char* word_for(ExitCode code) {
  switch (code) {
    case ExitCode::done:
      return "done";
    case ExitCode::expectation_failed:
      return "done, an expectation failed";
    case ExitCode::diverged:
      return "diverged";
    case ExitCode::interrupted:
      return "interrupted";
    default:
      return "failed";
  }
}

std::string last_line(const fs::path& file) {
  std::string text = fs::exists(file) ? read_file(file) : "";
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text.substr(text.rfind('\n') + 1);
}

// Runs what is not finished, `at_once` at a time; in the order of the list.
void run_all(std::vector<Job>& jobs, const SweepArguments& arguments, const fs::path& file,
             std::size_t at_once, int threads) {
  const bool tells = arguments.verbosity != Verbosity::quiet;
  const auto to_do =
      std::ranges::count_if(jobs, [](const Job& job) { return job.kind != Job::Kind::finished; });
  const Clock::time_point start_time = Clock::now();
  std::size_t next = 0, running = 0;
  std::ptrdiff_t ended = 0;
  bool asked = false;
  while (true) {
    for (; !asked && running < at_once && next < jobs.size(); ++next) {
      if (jobs[next].kind == Job::Kind::finished) continue;
      begin(jobs[next], arguments, file, threads);
      ++running;
    }
    if (running == 0) break;
    for (Job& job : jobs) {
      if (!job.child || !job.child->has_ended()) continue;
      job.code = static_cast<ExitCode>(job.child->exit_code());
      job.child.reset();
      --running;
      ++ended;
      if (tells)
        print_to_stderr(fmt::format(
            "{}/{}  {}  {} after {}{}\n", ended, to_do, job.run.name, word_for(job.code),
            duration(since(job.begun)),
            ended < to_do && !asked
                ? fmt::format(", about {} left", duration(since(start_time) / static_cast<double>(ended) *
                                                          static_cast<double>(to_do - ended)))
                : ""));
      if (job.code != ExitCode::done && job.code != ExitCode::interrupted)
        if (const std::string reason = last_line(job.log); !reason.empty())
          print_to_stderr(fmt::format("  {}\n", reason));
    }
    if (stop_requested() && !asked) {
      asked = true;
      for (Job& job : jobs)
        if (job.child) job.child->ask_to_end();
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  for (; next < jobs.size(); ++next)
    if (jobs[next].kind != Job::Kind::finished) jobs[next].code = ExitCode::interrupted;
}

// A field of CSV; quoted where it must be.
std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

struct Rows {
  std::vector<std::string> heading;
  std::vector<std::vector<std::string>> lines;
};

std::string csv_of(const Rows& rows) {
  std::string text;
  const auto add = [&](const std::vector<std::string>& fields) {
    for (std::size_t k = 0; k < fields.size(); ++k) text += (k > 0 ? "," : "") + csv_field(fields[k]);
    text += '\n';
  };
  add(rows.heading);
  for (const auto& line : rows.lines) add(line);
  return text;
}

void print_rows(const Rows& rows) {
  std::vector<std::size_t> width(rows.heading.size());
  const auto widen = [&](const std::vector<std::string>& fields) {
    for (std::size_t k = 0; k < fields.size(); ++k) width[k] = std::max(width[k], fields[k].size());
  };
  widen(rows.heading);
  for (const auto& line : rows.lines) widen(line);
  const auto print = [&](const std::vector<std::string>& fields) {
    std::string text;
    for (std::size_t k = 0; k < fields.size(); ++k)
      text += fmt::format("{}{:>{}}", k > 0 ? "  " : "", fields[k], width[k]);
    fmt::print("{}\n", text);
  };
  print(rows.heading);
  for (const auto& line : rows.lines) print(line);
}

// Books of energy and momentum tell about the run, and hardly about what is studied.
bool is_of_the_books(const std::string& metric) {
  return metric.starts_with("energy_") || metric.find("momentum_imbalance") != std::string::npos;
}

// What was varied, how the runs ended, and metrics; `shown` says how a number is written.
template <class Shown, class Wanted>
Rows rows_of(const std::vector<Variation>& variations, const std::vector<const Job*>& jobs,
             const std::vector<record::ComparedMetric>& metrics, const Shown& shown, const Wanted& wanted) {
  Rows rows;
  for (const Variation& variation : variations) rows.heading.push_back(variation.name);
  rows.heading.push_back("result");
  for (const record::ComparedMetric& metric : metrics)
    if (wanted(metric.name)) rows.heading.push_back(metric.name);
  for (std::size_t k = 0; k < jobs.size(); ++k) {
    std::vector<std::string> line = jobs[k]->run.values;
    line.push_back(word_for(jobs[k]->code));
    for (const record::ComparedMetric& metric : metrics)
      if (wanted(metric.name)) line.push_back(metric.values[k] ? shown(*metric.values[k]) : "");
    rows.lines.push_back(std::move(line));
  }
  return rows;
}

// A study ends as its worst run does.
ExitCode code_of(const std::vector<Job>& jobs) {
  const auto any = [&](ExitCode code) { return std::ranges::find(jobs, code, &Job::code) != jobs.end(); };
  for (const ExitCode code : {ExitCode::interrupted, ExitCode::bug, ExitCode::io, ExitCode::bad_input,
                              ExitCode::diverged, ExitCode::expectation_failed})
    if (any(code)) return code;
  return std::ranges::all_of(jobs, [](const Job& job) { return job.code == ExitCode::done; }) ? ExitCode::done
                                                                                              : ExitCode::bug;
}

}  // namespace

ExitCode sweep_command(const SweepArguments& arguments) {
  const fs::path file = find_scenario(arguments.scenario);
  const std::vector<Variation> variations = parse_variations(arguments.variations);
  const fs::path out =
      arguments.out.empty() ? fs::path("runs") / (file.stem().string() + "-sweep") : fs::path(arguments.out);
  std::vector<Job> jobs = plan(arguments, file, out, variations);
  const auto cores = std::max(1u, std::thread::hardware_concurrency());
  const std::size_t at_once = std::min(
      jobs.size(), arguments.jobs > 0 ? static_cast<std::size_t>(arguments.jobs) : std::size_t{cores});
  const int threads = arguments.threads > 0
                          ? arguments.threads
                          : std::max(1, static_cast<int>(cores / static_cast<unsigned>(at_once)));
  const auto finished = std::ranges::count(jobs, Job::Kind::finished, &Job::kind);
  const bool tells = arguments.verbosity != Verbosity::quiet;
  if (tells)
    fmt::print("{}: {} runs{}, {} at a time\n", file.stem().string(), jobs.size(),
               finished > 0 ? fmt::format(", {} of them finished before", finished) : "", at_once);
  std::fflush(stdout);
  fs::create_directories(out / log_folder);
  run_all(jobs, arguments, file, at_once, threads);

  std::vector<record::RunReader> readers;
  std::vector<const Job*> begun;
  for (const Job& job : jobs)
    if (fs::exists(job.folder / record::index_name)) {
      readers.emplace_back(job.folder);
      begun.push_back(&job);
    }
  if (!readers.empty()) {
    const std::vector<record::ComparedMetric> metrics = record::compare_metrics(readers);
    write_file_atomically(out / table_name,
                          csv_of(rows_of(variations, begun, metrics, shortest, [](auto&) { return true; })));
    write_file_atomically(out / page_name, record::compare_html(readers));
    if (tells) {
      print_rows(rows_of(
          variations, begun, metrics, [](double value) { return fmt::format("{:.6g}", value); },
          [](const std::string& name) { return !is_of_the_books(name); }));
      fmt::print("table  in {}\nreport in {}\n", (out / table_name).string(), (out / page_name).string());
    }
  }
  const ExitCode code = code_of(jobs);
  if (code == ExitCode::interrupted)
    print_to_stderr("interrupted; states are saved, and the same command goes on\n");
  return code;
}

}  // namespace hardpan::app
