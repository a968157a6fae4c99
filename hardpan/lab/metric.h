// A number that an experiment ends with.
#pragma once

#include <string>

namespace hardpan::lab {

struct Metric {
  std::string name;  // with its unit: "peak_shear_stress_Pa"
  double value;
};

}  // namespace hardpan::lab
