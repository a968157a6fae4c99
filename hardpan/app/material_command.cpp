// Leads a point of soil along the paths of laboratory tests, and draws them.
#include <algorithm>
#include <cmath>
#include <filesystem>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "hardpan/app/commands.h"
#include "hardpan/app/library.h"
#include "hardpan/app/material_report.h"
#include "hardpan/core/file.h"
#include "hardpan/core/log.h"
#include "hardpan/core/text.h"
#include "hardpan/record/folder_room.h"
#include "hardpan/record/page.h"
#include "hardpan/record/run_folder.h"
#include "hardpan/scenario/run.h"
#include "hardpan/scenario/soil_materials.h"

namespace hardpan::app {
namespace {

namespace fs = std::filesystem;
using lab::MaterialPath;
using lab::PathKind;
using scenario::Value;

constexpr const char* surface_file = "surface.svg";

std::vector<std::string> path_names() {
  std::vector<std::string> names;
  for (const PathKind& kind : lab::path_kinds()) names.emplace_back(kind.name);
  return names;
}

std::vector<const PathKind*> chosen_paths(const std::vector<std::string>& asked) {
  std::vector<const PathKind*> kinds;
  for (const std::string& name : asked.empty() ? path_names() : asked) {
    const PathKind* kind = lab::find_path(name);
    if (!kind)
      throw InputError(fmt::format("--path: no path named '{}'{}; allowed: {}", name,
                                   did_you_mean(name, path_names()), join(path_names())));
    if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end()) kinds.push_back(kind);
  }
  return kinds;
}

// The one that is asked for, or the only one that is soil.
const Value::Entry& chosen_material(const scenario::Scenario& scenario, const fs::path& file,
                                    const std::string& asked) {
  std::vector<std::string> all, soils;
  for (const Value::Entry& entry : scenario.resolved.at("materials").entries()) {
    all.push_back(entry.key);
    if (entry.value.find("soil")) soils.push_back(entry.key);
  }
  if (asked.empty() && soils.size() != 1)
    throw InputError(fmt::format(
        "{}: {}", file.string(),
        soils.empty()
            ? "no material has 'soil' (hardpan describe materials); --of takes an elastic one, with young"
            : "several materials have 'soil': choose one by --of: " + join(soils)));
  const Value::Entry* entry = scenario.resolved.at("materials").find_entry(asked.empty() ? soils[0] : asked);
  if (!entry)
    throw InputError(fmt::format("{}: no material named '{}'{}; known: {}", file.string(), asked,
                                 did_you_mean(asked, all), all.empty() ? "none" : join(all)));
  if (!entry->value.find("young"))
    throw InputError(entry->value.mark(),
                     fmt::format("material '{}' has no young: nothing says how it deforms", entry->key));
  return *entry;
}

void check(const MaterialArguments& arguments) {
  if (arguments.strain && !(*arguments.strain != 0 && std::abs(*arguments.strain) < 0.5))
    throw InputError(
        fmt::format("--strain: {:g}, must lie between -0.5 and 0.5 and not be 0: Green and "
                    "Lagrange's strain is -0.5 where nothing is left",
                    *arguments.strain));
  if (arguments.confining && !(*arguments.confining >= 0 && std::isfinite(*arguments.confining)))
    throw InputError(fmt::format("--confining: {:g} Pa, must be at least 0", *arguments.confining));
  if (arguments.seed && *arguments.seed < 0)
    throw InputError(fmt::format("--seed: {}, must be at least 0", *arguments.seed));
}

// Elastic strains of a tenth along every axis are far beyond what the law is for.
void check_pressure(const MaterialArguments& arguments, const material::SoilLaw& law) {
  const double most = 0.3 * law.bulk;
  if (arguments.confining && *arguments.confining > most)
    throw InputError(fmt::format("--confining: {:g} Pa, must be at most 0.3 times the bulk modulus, {:g} Pa",
                                 *arguments.confining, most));
}

std::string command_of(const MaterialArguments& a) {
  std::string text = "hardpan material " + for_shell(a.scenario);
  if (!a.material.empty()) text += " --of " + for_shell(a.material);
  for (const std::string& path : a.paths) text += " --path " + path;
  if (a.strain) text += " --strain " + shortest(*a.strain);
  if (a.confining) text += " --confining " + shortest(*a.confining);
  if (a.steps != MaterialArguments().steps) text += fmt::format(" --steps {}", a.steps);
  if (a.seed) text += fmt::format(" --seed {}", *a.seed);
  for (const std::string& assignment : a.assignments) text += " --set " + for_shell(assignment);
  return text;
}

std::string csv_of(const MaterialPath& path) {
  const record::Table table = table_of(path);
  std::string text = record::csv_header(table.columns);
  for (const auto& row : table.rows) text += record::csv_row(row);
  return text;
}

std::string summary_of(const MaterialResults& results) {
  nlohmann::ordered_json summary = {{"title", results.title},
                                    {"scenario", results.scenario},
                                    {"material", results.material},
                                    {"command", results.command},
                                    {"paths", nlohmann::ordered_json::object()}};
  for (const MaterialPath& path : results.paths) {
    nlohmann::ordered_json& of_path = summary["paths"][path.kind->name];
    of_path = {{"status", path.complete ? "done" : "stopped"},
               {"strain", path.settings.strain},
               {"confining_Pa", path.settings.confining},
               {"metrics", nlohmann::ordered_json::object()}};
    for (const lab::Metric& metric : lab::metrics_of(path)) of_path["metrics"][metric.name] = metric.value;
  }
  return summary.dump(2) + "\n";
}

bool is_material_folder(const fs::path& folder) {
  std::error_code failed;
  const fs::path page = folder / record::report_name;
  return fs::is_regular_file(page, failed) && record::is_page(read_file(page), material_page_kind);
}

// The files of this command, also those whose writing was cut short.
bool is_our_file(std::string_view name) {
  if (name.ends_with(".tmp")) name.remove_suffix(4);
  if (name == record::report_name || name == record::summary_name || name == surface_file) return true;
  const std::vector<std::string> names = path_names();
  return std::any_of(names.begin(), names.end(),
                     [&](const std::string& path) { return name == path + ".csv" || name == path + ".svg"; });
}

bool is_leftover(std::string_view name) { return name.ends_with(".tmp") && is_our_file(name); }

void remove_earlier(const fs::path& folder) {
  record::io([&] {
    std::vector<fs::path> old;
    for (const auto& entry : fs::directory_iterator(folder))
      if (is_our_file(entry.path().filename().string())) old.push_back(entry.path());
    for (const fs::path& file : old) fs::remove(file);
    return true;
  });
}

// The page first: it tells whose folder this is.
void write(const MaterialResults& results, const fs::path& folder, bool force) {
  record::make_room(folder, force,
                    {"material results", "--force overwrites the results of 'hardpan material' in it",
                     is_material_folder, is_leftover});
  remove_earlier(folder);
  write_file_atomically(folder / record::report_name, material_page(results));
  write_file_atomically(folder / record::summary_name, summary_of(results));
  write_file_atomically(folder / surface_file, record::draw(results.material, surface_panels(results)));
  for (const MaterialPath& path : results.paths) {
    const std::string name = path.kind->name;
    write_file_atomically(folder / (name + ".csv"), csv_of(path));
    write_file_atomically(
        folder / (name + ".svg"),
        record::draw(fmt::format("{}, {}", results.material, name), panels_of(results.law, path)));
  }
}

void print_path(const MaterialPath& path) {
  fmt::print("\n{}: {}\n", path.kind->name, path.kind->doc);
  fmt::print("  {:<44} {:>16.9g}\n", path.kind->strain, path.settings.strain);
  if (path.kind->confined)
    fmt::print("  {:<44} {:>16.9g}\n", "confining_pressure_Pa", path.settings.confining);
  for (const lab::Metric& metric : lab::metrics_of(path))
    fmt::print("  {:<44} {:>16.9g}\n", metric.name, metric.value);
}

}  // namespace

