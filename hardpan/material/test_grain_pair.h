// Two grains, or one on a fixed plane, in time, for the tests of laws of contact. Leapfrog, velocities at
// half steps, springs by the way that was gone, dampers by the velocities at the time of the force:
//
//     v += h a(x, v + h/2 a_0),   omega likewise,   x += h v,   a_0 that of the last step
//
// The point of contact is in the middle of the overlap, 1/R* = 1/R_i + 1/R_j, 1/m* = 1/m_i + 1/m_j. Energy is
// booked term by term; `books().error` is what the terms miss.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "hardpan/material/grain_law.h"

namespace hardpan::material::test {

using Vector = Vector3<double>;

template <NormalForce normal>
GrainForce<double> step_law(TangentialForce kind, const GrainLaw& law, const GrainMeeting<double>& at,
                            double h, GrainMemory<double>& memory) {
  switch (kind) {
    case TangentialForce::none:
      return grain_force<normal, TangentialForce::none>(law, at, h, memory);
    case TangentialForce::pseudo:
      return grain_force<normal, TangentialForce::pseudo>(law, at, h, memory);
    case TangentialForce::displacement:
      return grain_force<normal, TangentialForce::displacement>(law, at, h, memory);
    default:
      return grain_force<normal, TangentialForce::incremental>(law, at, h, memory);
  }
}

// The kinds as the law names them. Without a velocity that led here: that of now.
inline GrainForce<double> step_law(const GrainLaw& law, GrainMeeting<double> at, double h,
                                   GrainMemory<double>& memory) {
  if (dot(at.v_led, at.v_led) == 0) at.v_led = at.v_t;
  return law.normal == NormalForce::hertz ? step_law<NormalForce::hertz>(law.tangential, law, at, h, memory)
                                          : step_law<NormalForce::hooke>(law.tangential, law, at, h, memory);
}

struct Ball {
  double radius = 0, mass = 0;
  Vector x, v, omega;   // v and omega half a step earlier than x
  Vector a{}, alpha{};  // of the last step
  bool turns = true;

  double inverse_inertia() const { return turns ? 1 / (0.4 * mass * radius * radius) : 0; }
  double kinetic() const {
    return 0.5 * mass * (dot(v, v) + (turns ? 0.4 * radius * radius * dot(omega, omega) : 0));
  }
  void push(const Vector& force, const Vector& arm, double h) {
    v = v + (h / mass) * force;
    omega = omega + (h * inverse_inertia()) * cross(arm, force);
  }
  void turn(const Vector& moment, double h) { omega = omega + (h * inverse_inertia()) * moment; }
};

inline Ball ball(double radius, double density, const Vector& v = {}) {
  return {.radius = radius,
          .mass = density * 4 / 3 * std::numbers::pi * radius * radius * radius,
          .x = {},
          .v = v,
          .omega = {}};
}

struct Books {
  double kinetic = 0, stored = 0, viscous = 0, friction = 0, stiffening = 0, gravity = 0;
  double error = 0;  // of their sum against the start
};

class GrainPair {
 public:
  GrainLaw law;
  Ball i, j;  // i unused where there is a plane
  bool plane = false;
  Vector up{0, 0, 1};  // normal of the plane through the origin
  Vector gravity;
  double overlap = 0, force_n = 0;
  double pressed = 0;  // impulse of the normal force while it is one
  GrainMemory<double> memory;
  TurnMemory<double> turning;

  // Two balls that just touch along x, i on the left.
  GrainPair(const GrainLaw& law_, const Ball& i_, const Ball& j_) : law(law_), i(i_), j(j_) {
    j.x = i.x + Vector{i.radius + j.radius, 0, 0};
    start_ = i.kinetic() + j.kinetic();
  }
  // A ball that just touches the plane z = 0.
  GrainPair(const GrainLaw& law_, const Ball& j_) : law(law_), j(j_), plane(true) {
    j.x = {0, 0, j.radius};
    start_ = j.kinetic();
  }

  double mass() const { return plane ? j.mass : i.mass * j.mass / (i.mass + j.mass); }
  double radius() const { return plane ? j.radius : i.radius * j.radius / (i.radius + j.radius); }

