// The command line: reads arguments, calls a command, turns errors into one clear message and an exit code.
#include <algorithm>
#include <functional>
#include <system_error>

#include <CLI/CLI.hpp>
#include <fmt/core.h>

#include "hardpan/app/commands.h"
#include "hardpan/app/terminal.h"
#include "hardpan/core/log.h"
#include "hardpan/core/parallel.h"
#include "hardpan/core/text.h"
#include "hardpan/core/version.h"

namespace hardpan::app {
namespace {

constexpr const char* examples = R"(
Examples:
  hardpan list                                   scenarios that come with the program
  hardpan run cart                               run one; results go to runs/cart-1
  hardpan run my.yaml --set time.step=5e-4       run a file with one value changed
  hardpan run my.yaml --out runs/a --resume      go on after Ctrl-C, a crash or a power cut
  hardpan sweep my.yaml --vary time.step=1e-3,5e-4    a parameter study: one table, one report
  hardpan check scenarios/verify                 run scenarios and compare with what they expect
  hardpan material clay                          lead a point of soil through laboratory tests
  hardpan describe hinge                         the keys of a hinge, with units and defaults
  hardpan view runs/a                            look at a run in the browser, finished or still going on
  hardpan shot runs/a --out a.png --time 2       a picture of it
  hardpan compare runs/a runs/b                  two runs side by side, in compare.html

Exit codes: 0 done; 1 an expectation failed; 2 bad usage or scenario; 3 the simulation diverged (last good
state saved); 4 input/output; 70 a bug in Hardpan; 130 interrupted (state saved).)";

struct CommandLine {
  CLI::App app{"Hardpan: machines on ground that gives way.", "hardpan"};
  std::function<ExitCode()> command;
  RunArguments run;
  SweepArguments sweep;
  CheckArguments check;
  MaterialArguments material;
  ViewArguments view;
  ShotArguments shot;
  CompareArguments compare;
  ReplayArguments replay;
  std::string name, folder, out, log_file;
  std::vector<std::string> assignments;
  int threads = 0;
  bool quiet = false, verbose = false, expanded = false;

  CommandLine() {
    app.footer(examples);
    app.require_subcommand(1);
    app.set_version_flag("--version",
                         fmt::format("hardpan {} (commit {}, {})", version(), commit(), instruction_set()));
    add_run();
    add_sweep();
    add_check();
    add_material();
    add_information();
    add_view();
    add_shot();
    add_reports();
    add_replay();
  }

  Verbosity verbosity() const {
    return quiet ? Verbosity::quiet : verbose ? Verbosity::verbose : Verbosity::normal;
  }

  void add_set(CLI::App* sub) {
    sub->add_option("--set", assignments, "Change a value: a.b=value (repeatable)")->allow_extra_args(false);
  }

  void add_common(CLI::App* sub) {
    add_set(sub);
    sub->add_option("--threads", threads, "Threads; results do not depend on it (default: all cores)")
        ->check(CLI::Range(1, 1024));
    auto* less = sub->add_flag("-q,--quiet", quiet, "Only errors");
    sub->add_flag("-v,--verbose", verbose, "More detail")->excludes(less);
    sub->add_option("--log", log_file, "Also write messages to this file");
  }

  void add_run() {
    CLI::App* sub = app.add_subcommand("run", "Run a scenario: a file, or the name of one in the library");
    sub->add_option("scenario", run.scenario, "File or name")->required();
    sub->add_option("-o,--out", run.out, "Folder for the results (default: runs/NAME-k)");
    auto* force = sub->add_flag("--force", run.force, "Overwrite an earlier run in that folder");
    sub->add_flag("--resume", run.resume, "Go on from the newest sound checkpoint")->excludes(force);
    sub->add_option("--dump", run.dump, "Also write the equations of these steps, for 'hardpan replay'")
        ->delimiter(',');
    add_common(sub);
    sub->callback([this] {
      command = [this] {
        run.assignments = assignments;
        run.verbosity = verbosity();
        return run_command(run);
      };
    });
  }

  void add_sweep() {
    CLI::App* sub = app.add_subcommand("sweep", "Run a scenario with all combinations of some values");
    sub->add_option("scenario", sweep.scenario, "File or name")->required();
    sub->add_option("--vary", sweep.variations, "A key and its values: a.b=1,2,3 (repeatable)")
        ->required()
        ->allow_extra_args(false);
    sub->add_option("-o,--out", sweep.out,
                    "Folder for the runs, their table and report (default: runs/NAME-sweep)");
    sub->add_option("--jobs", sweep.jobs, "Runs at a time (default: one for each core)")
        ->check(CLI::Range(1, 1024));
    sub->add_flag("--force", sweep.force,
                  "Repeat runs that are there; without it they are kept, or taken up again");
    add_common(sub);
    sub->callback([this] {
      command = [this] {
        sweep.assignments = assignments;
        sweep.threads = threads;
        sweep.verbosity = verbosity();
        return sweep_command(sweep);
      };
    });
  }

