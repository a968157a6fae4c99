// Grains among bodies: a subsystem that steps grains, in steps of their own, and gives to bodies what they
// push.
//
// Grains need steps far shorter than machines. So a step h of the machine holds n = ceil(h/h_g) steps of the
// grains, in which bodies move on with the velocities that they have at its beginning; the impulses that
// grains give them add up, and the machine takes the sum at once. Action and reaction are one number:
// momentum is exact. The coupling is explicit: a body of mass m on contacts of stiffness k goes by
//
//     v+ = v - (h k/m) (x + h v/2),     x+ = x + h v+
//
// which is stable for h < sqrt(2 m/k). A step that is longer fails and says so.
//
// A grain meets a surface as it meets a grain without end: R* = r; m* with the mass of the body, if that
// moves. Where a grain touches several places of one surface, its memories belong to them in the order of
// their features.
//
// Grains move before anybody knows whether the machine can. What they do follows from their state and from
// the motion of the bodies alone. So it is enough to keep them seldom, and of every step since then what
// bodies did: a step that fails is taken back by going the others again.
#pragma once

#include <optional>
#include <vector>

#include "hardpan/core/shelf.h"
#include "hardpan/couple/contact_model.h"
#include "hardpan/couple/wall_finder.h"
#include "hardpan/geometry/aabb.h"
#include "hardpan/geometry/collide.h"
#include "hardpan/grains/system.h"
#include "hardpan/multibody/system.h"
#include "hardpan/solve/stepper.h"

namespace hardpan::couple {

struct GrainBedModel {
  grains::Model grains;
  std::vector<Surface> surfaces;         // of bodies
  std::size_t materials = 1;             // of surfaces
  std::vector<material::GrainLaw> laws;  // grain materials x surface materials
  double step = 0;                       // h_g at most, > 0, s
  geometry::Aabb world;                  // a grain that leaves it fails the step; empty: no end
  double max_energy_growth = 1;          // likewise energy from nowhere, over what went round

  const material::GrainLaw& law(std::uint32_t grain, std::size_t surface) const {
    return laws[grain * materials + surface];
  }
};

class GrainBed final : public solve::Subsystem {
 public:
  // Grains are kept every so many steps of the machine: that takes as long as one of these.
  static constexpr std::size_t seldom = 250;

  // The bodies must outlive it, and come before it in the list of subsystems. Throws InputError on laws that
  // do not fit together.
  GrainBed(GrainBedModel model, multibody::System& bodies);

  const grains::System& grains() const { return grains_; }
  // But for the grains, which grains().model() has.
  const GrainBedModel& model() const { return model_; }
  // Force on a body in the last step, mean over it, world, N.
  Vec3 force(multibody::BodyId body) const { return forces_[body.index()]; }
  // Of grains alone, and of what they and the bodies did to each other.
  void add_to(multibody::Ledger& books) const;

  void declare(solve::Problem&) override {}
  bool prepare(double time, double h) override;
  solve::StepReport predict(double, double, solve::Problem&) override { return {}; }
  void assemble(double, solve::Problem&) override {}
  solve::StepReport advance(double h, std::span<const double> impulse,
                            std::span<const double> lambda) override;
  void commit() override;
  void take_back() override;
  void begin() override;
  void save(Archive& archive) const override;
  void restore(const Archive& archive) override;

 private:
  // Of a body.
  struct Place {
    Pose pose;
    Vec3 velocity = Vec3::Zero(), spin = Vec3::Zero();

    // If nothing pushes it.
    Place later(double time) const;
  };
  struct MachineStep {
    double h;
    std::vector<Place> moving;  // bodies that do, where it begins
  };

  Place place(multibody::BodyId body) const;
  void place_bodies(const MachineStep& step, double time);
  const MachineStep& note_step(double h);
  template <class Taken>
  void step_grains(const MachineStep& step, const Taken& taken);
  void prepare_walls();
  void give_back(double duration);
  std::string coupling_fault(double h) const;
  std::string stray_fault(const grains::Gathered& all) const;
  std::string energy_fault(double kinetic) const;

  GrainBedModel model_;
  multibody::System& bodies_;
  grains::System grains_;
  std::vector<WallFinder> finders_;            // of each surface
  std::vector<material::GrainLaw> wall_laws_;  // materials of surfaces x those of grains
  std::vector<grains::Wall> walls_;            // of each surface
  std::optional<Shelf> kept_;                  // grains, some steps of the machine ago
  std::vector<MachineStep> since_;             // those steps, the present one included
  std::vector<Vec3> forces_, next_forces_;

  // Workspace.
  std::vector<Place> places_;      // of bodies, now
  std::vector<double> stiffness_;  // of all that touches a body, the largest within the step, N/m
  std::vector<double> now_stiff_;  // likewise, in one step of the grains
  std::vector<Pose> poses_;        // of surfaces, now
};

}  // namespace hardpan::couple