  void step(double h) {
    const Ball was_i = i, was_j = j;
    touch(h);
    if (!plane) i.v = i.v + h * gravity, i.x = i.x + h * i.v;
    j.v = j.v + h * gravity;
    j.x = j.x + h * j.v;
    for (auto [ball, was] : {std::pair{&i, &was_i}, {&j, &was_j}}) {
      ball->a = (1 / h) * (ball->v - was->v);
      ball->alpha = (1 / h) * (ball->omega - was->omega);
    }
    books_.gravity += h * dot(gravity, (plane ? 0.0 : i.mass) * i.v + j.mass * j.v);
  }
  // Until they part.
  void impact(double h, int most = 1'000'000) {
    do step(h);
    while (gap() < 0 && --most > 0);
    step(h);
  }
  double gap() const { return plane ? dot(up, j.x) - j.radius : norm(j.x - i.x) - (i.radius + j.radius); }
  Vector normal() const {
    if (plane) return up;
    const Vector across = j.x - i.x;
    return (1 / norm(across)) * across;
  }
  // Of j against i at the contact.
  Vector sliding() const {
    const Vector n = normal(), v = velocity(n, 0);
    return v - dot(n, v) * n;
  }
  double closing() const { return -dot(normal(), velocity(normal(), 0)); }
  // Between impacts, and while v is that of x.
  Books books() const {
    Books all = books_;
    all.kinetic = j.kinetic() + (plane ? 0 : i.kinetic());
    all.error = all.kinetic + all.stored + all.viscous + all.friction + all.stiffening - all.gravity - start_;
    return all;
  }
  Vector momentum() const { return i.mass * i.v + j.mass * j.v; }
  Vector angular_momentum() const { return spin_of(i) + spin_of(j); }

 private:
  static Vector spin_of(const Ball& b) {
    return b.mass * cross(b.x, b.v) + (0.4 * b.mass * b.radius * b.radius) * b.omega;
  }
  double depth() const { return std::max(0.0, -gap()); }
  Vector arm_i(const Vector& n) const { return (i.radius - depth() / 2) * n; }
  // On a plane that does not give, the middle of the overlap is still above it.
  Vector arm_j(const Vector& n) const { return (depth() / 2 - j.radius) * n; }
  Vector turn_rate(double later) const {
    const Vector spin_j = j.omega + later * j.alpha;
    return plane ? spin_j : spin_j - (i.omega + later * i.alpha);
  }
  double turn_inertia() const {
    return rolling_inertia(plane ? std::numeric_limits<double>::infinity() : i.mass, plane ? 1 : i.radius,
                           j.mass, j.radius);
  }
  // This much later than the velocities.
  Vector velocity(const Vector& n, double later) const {
    const auto at = [&](const Ball& ball, const Vector& arm) {
      return ball.v + later * ball.a + cross(ball.omega + later * ball.alpha, arm);
    };
    return plane ? at(j, arm_j(n)) : at(j, arm_j(n)) - at(i, arm_i(n));
  }
  void touch(double h) {
    overlap = depth();
    if (overlap <= 0) {
      books_.friction += memory.energy() + turning.energy();
      books_.stored = 0;
      memory = {};
      turning = {};
      return;
    }
    const Vector n = normal(), v = velocity(n, h / 2), led = velocity(n, 0);
    const double v_n = dot(n, v);
    const GrainMeeting<double> at{overlap,
                                  radius(),
                                  mass(),
                                  n,
                                  v_n,
                                  v - v_n * n,
                                  led - dot(n, led) * n,
                                  dot(n, plane ? j.omega : i.omega + j.omega)};
    const GrainForce<double> f = step_law(law, at, h, memory);
    const Vector force = f.normal * n + f.tangential;
    force_n = f.normal;
    pressed += h * std::max(0.0, f.normal);
    // Before the forces change the spins.
    const TurnMeeting<double> turn{turn_rate(0), turn_rate(h / 2), turn_inertia()};
    const TurnMoment<double> m = grain_moment(law, at, f, turn, h, turning);
    j.push(force, arm_j(n), h);
    if (!plane) i.push(-force, arm_i(n), h);
    j.turn(m.moment, h);
    if (!plane) i.turn(-m.moment, h);
    const GrainEnergy<double> e = f.energy(h);
    books_.stored = e.stored + m.energy.stored;
    books_.viscous += e.viscous + m.energy.viscous;
    books_.friction += e.friction + m.energy.friction;
    books_.stiffening += e.stiffening + m.energy.stiffening;
  }

  Books books_;
  double start_ = 0;
};

}  // namespace hardpan::material::test
