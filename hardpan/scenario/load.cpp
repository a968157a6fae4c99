#include <fmt/core.h>

#include "hardpan/core/hash.h"
#include "hardpan/scenario/experiment_kinds.h"
#include "hardpan/scenario/ground.h"
#include "hardpan/scenario/initial.h"
#include "hardpan/scenario/language.h"
#include "hardpan/scenario/run.h"
#include "hardpan/scenario/shape_kinds.h"
#include "hardpan/scenario/yaml_reader.h"

namespace hardpan::scenario {

Scenario finished(const Value& tree, std::string name) {
  Scenario scenario;
  scenario.name = std::move(name);
  Value all = expanded(tree);
  choose_solver(all);
  scenario.resolved = resolve(language(), all);
  scenario.text = to_yaml(scenario.resolved);
  scenario.hash = checksum(scenario.text + checksums_of_files(scenario.resolved));
  return scenario;
}

namespace {

// Its preparation must hold, too.
Scenario checked(Scenario scenario) {
  std::optional<Scenario> stage = preparation_of(scenario);
  while (stage) stage = preparation_of(*stage);
  return scenario;
}

}  // namespace

Scenario load(const std::filesystem::path& file, const std::vector<std::string>& assignments) {
  Value tree = read_scenario(file);
  for (const std::string& assignment : assignments) apply_override(tree, assignment);
  return checked(finished(tree, file.stem().string()));
}

Scenario load_text(std::string_view yaml, const std::string& name) {
  return checked(finished(parse_yaml(yaml, name), name));
}

}  // namespace hardpan::scenario
