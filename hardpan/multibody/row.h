// One scalar equation between two bodies, as a joint hands it to the step.
#pragma once

#include <limits>

#include "hardpan/math/rotation.h"
#include "hardpan/math/types.h"
#include "hardpan/multibody/pose.h"

namespace hardpan::multibody {

// Who keeps the energy of a row: `joint` rows are meant to be rigid, `spring` rows store and dissipate.
enum class Account { joint, spring };

struct Row {
  double violation = 0;            // g, in m or rad
  Vec6 jacobian_a = Vec6::Zero();  // dg/dt = jacobian_a (v, omega)_a + jacobian_b (v, omega)_b, world frame
  Vec6 jacobian_b = Vec6::Zero();
  double compliance = 0;       // eps > 0, in m/N or rad/(N m); infinite: a damper alone
  double relaxation_time = 0;  // tau, in s; damping = tau/eps
  double damping = 0;          // of a damper alone, N s/m or N m s/rad
  Account account = Account::joint;

  bool damper_only() const { return compliance == std::numeric_limits<double>::infinity(); }
};

// Compliance and relaxation time of rigid rows.
struct Rigidity {
  double compliance;       // m/N or rad/(N m)
  double relaxation_time;  // s
  bool soft = false;       // a bushing: its energy is booked like that of a spring
};

// Spring k with damper c as a row; k = 0 leaves the damper alone.
inline void make_spring(Row& row, double stiffness, double damping) {
  row.account = Account::spring;
  row.damping = damping;
  row.compliance = stiffness > 0 ? 1.0 / stiffness : std::numeric_limits<double>::infinity();
  row.relaxation_time = stiffness > 0 ? damping / stiffness : 0.0;
}

inline void make_rigid(Row& row, const Rigidity& rigidity) {
  row.account = rigidity.soft ? Account::spring : Account::joint;
  row.compliance = rigidity.compliance;
  row.relaxation_time = rigidity.relaxation_time;
  row.damping = rigidity.soft ? rigidity.relaxation_time / rigidity.compliance : 0.0;
}

}  // namespace hardpan::multibody
