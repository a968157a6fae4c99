// Experiments are short for longer scenarios: `experiment` becomes bodies, joints, ground and all the rest,
// and what the file says besides lies on top of that.
#pragma once

#include <string>
#include <vector>

#include "hardpan/scenario/spec.h"

namespace hardpan::scenario {

// What the rest of the file says, as far as it matters.
struct Surroundings {
  double gravity = 9.81;  // downwards, m/s^2
  bool rigid = false;     // ground.model: grains-complementarity
};

struct ExperimentEntry {
  Object description;
  std::string (*yaml)(const Value& keys, const Surroundings& around);  // the scenario, of resolved keys
};
const std::vector<ExperimentEntry>& experiment_kinds();
ExperimentEntry direct_shear_experiment();
ExperimentEntry periodic_shear_experiment();
ExperimentEntry pressure_sinkage_experiment();
ExperimentEntry repose_experiment();
ExperimentEntry silo_experiment();
ExperimentEntry silo_pressure_experiment();
ExperimentEntry single_wheel_experiment();
ExperimentEntry triaxial_experiment();
ExperimentEntry uniaxial_stretch_experiment();
ExperimentEntry hydrostatic_experiment();
ExperimentEntry oedometer_experiment();
ExperimentEntry triaxial_solid_experiment();
ExperimentEntry strip_footing_experiment();
ExperimentEntry wheel_rig_experiment();
ExperimentEntry beam_bending_experiment();
ExperimentEntry cone_penetrometer_experiment();

Type experiment_type();

// A tree without `experiment`; one that has none is left as it is. InputError for bad keys of it.
Value expanded(const Value& tree);

}  // namespace hardpan::scenario
