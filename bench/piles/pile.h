// One pile, to be stepped by several engines: the same bodies, the same step, the same number of sweeps.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "hardpan/geometry/shape.h"
#include "hardpan/solve/problem.h"

namespace hardpan::bench {

struct Pile {
  std::string name;
  geometry::Shape shape;  // of every body that moves: a box or a sphere
  double mass;            // of each, kg
  std::vector<Pose> start;
  std::vector<geometry::PlacedShape> ground;  // boxes: a floor and four walls

  double step = 0.005;  // s
  int sweeps = 20;
  double friction = 0.5;
  Vec3 gravity{0, 0, -9.81};
};

// edge^3 of them, turned and shaken a little, fall into a pit.
Pile box_pile(int edge = 10);
Pile sphere_pile(int edge = 10);

struct Motion {
  Pose pose;
  Vec3 velocity, angular_velocity;  // world
};

// Wall time since the start, s.
struct Times {
  double detect = 0;  // which bodies touch, and where
  double impact = 0;  // solving what strikes, where that is a problem of its own
  double solve = 0;   // from contacts to impulses
  double rest = 0;

  double all() const { return detect + impact + solve + rest; }
};

class Engine {
 public:
  virtual ~Engine() = default;
  virtual void step() = 0;
  virtual Motion motion(std::size_t body) const = 0;
  virtual std::size_t contacts() const = 0;  // points in the last step
  virtual Times times() = 0;
  virtual const solve::Problem* problem() const { return nullptr; }  // the last one, where it is known
};

// With as many threads as given, 0: one for each core.
std::unique_ptr<Engine> hardpan_engine(const Pile& pile, int threads = 1);

// `two_directions`: friction in both directions of the plane, as in Hardpan; else Bullet's default, the one
// of sliding. nullptr where Bullet is not there.
std::unique_ptr<Engine> bullet_engine(const Pile& pile, bool two_directions);

}  // namespace hardpan::bench
