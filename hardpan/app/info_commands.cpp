#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "hardpan/app/commands.h"
#include "hardpan/app/library.h"
#include "hardpan/core/text.h"
#include "hardpan/record/run_reader.h"
#include "hardpan/record/vtk.h"
#include "hardpan/scenario/build.h"
#include "hardpan/scenario/language.h"
#include "hardpan/scenario/run.h"
#include "hardpan/scenario/schema.h"

namespace hardpan::app {
namespace {

namespace fs = std::filesystem;

// Title of a scenario, or why it cannot be read.
std::string title_of(const fs::path& file) {
  try {
    return scenario::load(file).resolved.at("title").text();
  } catch (const std::exception&) {
    return "(not a valid scenario: see 'hardpan validate')";
  }
}

// Steps per period that follow from the stiffest spring on its lighter body, and the fastest spin: guides to
// accuracy.
void print_step_advice(const scenario::Simulation& simulation) {
  const multibody::Model& model = simulation.bodies.model();
  const double h = simulation.stepper.step_size();
  double fastest_spin = 0, stiffest = 0;
  std::string spinner, spring;
  for (const multibody::Body& body : model.bodies)
    if (body.angular_velocity.norm() > fastest_spin) {
      fastest_spin = body.angular_velocity.norm();
      spinner = body.name;
    }
  const auto& lines = std::get<std::vector<multibody::LineJoint>>(model.joints);
  for (const auto& elastic : std::get<std::vector<multibody::Elastic>>(model.couplings)) {
    const multibody::CoordinateRef& along = elastic.axes[0].terms[0].coordinate;
    if (along.pool != multibody::PlaceIn<multibody::LineJoint, multibody::JointPools>::value) continue;
    const multibody::LineJoint& joint = lines[along.index];
    double inverse_mass = 0;
    for (multibody::BodyId id : {joint.ends.a, joint.ends.b})
      if (id.valid() && !model.bodies[id.index()].fixed) inverse_mass += 1.0 / model.bodies[id.index()].mass;
    const double omega = std::sqrt(elastic.stiffness * inverse_mass);
    if (omega > stiffest) {
      stiffest = omega;
      spring = joint.ends.name;
    }
  }
  if (fastest_spin > 0)
    fmt::print("fastest initial spin      {:.4g} rad per step (body {}); the step allows about 1\n",
               h * fastest_spin, spinner);
  if (stiffest > 0)
    fmt::print(
        "stiffest spring           {:.4g} rad per step (joint {}); stable along its line at any, accurate "
        "below about 0.3\n",
        h * stiffest, spring);
}

void print_grains(const scenario::Simulation& simulation) {
  const couple::GrainBedModel& model = simulation.grains->model();
  const double h = simulation.stepper.step_size(), parts = std::ceil(h / model.step * (1 - 1e-12));
  const grains::System& grains = simulation.grains->grains();
  fmt::print(
      "grains                    {} spheres{}\n", grains.size(),
      grains.clumps().size() == 0 ? "" : fmt::format(", with those of {} clumps", grains.clumps().size()));
  fmt::print("steps of the grains       {} of {:.3g} s in each step\n", parts, h / parts);
}

void print_solid(const scenario::Simulation& simulation) {
  const meshfree::SolidModel& model = simulation.solid->model();
  double fastest = 0;
  for (const meshfree::SolidMaterial& material : model.materials)
    fastest =
        std::max(fastest, std::sqrt((material.law.bulk + 4.0 / 3.0 * material.law.shear) / material.density));
  fmt::print("solid                     {} particles, {:.4g} m apart\n", model.cloud.size(),
             model.cloud.spacing);
  fmt::print("waves in the solid        {:.4g} spacings per step; stable at any, accurate below about 0.5\n",
             fastest * simulation.stepper.step_size() / model.cloud.spacing);
}

}  // namespace

ExitCode validate_command(const std::string& name, const std::vector<std::string>& assignments) {
  const scenario::Scenario scenario = scenario::load(find_scenario(name), assignments);
  const auto simulation = scenario::build(scenario.resolved);
  const multibody::Model& model = simulation->bodies.model();
  const auto moving =
      std::count_if(model.bodies.begin(), model.bodies.end(), [](const auto& b) { return !b.fixed; });
  const auto rigid = static_cast<std::ptrdiff_t>(model.grains);
  const std::size_t rows = simulation->bodies.rows().size(), laws = simulation->bodies.laws().size();
  const std::size_t velocities = simulation->stepper.problem().velocities();
  const std::size_t grains = simulation->grains ? simulation->grains->grains().size() : 0;
  const std::size_t particles = simulation->solid ? simulation->solid->size() : 0;
  const double memory = 2e3 * static_cast<double>(model.bodies.size() + model.shafts.size()) +
                        1.5e3 * static_cast<double>(rows + laws) + 3e3 * static_cast<double>(grains) +
                        5e4 * static_cast<double>(particles);  // with what solvers keep of its rows
  fmt::print("{}: valid\n", name);
  fmt::print("bodies                    {} ({} moving)\n", model.machine().size(), moving - rigid);
  fmt::print("joints                    {} ({} rows)\n", simulation->bodies.joints().size(), rows);
  fmt::print("shafts                    {}\n", model.shafts.size());
  fmt::print("couplings, motors, laws   {} ({} rows)\n", simulation->bodies.couplings().size(), laws);
  fmt::print("loads                     {}\n", model.loads.size());
  fmt::print("unknowns per step         {} velocities, {} impulses\n", velocities, rows + laws);
  fmt::print("steps                     {} of {} s\n", simulation->step_count,
             shortest(simulation->stepper.step_size()));
  if (grains > 0) print_grains(*simulation);
  if (rigid > 0) fmt::print("grains                    {} rigid\n", rigid);
  if (particles > 0) print_solid(*simulation);
  fmt::print("expectations              {}\n", scenario.resolved.at("expect").items().size());
  fmt::print("memory, about             {:.3g} MB\n", memory / 1e6);
  print_step_advice(*simulation);
  return ExitCode::done;
}

ExitCode list_command() {
  std::string folder;
  for (const NamedScenario& scenario : scenario_library()) {
    const std::string parent = scenario.file.parent_path().filename().string();
    if (parent != folder) fmt::print("{}{}\n", folder.empty() ? "" : "\n", parent);
    folder = parent;
    fmt::print("  {:<28} {}\n", scenario.name, title_of(scenario.file));
  }
  fmt::print("\nhardpan run NAME runs one, hardpan describe NAME --expanded shows it whole.\n");
  return ExitCode::done;
}

ExitCode describe_command(const std::string& name, bool expanded) {
  if (name.empty()) {
    fmt::print("What can be described (hardpan describe NAME):\n");
    for (const scenario::Topic& topic : scenario::describable_names(scenario::language()))
      fmt::print("  {:<24} {}\n", topic.name, topic.doc);
    return ExitCode::done;
  }
  const auto is_called = [&](const auto& thing) { return thing.name == name; };
  const auto library = scenario_library();
  const auto topics = scenario::describable_names(scenario::language());
  const bool known = std::any_of(library.begin(), library.end(), is_called);
  if (!expanded && std::any_of(topics.begin(), topics.end(), is_called)) {
    fmt::print("{}", scenario::describe(scenario::language(), name));
    if (known) fmt::print("\nA scenario has this name too: hardpan describe {} --expanded shows it.\n", name);
    return ExitCode::done;
  }
  if (known || fs::is_regular_file(name)) {
    const scenario::Scenario scenario = scenario::load(find_scenario(name));
    if (expanded) {
      fmt::print("{}", scenario.text);
      return ExitCode::done;
    }
    fmt::print("{}: {}\n{}\n", name, scenario.resolved.at("title").text(), find_scenario(name).string());
    return validate_command(name, {});
  }
  if (expanded)
    throw InputError(fmt::format("--expanded needs a scenario, and there is none named '{}'", name));
  fmt::print("{}", scenario::describe(scenario::language(), name));
  return ExitCode::done;
}

ExitCode schema_command() {
  fmt::print("{}\n", scenario::json_schema(scenario::language()));
  return ExitCode::done;
}

ExitCode manual_command() {
  fmt::print("{}", scenario::markdown(scenario::language()));
  return ExitCode::done;
}

ExitCode export_command(const std::string& folder, const std::string& out) {
  const record::RunReader reader{fs::path(folder)};
  const fs::path target = out.empty() ? fs::path(folder) / "vtk" : fs::path(out);
  const std::size_t frames = record::export_vtk(reader, target);
  fmt::print("{} frames in {}\n", frames, target.string());
  return ExitCode::done;
}

}  // namespace hardpan::app
