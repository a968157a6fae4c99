#include "bench/piles/pile.h"

#include "hardpan/core/error.h"
#include "hardpan/core/parallel.h"
#include "hardpan/couple/body_contact.h"

namespace hardpan::bench {
namespace {

multibody::Body body(const geometry::PlacedShape& placed, double mass) {
  multibody::Body body;
  body.fixed = mass == 0;
  body.pose = placed.pose;
  body.shapes = {{placed.shape, {}}};
  if (!body.fixed) {
    body.mass = mass;
    body.inertia = mass * geometry::solid(placed.shape).inertia;
  }
  return body;
}

multibody::Model bodies_of(const Pile& pile) {
  multibody::Model model;
  model.gravity = pile.gravity;
  for (const Pose& pose : pile.start) model.bodies.push_back(body({pile.shape, pose}, pile.mass));
  for (const geometry::PlacedShape& placed : pile.ground) model.bodies.push_back(body(placed, 0));
  for (std::size_t i = 0; i < model.bodies.size(); ++i) model.bodies[i].name = std::to_string(i);
  return model;
}

couple::ContactModel contacts_of(const multibody::Model& bodies, double friction, double step) {
  couple::ContactModel model;
  model.materials = {"stone"};
  // Of a depth, 4/(1 + 4 tau/h) = 0.2 is taken back in a step, as by Bullet.
  model.laws = {{.friction = friction, .relaxation_time = 4.75 * step}};
  for (std::size_t i = 0; i < bodies.bodies.size(); ++i)
    model.surfaces.push_back({multibody::BodyId(i), bodies.bodies[i].shapes[0]});
  return model;
}

class HardpanEngine final : public Engine {
 public:
  HardpanEngine(const Pile& pile, int threads)
      : threads_(threads),
        bodies_(bodies_of(pile)),
        contacts_(contacts_of(bodies_.model(), pile.friction, pile.step), bodies_),
        // Tolerance 0: all sweeps are done.
        stepper_(pile.step, {&bodies_, &contacts_},
                 {.kind = solve::SolverKind::pgs, .max_iterations = pile.sweeps, .tolerance = 0}) {}

  void step() override {
    set_thread_count(threads_);
    const solve::StepReport report = stepper_.step();
    HARDPAN_CHECK(report.ok, report.reason);
  }
  Motion motion(std::size_t i) const override {
    const multibody::BodyId id(i);
    return {bodies_.pose(id), bodies_.state().velocity[i], bodies_.angular_velocity(id)};
  }
  std::size_t contacts() const override { return contacts_.touches().size(); }
  const solve::Problem* problem() const override { return &stepper_.problem(); }
  Times times() override {
    Times times;
    for (const Profiler::Phase& phase : stepper_.profiler().phases()) {
      double& part = phase.name == "prepare"                             ? times.detect
                     : phase.name == "impact"                            ? times.impact
                     : phase.name == "assemble" || phase.name == "solve" ? times.solve
                                                                         : times.rest;
      part += phase.seconds;
    }
    return times;
  }

 private:
  int threads_;
  multibody::System bodies_;
  couple::BodyContact contacts_;
  solve::Stepper stepper_;
};

}  // namespace

std::unique_ptr<Engine> hardpan_engine(const Pile& pile, int threads) {
  return std::make_unique<HardpanEngine>(pile, threads);
}

}  // namespace hardpan::bench
