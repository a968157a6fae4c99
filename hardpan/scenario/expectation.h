// `expect` makes a scenario a test: a metric, what it should be, and who says so.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "hardpan/scenario/watch.h"

namespace hardpan::scenario {

struct Expectation {
  std::string name;  // of the metric, with its unit: "bob_position_x_at_1s_m"
  std::string field, of, against;
  std::string metric;  // of the measurement, instead
  Reduce reduce = Reduce::final;
  double at = 0;                 // s
  double low = 0, high = 0;      // allowed
  std::optional<double> target;  // the `equals` of the file
  int halvings = 0;              // of the step
  std::optional<double> order;   // least observed order of convergence
  std::string source;
};

struct Outcome {
  double value = 0;             // of the run; extrapolated to step zero where the step was halved
  std::vector<double> values;   // at the step, half, a quarter ...
  std::optional<double> order;  // least order seen between successive halvings
  bool passed = false;
};

// The entries of `expect` of a resolved scenario; units and names come from the simulation's observables.
std::vector<Expectation> expectations(const Value& resolved, const Simulation& simulation);

// One watch per expectation.
std::vector<Watch> watches(const std::vector<Expectation>& expectations, const Simulation& simulation);

// Judges the values seen at the step and its halvings. The extrapolation is the polynomial through all of
// them at step zero (Neville); the order comes from the errors against `equals`, or from successive
// differences.
Outcome judge(const Expectation& expectation, const std::vector<double>& values);

}  // namespace hardpan::scenario
