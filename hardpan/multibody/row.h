// One scalar equation of the step: a relation (where it acts) and a law (with what force).
#pragma once

#include <limits>

#include "hardpan/math/types.h"

namespace hardpan::multibody {

inline constexpr double infinite = std::numeric_limits<double>::infinity();

// A scalar function of the poses of two bodies, and its slope: d(value)/dt = jacobian_a (v, omega)_a +
// jacobian_b (v, omega)_b, world frame.
struct Relation {
  double value = 0;  // m or rad
  Vec6 jacobian_a = Vec6::Zero();
  Vec6 jacobian_b = Vec6::Zero();
};

// Who keeps the energy of a row: `joint` rows are meant to be rigid, `spring` rows store and dissipate,
// `motor` rows bring energy from outside, `friction` rows turn it into heat.
enum class Account { joint, spring, motor, friction };

// The force along a relation with rate r = G v. With a finite compliance (SPOOK, solve/spook.h)
//     f = -(1/eps) [ g + tau (r - speed) ]
// and with an infinite one
//     f = force - damping (r - speed),
// both taken at the end of the step and held between `lower` and `upper`.
struct Law {
  double violation = 0;          // g, in m or rad
  double compliance = infinite;  // eps > 0, in m/N or rad/(N m)
  double relaxation_time = 0;    // tau, in s
  double force = 0;              // N or N m
  double damping = 0;            // N s/m or N m s/rad; also what the books call dissipation in a spring
  double speed = 0;              // m/s or rad/s
  double lower = -infinite;      // N or N m
  double upper = infinite;
  double stored = 0;  // energy of a spring at this violation, J
  Account account = Account::joint;
  bool resists = false;     // all of its force is dissipation: a damper by a curve
  bool dead_stop = false;   // forgets the rate it starts with: sticks at once, without swinging
  bool soft = false;        // has no time to act in an impact
  double restitution = -1;  // of a stop that has been reached; negative: no stop, or not reached

  bool elastic() const { return compliance != infinite; }
  bool given() const { return lower == upper || (!elastic() && damping == 0); }  // the force is known
  bool holds() const {
    return elastic() && account == Account::joint && lower == -infinite && upper == infinite;
  }
};

// A row of a joint: between two bodies.
struct Row : Relation, Law {};

// Compliance and relaxation time of rigid rows.
struct Rigidity {
  double compliance = 1e-10;   // m/N or rad/(N m)
  double relaxation_time = 0;  // s
  bool soft = false;           // a bushing: its energy is booked like that of a spring
};

// Spring k with damper c; k = 0 leaves the damper alone.
inline void make_spring(Law& law, double violation, double stiffness, double damping) {
  law.account = Account::spring;
  law.violation = violation;
  law.damping = damping;
  law.compliance = stiffness > 0 ? 1.0 / stiffness : infinite;
  law.relaxation_time = stiffness > 0 ? damping / stiffness : 0.0;
  law.stored = 0.5 * stiffness * violation * violation;
}

inline void make_rigid(Law& law, double violation, const Rigidity& rigidity) {
  law.account = rigidity.soft ? Account::spring : Account::joint;
  law.soft = rigidity.soft;
  law.violation = violation;
  law.compliance = rigidity.compliance;
  law.relaxation_time = rigidity.relaxation_time;
  law.damping = rigidity.soft ? rigidity.relaxation_time / rigidity.compliance : 0.0;
  law.stored = rigidity.soft ? 0.5 * violation * violation / rigidity.compliance : 0.0;
}
inline void make_rigid(Row& row, const Rigidity& rigidity) { make_rigid(row, row.value, rigidity); }

// A row that holds a rate, not a place (nonholonomic, "Pfaffian"; a speed motor): a damper that in a second
// yields as far as the compliance would under the same force, whatever the step.
inline void make_rate(Law& law, const Rigidity& rigidity) {
  constexpr double second = 1;
  law.account = Account::joint;
  law.compliance = infinite;
  law.damping = second / rigidity.compliance;
}

}  // namespace hardpan::multibody
