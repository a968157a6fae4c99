#include "hardpan/scenario/experiment_kinds.h"

#include <algorithm>

#include "hardpan/core/error.h"
#include "hardpan/scenario/merge.h"
#include "hardpan/scenario/yaml_reader.h"

namespace hardpan::scenario {
namespace {

// As much of the language as an experiment can refer to.
Object language_of_experiments() {
  Type anything = patch("material");
  return {.name = "scenario",
          .doc = "",
          .fields = {field("experiment", experiment_type(), "").must(),
                     field("materials", map_of(anything), "").by_default(Value::map())}};
}

// Downwards; what is wrong with it, the whole scenario will tell.
double gravity_of(const Value& tree) {
  const Value* gravity = tree.find("gravity");
  if (!gravity || !gravity->is(Value::Type::list) || gravity->items().size() != 3) return 9.81;
  const Value& z = gravity->items()[2];
  return z.is(Value::Type::number) ? -z.number() : 9.81;
}

}  // namespace

const std::vector<ExperimentEntry>& experiment_kinds() {
  static const std::vector<ExperimentEntry> all = {direct_shear_experiment(),     periodic_shear_experiment(),
                                                   repose_experiment(),           silo_experiment(),
                                                   silo_pressure_experiment(),    triaxial_experiment(),
                                                   uniaxial_stretch_experiment(), hydrostatic_experiment(),
                                                   oedometer_experiment(),        triaxial_solid_experiment(),
                                                   strip_footing_experiment()};
  return all;
}

Type experiment_type() {
  std::vector<Object> descriptions;
  for (const ExperimentEntry& entry : experiment_kinds()) descriptions.push_back(entry.description);
  return kinds("experiment", std::move(descriptions));
}

Value expanded(const Value& tree) {
  if (!tree.is(Value::Type::map) || !tree.find("experiment")) return tree;
  Value part = Value::map();
  part.set_place(tree.place());
  for (const char* key : {"experiment", "materials"})
    if (const Value::Entry* entry = tree.find_entry(key)) part.set(key, entry->value, entry->key_place);
  const Value resolved = resolve(language_of_experiments(), part).at("experiment");
  const std::string& kind = resolved.at("kind").text();
  const auto entry = std::ranges::find(experiment_kinds(), kind,
                                       [](const ExperimentEntry& e) { return e.description.name; });
  Value all = parse_yaml(entry->yaml(resolved, gravity_of(tree)), "experiment " + kind);
  Value own = tree;
  own.erase("experiment");
  merge(all, own);
  return all;
}

}  // namespace hardpan::scenario