ExitCode material_command(const MaterialArguments& arguments) {
  check(arguments);
  const std::vector<const PathKind*> kinds = chosen_paths(arguments.paths);
  const fs::path file = find_scenario(arguments.scenario);
  const scenario::Scenario scenario = scenario::load(file, arguments.assignments);
  const Value::Entry& material = chosen_material(scenario, file, arguments.material);
  MaterialResults results{scenario.resolved.at("title").text(),
                          file.string(),
                          material.key,
                          command_of(arguments),
                          scenario::soil_law_of(material.value),
                          {}};
  check_pressure(arguments, results.law);
  for (const PathKind* kind : kinds) {
    lab::PathSettings settings = lab::usual_settings(results.law, *kind);
    settings.strain = arguments.strain.value_or(settings.strain);
    if (kind->confined) settings.confining = arguments.confining.value_or(settings.confining);
    settings.steps = arguments.steps;
    settings.seed =
        static_cast<std::uint64_t>(arguments.seed.value_or(scenario.resolved.at("seed").integer()));
    results.paths.push_back(lab::drive(results.law, *kind, settings));
  }
  const fs::path folder =
      arguments.out.empty() ? fs::path("runs") / (scenario.name + "-material") : fs::path(arguments.out);
  write(results, folder, arguments.force);
  if (arguments.verbosity != Verbosity::quiet) {
    fmt::print("{}: {}\n", results.material, results.title);
    for (const MaterialPath& path : results.paths) print_path(path);
    fmt::print("\nresults in {}\nreport  in {}\n", folder.string(), (folder / record::report_name).string());
  }
  bool complete = true;
  for (const MaterialPath& path : results.paths) {
    complete = complete && path.complete;
    if (!path.complete) log::error("{}", stopped_in(path));
  }
  return complete ? ExitCode::done : ExitCode::diverged;
}

}  // namespace hardpan::app
