// From a resolved scenario to a simulation that can step.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "hardpan/couple/body_contact.h"
#include "hardpan/couple/grain_bed.h"
#include "hardpan/couple/solid_contact.h"
#include "hardpan/lab/measurement.h"
#include "hardpan/meshfree/solid.h"
#include "hardpan/multibody/system.h"
#include "hardpan/scenario/solid.h"
#include "hardpan/scenario/value.h"
#include "hardpan/solve/stepper.h"

namespace hardpan::scenario {

struct Simulation {
  Simulation(multibody::Model model, couple::ContactModel contacts, std::optional<couple::GrainBedModel> soil,
             std::optional<SolidGround> solid, double step, std::int64_t step_count,
             const solve::SolverOptions& solver);
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  multibody::Ledger ledger() const;  // of all

  multibody::System bodies;
  couple::BodyContact contacts;
  std::unique_ptr<couple::GrainBed> grains;              // if there are any
  std::unique_ptr<meshfree::Solid> solid;                // if there is one
  std::unique_ptr<couple::SolidContact> solid_contacts;  // of it with bodies
  solve::Stepper stepper;
  std::int64_t step_count;                  // steps of the whole run
  std::unique_ptr<lab::Recording> measure;  // if anything is measured

  lab::World world() const {
    return {bodies,        contacts, stepper.step_size(), grains.get(), solid.get(), solid_contacts.get(),
            stepper.time()};
  }

 private:
  std::vector<solve::Subsystem*> subsystems();
};

// The number of steps that reach `end`: a last step that would be shorter than 1e-6 of itself is left out.
std::int64_t step_count(double end, double step);

// Of a step of this length, with the tolerance of forces where none is given.
solve::SolverOptions solver_options(const Value& solver, double step, double usual_force_tolerance = 0);

// `resolved` must come from resolve(): every key is there, every reference holds. Throws InputError where
// only the numbers together tell (a spin too fast for the step).
std::unique_ptr<Simulation> build(const Value& resolved);

}  // namespace hardpan::scenario