  void add_check() {
    CLI::App* sub =
        app.add_subcommand("check", "Run scenarios and compare with what they expect; writes no files");
    sub->add_option("paths", check.paths, "Files, folders or names")->required();
    add_common(sub);
    sub->callback([this] {
      command = [this] {
        check.assignments = assignments;
        check.verbosity = verbosity();
        return check_command(check);
      };
    });
  }

  void add_material() {
    CLI::App* sub =
        app.add_subcommand("material", "Lead a point of soil along the paths of laboratory tests");
    sub->add_option("scenario", material.scenario, "File or name of a scenario with materials")->required();
    sub->add_option("--of", material.material, "Material (default: the one with 'soil')");
    sub->add_option(
           "--path", material.paths,
           "uniaxial, hydrostatic, triaxial, oedometer, simple-shear or cycles (repeatable; default: "
           "all)")
        ->allow_extra_args(false);
    sub->add_option("--strain", material.strain,
                    "How far to load: shortening of the axis, loss of volume (hydrostatic), angle of shear "
                    "(simple-shear), largest component (cycles); below 0: the other way");
    sub->add_option("--confining", material.confining, "Pressure in triaxial and simple-shear, Pa");
    sub->add_option("--steps", material.steps, "Per leg of a path (default: 200)")
        ->check(CLI::Range(1, 100000));
    sub->add_option("--seed", material.seed, "Of cycles (default: that of the scenario)");
    sub->add_option("-o,--out", material.out, "Folder for curves and report (default: runs/NAME-material)");
    sub->add_flag("--force", material.force, "Overwrite earlier results of this command in that folder");
    sub->add_flag("-q,--quiet", quiet, "Only errors");
    add_set(sub);
    sub->callback([this] {
      command = [this] {
        material.assignments = assignments;
        material.verbosity = verbosity();
        return material_command(material);
      };
    });
  }

  void add_information() {
    CLI::App* validate =
        app.add_subcommand("validate", "Check a scenario without running it: counts, steps, memory");
    validate->add_option("scenario", name, "File or name")->required();
    add_set(validate);
    validate->callback([this] { command = [this] { return validate_command(name, assignments); }; });

    app.add_subcommand("list", "List the scenarios of the library")->callback([this] {
      command = list_command;
    });

    CLI::App* describe = app.add_subcommand("describe", "Explain a key, a kind or a scenario");
    describe->add_option("name", name, "Key, kind or scenario; without it, all names");
    describe->add_flag("--expanded", expanded, "Show a scenario with every default filled in");
    describe->callback([this] { command = [this] { return describe_command(name, expanded); }; });

    app.add_subcommand("schema", "Print the JSON schema of scenarios")->callback([this] {
      command = schema_command;
    });
    app.add_subcommand("manual", "Print the reference of the scenario language (Markdown)")->callback([this] {
      command = manual_command;
    });

    CLI::App* to_vtk = app.add_subcommand("export", "Write the frames of a run as VTK files for ParaView");
    to_vtk->add_option("folder", folder, "Folder of the run")->required();
    to_vtk->add_option("-o,--out", out, "Where to (default: FOLDER/vtk)");
    to_vtk->callback([this] { command = [this] { return export_command(folder, out); }; });
  }

  void add_replay() {
    CLI::App* sub = app.add_subcommand("replay", "Solve the stored equations of a step by every solver");
    sub->add_option("file", replay.file, "problem-STEP.txt or failed_problem.txt of a run")->required();
    sub->add_option("--solver", replay.solvers,
                    "Only this one: direct, newton, newton-cg, pgs, split or apgd (repeatable)")
        ->allow_extra_args(false);
    sub->add_option("--friction", replay.friction, "Law of friction: cone (default), box or convex");
    sub->add_option("--tolerance", replay.tolerance, "Error of rows at which solvers stop, m/s")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    sub->add_option("--iterations", replay.iterations, "Limit of all of them (default: each solver's own)")
        ->check(CLI::PositiveNumber);
    sub->callback([this] { command = [this] { return replay_command(replay); }; });
  }

  void add_view() {
    CLI::App* sub = app.add_subcommand("view", "Look at a run in the browser, finished or still going on");
    sub->add_option("folder", view.folder, "Folder of the run")->required();
    sub->add_option("--port", view.port, "Port to listen at (default: a free one)")
        ->check(CLI::Range(1, 65535));
    sub->add_option("--host", view.host,
                    "Address to listen at (default: 127.0.0.1, this machine only); others need a token");
    sub->add_flag("--no-open", view.no_open, "Do not open a browser");
    sub->callback([this] { command = [this] { return view_command(view); }; });
  }

