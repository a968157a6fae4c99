// The books of energy and momentum, kept every step.
//
// A step is a kick at the present poses followed by a drift that keeps kinetic energy. The kick's impulses J
// give
//     dT = sum J . (V- + V+)/2        exactly,
// so each account's `work` is what it gave to the bodies, and the sum of works is the change of kinetic
// energy to rounding. What an account gave and neither stored nor dissipated is `lost`: the error of time
// integration, of either sign, vanishing with the step. Over all accounts
//     kinetic + stored + dissipated + lost = initial + work of loads and motors.
#pragma once

#include <array>
#include <span>

#include "hardpan/math/types.h"

namespace hardpan::multibody {

struct EnergyAccount {
  double work = 0;        // done on the bodies so far, J
  double stored = 0;      // now, J
  double dissipated = 0;  // so far, by physical damping, >= 0, J
  double lost = 0;        // so far, J

  void add(const EnergyAccount& other) {
    work += other.work;
    stored += other.stored;
    dissipated += other.dissipated;
    lost += other.lost;
  }
};

struct Ledger {
  double kinetic = 0;      // J
  EnergyAccount gravity;   // stored: potential energy against the world's origin
  EnergyAccount joints;    // stored: the smaller of eps f^2/2 and g^2/(2 eps) of each joint; equal at rest
  EnergyAccount springs;   // stored: k g^2/2
  EnergyAccount loads;     // only work
  EnergyAccount motors;    // only work
  EnergyAccount friction;  // dissipated: all of what it took
  EnergyAccount impacts;   // dissipated: likewise
  EnergyAccount contacts;  // of other subsystems (couple): zero in the books of the bodies alone
  EnergyAccount grains;    // likewise, but for the work that grains did on bodies
  EnergyAccount solids;    // likewise; stored: elastic, and potential energy against the start
  // Energy that legitimately went round: initial plus |work| of gravity, loads and motors, J.
  double turnover = 0;

  Vec3 momentum = Vec3::Zero();          // of all moving bodies, kg m/s
  Vec3 angular_momentum = Vec3::Zero();  // about the world's origin, kg m^2/s
  Vec3 impulse = Vec3::Zero();  // initial momentum plus all outside impulses; equals momentum to rounding
  Vec3 angular_impulse = Vec3::Zero();

  double stored() const {
    return gravity.stored + joints.stored + springs.stored + contacts.stored + grains.stored + solids.stored;
  }
  double total() const { return kinetic + stored(); }
  double work() const { return loads.work + motors.work; }
  double dissipated() const {
    return springs.dissipated + friction.dissipated + impacts.dissipated + contacts.dissipated +
           grains.dissipated + solids.dissipated;
  }
  double lost() const {
    return gravity.lost + joints.lost + springs.lost + impacts.lost + contacts.lost + grains.lost +
           solids.lost;
  }

  static constexpr std::size_t size = 2 + 10 * 4 + 4 * 3;
  std::array<double, size> pack() const;
  static Ledger unpack(std::span<const double> values);
};

}  // namespace hardpan::multibody
