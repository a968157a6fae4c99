// From a law (row.h) to the numbers of its row in the problem of a step of length h.
#pragma once

#include <algorithm>

#include "hardpan/multibody/row.h"
#include "hardpan/solve/block_rows.h"
#include "hardpan/solve/spook.h"

namespace hardpan::multibody {

// `rate` is how fast the relation changed over the drift that led here. Rows turn while the bodies drift, so
// over the next one it will not change by h G v+: `bend` is the difference,
//     (x(q + drift) - x(q))/h = G v+ + bend,
// which depends on the impulses and is found by solving the step again. Rows that know it hold a turning body
// where it belongs, and dampers see the speed there is.
inline solve::RowValues row_values(const Law& law, double h, double rate, double bend) {
  if (law.given()) {
    const double impulse = h * std::max(law.lower, std::min(law.upper, law.force));
    return {.sigma = 1, .rhs = 0, .lower = impulse, .upper = impulse};
  }
  const double relative = law.dead_stop ? 0.0 : rate - law.speed;
  const solve::RowTerms terms =
      law.elastic() ? solve::compliant_row(h, law.compliance, law.relaxation_time, law.violation, relative)
                    : solve::RowTerms{solve::damper_row(h, law.damping).sigma, law.force / law.damping};
  return {.sigma = terms.sigma,
          .rhs = terms.rhs + law.speed - bend,
          .lower = h * law.lower,
          .upper = h * law.upper};
}

// What the impact stage asks of a row: rigid rows hold, motors without bound keep their speed, stops that
// have been reached rebound by Newton's law, rate+ >= -e rate-, and the rest has no time to act. The law
// holds for stops that are just being left, too: with one e for all, kinetic energy then cannot grow.
// `share` of the restitution counts. Compliance has no time either: a trace of Sigma, measured by G A^-1 G^T
// (`mobility`), keeps redundant rows apart.
inline solve::RowValues impact_values(const Law& law, double share, double rate, double mobility) {
  constexpr double trace = 1e-8;
  const bool rigid =
      law.account == Account::joint || (law.account == Account::motor && law.upper == infinite);
  if (!rigid || law.soft || law.given() || !(mobility > 0))
    return {.sigma = 1, .rhs = 0, .lower = 0, .upper = 0};
  return {.sigma = trace * mobility,
          .rhs = law.restitution > 0 ? -share * law.restitution * rate : law.speed,
          .lower = law.lower == 0 ? 0.0 : -infinite,
          .upper = law.upper == 0 ? 0.0 : infinite};
}

}  // namespace hardpan::multibody