  void add_shot() {
    CLI::App* sub = app.add_subcommand("shot", "Write a picture of a run (PNG); needs Chromium");
    sub->add_option("folder", shot.folder, "Folder of the run")->required();
    sub->add_option("-o,--out", shot.out, "The picture, x.png")->required();
    sub->add_option("--time", shot.time, "Simulated time, s (default: the last frame)");
    sub->add_option("--camera", shot.camera,
                    "front, side, top, iso (default), or eye and target in m: px,py,pz,tx,ty,tz");
    sub->add_option("--size", shot.size, "Pixels, WIDTHxHEIGHT (default: 1280x720)");
    sub->add_option("--field", shot.field, "Field that colours the picture, as the viewer names it");
    sub->add_option("--range", shot.range, "LOW,HIGH of the colours (default: what occurs at that moment)");
    sub->add_option("--layers", shot.layers, "Layers to add and to leave out: '+joint forces,-joint axes'");
    sub->add_option("--timeout", shot.timeout, "Give up after so many seconds (default: 60)")
        ->check(CLI::Range(0.1, 3600.0));
    sub->callback([this] { command = [this] { return shot_command(shot); }; });
  }

  void add_reports() {
    CLI::App* report = app.add_subcommand("report", "Make the report of a run again, finished or not");
    report->add_option("folder", folder, "Folder of the run")->required();
    report->add_option("-o,--out", out, "File (default: FOLDER/report.html)");
    report->callback([this] { command = [this] { return report_command(folder, out); }; });

    CLI::App* side = app.add_subcommand("compare", "Compare runs: metrics, scenarios and curves in one page");
    side->add_option("folders", compare.folders, "Folders of two or more runs")->required()->expected(2, -1);
    side->add_option("-o,--out", compare.out, "File")->capture_default_str();
    side->add_flag("--force", compare.force, "Overwrite a file that is no such page");
    side->callback([this] { command = [this] { return compare_command(compare); }; });
  }
};

log::Sink terminal_sink(Verbosity verbosity) {
  return [verbosity](log::Level level, std::string_view message) {
    const bool shown = level >= log::Level::warning || verbosity == Verbosity::verbose ||
                       (level == log::Level::note && verbosity != Verbosity::quiet);
    const char* name = level == log::Level::error     ? "error: "
                       : level == log::Level::warning ? "warning: "
                       : level == log::Level::note    ? "note: "
                                                      : "";
    if (shown) print_to_stderr(fmt::format("{}{}\n", name, message));
  };
}

// One line. CLI11 takes a mistyped command for a missing one, so that is looked at here.
std::string usage_error(const CLI::App& app, const CLI::ParseError& error, int argc, char** argv) {
  std::vector<std::string> commands;
  for (const CLI::App* sub : app.get_subcommands(std::function<bool(const CLI::App*)>()))
    commands.push_back(sub->get_name());
  const std::string word = argc > 1 ? argv[1] : "";
  if (word.empty())
    return fmt::format("no command; expected one of {}; see 'hardpan --help'", join(commands));
  if (std::find(commands.begin(), commands.end(), word) != commands.end())
    return fmt::format("{}; see 'hardpan {} --help'", error.what(), word);
  if (word.front() == '-') return fmt::format("{}; see 'hardpan --help'", error.what());
  return fmt::format("unknown command '{}'{}; expected one of {}; see 'hardpan --help'", word,
                     did_you_mean(word, commands), join(commands));
}

ExitCode dispatch(CommandLine& line) {
  log::set_sink(terminal_sink(line.verbosity()));
  if (!line.log_file.empty()) log::set_file(line.log_file);
  set_thread_count(line.threads);
  install_signal_handlers();
  return line.command();
}

int guarded_main(int argc, char** argv) {
  CommandLine line;
  try {
    line.app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return line.app.exit(error);  // --help, --version
    print_to_stderr(fmt::format("error: {}\n", usage_error(line.app, error, argc, argv)));
    return static_cast<int>(ExitCode::bad_input);
  }
  const auto fail = [](ExitCode code, const char* what) {
    log::error("{}", what);
    return static_cast<int>(code);
  };
  try {
    const ExitCode code = dispatch(line);
    return std::fflush(stdout) == 0 ? static_cast<int>(code)
                                    : fail(ExitCode::io, "standard output: cannot be written");
  } catch (const InputError& error) {
    return fail(ExitCode::bad_input, error.what());
  } catch (const IoError& error) {
    return fail(ExitCode::io, error.what());
  } catch (const std::bad_alloc&) {
    return fail(ExitCode::bad_input, "not enough memory for this scenario");
  } catch (const std::filesystem::filesystem_error& error) {
    return fail(ExitCode::io, error.what());
  } catch (
      const std::system_error& error) {  // fmt::print, when a disk is full or the reader of a pipe has gone
    return fail(ExitCode::io, fmt::format("standard output: {}", error.what()).c_str());
  } catch (const std::exception& error) {
    return fail(ExitCode::bug, fmt::format("{} (this is a bug in Hardpan)", error.what()).c_str());
  }
}

}  // namespace
}  // namespace hardpan::app

int main(int argc, char** argv) { return hardpan::app::guarded_main(argc, argv); }
