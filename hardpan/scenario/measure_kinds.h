// Kinds of measurement: `measure` as scenarios know it, and what it becomes.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "hardpan/lab/measurement.h"
#include "hardpan/scenario/spec.h"

namespace hardpan::scenario {

struct MeasureEntry {
  Object description;
  lab::Measurement (*build)(const Value& keys, const multibody::Model& bodies);
};
const std::vector<MeasureEntry>& measure_kinds();
MeasureEntry solid_block_entry();
MeasureEntry footing_entry();
MeasureEntry beam_bending_entry();
MeasureEntry cone_penetrometer_entry();

Field every();                                  // of a measurement, s
Field body(const char* name, const char* doc);  // one of the scenario's
multibody::BodyId body_of(const Value& name, const multibody::Model& model);

Type measure_type();

// Names of the metrics of a scenario's measurement; none where it has none.
std::vector<std::string> metric_names(const Value& scenario);

// Nothing where the scenario measures nothing.
std::unique_ptr<lab::Recording> recording(const Value& scenario, const multibody::Model& bodies);

}  // namespace hardpan::scenario
