// Clumps in time: leapfrog as for single grains, with angular momentum in the place of spin,
//
//     v(t + h/2) = v(t - h/2) + h F(t)/m,    L(t + h/2) = L(t - h/2) + h M(t)
//     x(t + h) = x(t) + h v(t + h/2)
//
// and the orientation moved on with L(t + h/2) kept: rotations about the principal axes 1, 2, 3, 2, 1 by
// h/2, h/2, h, h/2, h/2 times L_k/I_k, of second order, symmetric, exact in L (Dullweber, Leimkuhler &
// McLachlan, J. Chem. Phys. 107 (1997) 5840-5851). The spin between two orientations is that of the one
// halfway.
//
// Members are spheres like others in all but their motion: they have the velocity and the spin of the body,
//
//     v_k = (x_k(t + h) - x_k(t))/h,     omega = I^-1 L
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "hardpan/core/archive.h"
#include "hardpan/grains/clump.h"
#include "hardpan/grains/space.h"
#include "hardpan/grains/state.h"

namespace hardpan::grains {

// By clumps in the order of the model; motion half a step before, once under way.
struct ClumpState {
  Columns position, velocity, angular_momentum, spin;
  std::vector<Quat> orientation;
};

class Clumps {
 public:
  Clumps() = default;
  explicit Clumps(std::span<const Clump> clumps);

  std::size_t size() const { return mass_.size(); }
  std::size_t members() const { return offset_.size(); }
  const ClumpState& state() const { return state_; }
  double mass(std::size_t clump) const { return mass_[clump]; }
  std::uint32_t clump_of(std::size_t member) const { return clump_of_[member]; }
  std::uint32_t place(std::size_t member) const { return place_[member]; }  // in the present order
  Vec position_of(std::size_t member) const;
  Vec velocity_of(std::size_t member) const;

  // Where in the present order the members are: ids from `first` on are theirs.
  void find_members(std::span<const std::uint32_t> id, std::size_t first);
  void wrap(const Space& space);
  void load(std::size_t member, const Vec& force, const Vec& torque) {
    force_[member] = force;
    torque_[member] = torque;
  }
  // After all members were loaded: the clumps, and the members in `grains`.
  void move(double h, double kick, const Vec& gravity, const Space& space, State& grains);

  double kinetic_energy() const;
  Vec momentum() const;

  void save(Archive& archive) const;
  void restore(const Archive& archive);

 private:
  void move_one(std::size_t c, double h, double kick, const Vec& gravity, const Space& space, State& grains);

  ClumpState state_;

  // Of the model.
  std::vector<double> mass_;
  std::vector<Vec> inertia_;
  std::vector<std::uint32_t> start_ = {0};  // the members of each, and the end
  std::vector<Vec> offset_;
  std::vector<std::uint32_t> clump_of_;

  // Workspace.
  std::vector<std::uint32_t> place_;  // of each member in the present order
  std::vector<Vec> force_, torque_;   // on each member, about its centre
};

}  // namespace hardpan::grains
