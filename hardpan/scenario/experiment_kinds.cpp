#include "hardpan/scenario/experiment_kinds.h"

#include <algorithm>

#include "hardpan/core/error.h"
#include "hardpan/scenario/ground.h"
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

// What is wrong with them, the whole scenario will tell.
Surroundings surroundings_of(const Value& tree) {
  Surroundings around;
  const Value* gravity = tree.find("gravity");
  if (gravity && gravity->is(Value::Type::list) && gravity->items().size() == 3 &&
      gravity->items()[2].is(Value::Type::number))
    around.gravity = -gravity->items()[2].number();
  around.rigid = asks_for_rigid_grains(tree);
  return around;
}

}  // namespace

const std::vector<ExperimentEntry>& experiment_kinds() {
  static const std::vector<ExperimentEntry> all = {
      direct_shear_experiment(),     periodic_shear_experiment(), pressure_sinkage_experiment(),
      single_wheel_experiment(),     repose_experiment(),         silo_experiment(),
      silo_pressure_experiment(),    triaxial_experiment(),       uniaxial_stretch_experiment(),
      hydrostatic_experiment(),      oedometer_experiment(),      triaxial_solid_experiment(),
      strip_footing_experiment(),    wheel_rig_experiment(),      beam_bending_experiment(),
      cone_penetrometer_experiment()};
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
  Value all = parse_yaml(entry->yaml(resolved, surroundings_of(tree)), "experiment " + kind);
  Value own = tree;
  own.erase("experiment");
  merge(all, own);
  return all;
}

}  // namespace hardpan::scenario
