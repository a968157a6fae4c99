#include "bench/piles/pile.h"

#ifdef HARDPAN_BULLET
#include <chrono>
#include <cmath>

#include <btBulletDynamicsCommon.h>

namespace hardpan::bench {
namespace {

btVector3 to_bullet(const Vec3& v) { return {v.x(), v.y(), v.z()}; }
Vec3 from_bullet(const btVector3& v) { return {v.x(), v.y(), v.z()}; }

std::unique_ptr<btCollisionShape> shape_of(const geometry::Shape& shape) {
  if (const auto* box = std::get_if<geometry::Box>(&shape))
    return std::make_unique<btBoxShape>(to_bullet(box->size / 2));
  return std::make_unique<btSphereShape>(std::get<geometry::Sphere>(shape).radius);
}

// Measures its own phases.
class World final : public btDiscreteDynamicsWorld {
 public:
  using btDiscreteDynamicsWorld::btDiscreteDynamicsWorld;

  void step(double h) {
    times_.rest += measured([&] { stepSimulation(h, 0); });
    times_.rest -= inner_;
    inner_ = 0;
  }
  void performDiscreteCollisionDetection() override {
    book(times_.detect, [&] { btDiscreteDynamicsWorld::performDiscreteCollisionDetection(); });
  }
  const Times& times() const { return times_; }

 protected:
  void solveConstraints(btContactSolverInfo& info) override {
    book(times_.solve, [&] { btDiscreteDynamicsWorld::solveConstraints(info); });
  }

 private:
  template <class Work>
  static double measured(const Work& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
  template <class Work>
  void book(double& phase, const Work& work) {
    const double seconds = measured(work);
    phase += seconds;
    inner_ += seconds;
  }

  Times times_;
  double inner_ = 0;
};

class BulletEngine final : public Engine {
 public:
  BulletEngine(const Pile& pile, bool two_directions) : step_(pile.step) {
    world_.setGravity(to_bullet(pile.gravity));
    world_.getSolverInfo().m_numIterations = pile.sweeps;
    if (two_directions) world_.getSolverInfo().m_solverMode |= SOLVER_USE_2_FRICTION_DIRECTIONS;
    for (const Pose& pose : pile.start) add({pile.shape, pose}, pile.mass, pile.friction);
    for (const geometry::PlacedShape& placed : pile.ground) add(placed, 0, pile.friction);
  }
  ~BulletEngine() override {
    for (const auto& body : bodies_) world_.removeRigidBody(body.get());
  }

  void step() override { world_.step(step_); }
  Motion motion(std::size_t i) const override {
    const btTransform& at = bodies_[i]->getWorldTransform();
    const btQuaternion q = at.getRotation();
    return {{from_bullet(at.getOrigin()), Quat(q.w(), q.x(), q.y(), q.z())},
            from_bullet(bodies_[i]->getLinearVelocity()),
            from_bullet(bodies_[i]->getAngularVelocity())};
  }
  std::size_t contacts() const override {
    int count = 0;
    for (int i = 0; i < dispatcher_.getNumManifolds(); ++i)
      count += dispatcher_.getManifoldByIndexInternal(i)->getNumContacts();
    return static_cast<std::size_t>(count);
  }
  Times times() override { return world_.times(); }

 private:
  void add(const geometry::PlacedShape& placed, double mass, double friction) {
    shapes_.push_back(shape_of(placed.shape));
    btVector3 inertia(0, 0, 0);
    if (mass > 0) shapes_.back()->calculateLocalInertia(mass, inertia);
    btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, shapes_.back().get(), inertia);
    const Quat& q = placed.pose.q;
    info.m_startWorldTransform =
        btTransform(btQuaternion(q.x(), q.y(), q.z(), q.w()), to_bullet(placed.pose.x));
    info.m_friction = std::sqrt(friction);  // Bullet multiplies those of two bodies
    info.m_restitution = 0;
    bodies_.push_back(std::make_unique<btRigidBody>(info));
    bodies_.back()->setActivationState(DISABLE_DEACTIVATION);
    world_.addRigidBody(bodies_.back().get());
  }

  double step_;
  btDefaultCollisionConfiguration configuration_;
  mutable btCollisionDispatcher dispatcher_{&configuration_};
  btDbvtBroadphase broad_phase_;
  btSequentialImpulseConstraintSolver solver_;
  World world_{&dispatcher_, &broad_phase_, &solver_, &configuration_};
  std::vector<std::unique_ptr<btCollisionShape>> shapes_;
  std::vector<std::unique_ptr<btRigidBody>> bodies_;
};

}  // namespace

std::unique_ptr<Engine> bullet_engine(const Pile& pile, bool two_directions) {
  return std::make_unique<BulletEngine>(pile, two_directions);
}

}  // namespace hardpan::bench

#else

namespace hardpan::bench {

std::unique_ptr<Engine> bullet_engine(const Pile&, bool) { return nullptr; }

}  // namespace hardpan::bench

#endif
